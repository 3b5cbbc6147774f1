import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { Permissions, PolicyRule } from '../../runtime/api/permissions/index.ts';

/** Properties of a program's service account and roles. */
export interface ProgramRbacProps {
  /** Names the roles, their bindings and the service account. */
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
}

/** A program's service account with exactly the permissions it declares, cluster-wide and in its own namespace. */
export class ProgramRbac extends Construct {
  readonly serviceAccountName: string;

  constructor(scope: Construct, id: string, props: ProgramRbacProps) {
    super(scope, id);
    const { name, namespace, labels, permissions } = props;
    this.serviceAccountName = name;
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });

    new k8s.KubeServiceAccount(this, 'ServiceAccount', {
      metadata: { name, namespace, labels },
      automountServiceAccountToken: false,
    });
    new k8s.KubeClusterRole(this, 'ClusterRole', { metadata: { name, labels }, rules: rules(permissions.cluster) });
    new k8s.KubeClusterRoleBinding(this, 'ClusterRoleBinding', {
      metadata: { name, labels },
      roleRef: roleRef('ClusterRole'),
      subjects,
    });
    // The API server drops an empty list of rules, so that each `kubectl apply` would report a difference.
    if (permissions.namespace.length === 0) return;
    new k8s.KubeRole(this, 'Role', { metadata: { name, namespace, labels }, rules: rules(permissions.namespace) });
    new k8s.KubeRoleBinding(this, 'RoleBinding', {
      metadata: { name, namespace, labels },
      roleRef: roleRef('Role'),
      subjects,
    });
  }
}

/** Rights of a service account in one namespace. */
export interface NamespaceGrantProps {
  readonly name: string;
  /** Namespace of the Role. */
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  readonly serviceAccount: { readonly name: string; readonly namespace: string };
}

/** Permissions of a program in another namespace. */
export class NamespaceGrant extends Construct {
  constructor(scope: Construct, id: string, props: NamespaceGrantProps) {
    super(scope, id);
    const { name, namespace, labels, serviceAccount } = props;
    const metadata = { name, namespace, labels };
    new k8s.KubeRole(this, 'Role', { metadata, rules: rules(props.rules) });
    new k8s.KubeRoleBinding(this, 'RoleBinding', {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', ...serviceAccount }],
    });
  }
}

function rules(declared: readonly PolicyRule[]): k8s.PolicyRule[] {
  return declared.map(({ apiGroups, resources, verbs, resourceNames }) => ({
    apiGroups: [...apiGroups],
    resources: [...resources],
    verbs: [...verbs],
    ...(resourceNames ? { resourceNames: [...resourceNames] } : {}),
  }));
}
