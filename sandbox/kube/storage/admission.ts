import { buckets, type Rbac, type Rule } from '../access/rbac.ts';
import type { Resource } from '../model/resource.ts';
import { forbidden } from '../model/status.ts';
import type { Store } from '../model/store.ts';
import type { Unstructured } from '../model/types.ts';
import type { User } from '../model/user.ts';

/** Checks an object before it is stored. Throws a StatusError to refuse it. `user` is undefined for controllers. */
export type Admission = (
  resource: Resource,
  object: Unstructured,
  old: Unstructured | undefined,
  user: User | undefined,
) => void;

/** The checks of the API server that need more than the object: service accounts of Pods, escalation by RBAC objects. */
export function admission(store: Store, rbac: Rbac): Admission {
  return (resource, object, old, user) => {
    if (resource.bucket === 'pods' && !old) return checkServiceAccount(store, resource, object);
    if (!user || user.groups.includes('system:masters')) return undefined;
    const { namespace = '', name } = object['metadata'];
    const group = 'rbac.authorization.k8s.io';
    const may = (verb: string, plural: string, target: string) =>
      rbac.allows(user, { verb, group, plural, subresource: '', namespace, name: target });
    const refuse = (rules: readonly Rule[]) => {
      const held = rbac.rulesFor(user, namespace);
      const extra = rules.filter((rule) => !rbac.covers(held, rule));
      if (extra.length === 0) return;
      const listed = extra.map((rule) => JSON.stringify(rule)).join('\n');
      throw forbidden(
        resource,
        name,
        `user "${user.name}" (groups=${JSON.stringify(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${listed}`,
      );
    };
    if (resource.bucket === buckets.role || resource.bucket === buckets.clusterRole) {
      if (!may('escalate', resource.plural, name)) refuse((object['rules'] ?? []) as Rule[]);
    } else if (resource.bucket === buckets.roleBinding || resource.bucket === buckets.clusterRoleBinding) {
      const { kind, name: role } = object['roleRef'] ?? {};
      if (!may('bind', kind === 'ClusterRole' ? 'clusterroles' : 'roles', role))
        refuse(rbac.roleRules(object['roleRef'] ?? {}, namespace));
    }
    return undefined;
  };
}

function checkServiceAccount(store: Store, resource: Resource, pod: Unstructured): void {
  const { namespace, name } = pod['metadata'];
  const account = pod['spec']?.serviceAccountName ?? 'default';
  if (store.get('serviceaccounts', `${namespace}/${account}`)) return;
  throw forbidden(
    resource,
    name,
    `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`,
  );
}
