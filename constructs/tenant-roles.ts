import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { azureIdentity } from '../runtime/api/pod-identity/azure-identity.ts';
import { azureIdentityBinding } from '../runtime/api/pod-identity/azure-identity-binding.ts';
import type { KindDefinition } from '../runtime/api/types.ts';

/** Properties of `TenantRoles`. */
export interface TenantRolesProps {
  /** The kinds that the platform defines; the roles leave out those that affect other namespaces. */
  readonly kinds: readonly KindDefinition[];

  /** Labels of the roles. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Two ClusterRoles for people and pipelines of one namespace: `azimuth-tenant-edit` and `azimuth-tenant-view`.
 *
 * They include exactly the kinds that a tenant may write: Azure resources, AzureIdentity and AzureIdentityBinding. They
 * exclude AzurePodIdentityException (its pods get the machine's identities) and AzureAssignedIdentity (the controller's
 * own record). They are not aggregated into `edit` and `admin`: grant them by a RoleBinding in the namespace.
 */
export class TenantRoles extends Construct {
  static readonly editRole = 'azimuth-tenant-edit';
  static readonly viewRole = 'azimuth-tenant-view';

  constructor(scope: Construct, id: string, props: TenantRolesProps) {
    super(scope, id);
    const plurals = new Map<string, string[]>();
    for (const { group, plural } of props.kinds.filter(isForTenants)) {
      plurals.set(group, [...(plurals.get(group) ?? []), plural]);
    }
    const rules = (verbs: string[]): k8s.PolicyRule[] =>
      [...plurals]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([group, names]) => ({ apiGroups: [group], resources: names.sort(), verbs }));
    const read = ['get', 'list', 'watch'];
    const write = ['create', 'update', 'patch', 'delete', 'deletecollection'];
    const { labels } = props;
    new k8s.KubeClusterRole(this, 'View', { metadata: { name: TenantRoles.viewRole, labels }, rules: rules(read) });
    new k8s.KubeClusterRole(this, 'Edit', {
      metadata: { name: TenantRoles.editRole, labels },
      rules: rules([...read, ...write]),
    });
  }
}

/** Every kind of an Azure resource, and two of the pod identity kinds; none that belongs to no namespace. */
function isForTenants({ group, kind, namespaced }: KindDefinition): boolean {
  if (!namespaced) return false;
  return group !== azureIdentity.group || kind === azureIdentity.kind || kind === azureIdentityBinding.kind;
}
