import type { Store } from '../model/store.ts';
import type { Unstructured } from '../model/types.ts';
import type { User } from '../model/user.ts';

/** The request to authorize. Either a resource or a path. */
export type Attributes =
  | {
      readonly verb: string;
      readonly group: string;
      readonly plural: string;
      readonly subresource: string;
      /** '' at the cluster scope. */
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly verb: string; readonly path: string };

/** A PolicyRule of a Role or ClusterRole. */
export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const group = 'rbac.authorization.k8s.io';
/** Where the RBAC kinds are stored. */
export const buckets = {
  role: `roles.${group}`,
  clusterRole: `clusterroles.${group}`,
  roleBinding: `rolebindings.${group}`,
  clusterRoleBinding: `clusterrolebindings.${group}`,
} as const;

const has = (values: readonly string[] | undefined, wanted: string) =>
  values?.some((value) => value === '*' || value === wanted) ?? false;

const pathMatches = (pattern: string, path: string) =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;

/** Whether a rule allows the request. */
export function ruleAllows(rule: Rule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if ('path' in attributes) return rule.nonResourceURLs?.some((url) => pathMatches(url, attributes.path)) ?? false;
  if (!has(rule.apiGroups, attributes.group)) return false;
  const { plural, subresource, name } = attributes;
  const resource = subresource ? `${plural}/${subresource}` : plural;
  const covers = rule.resources?.some(
    (one) => one === '*' || one === resource || (subresource !== '' && one === `*/${subresource}`),
  );
  if (!covers) return false;
  return !rule.resourceNames?.length || rule.resourceNames.includes(name);
}

function subjectIs(subject: Unstructured, user: User, bindingNamespace: string): boolean {
  if (subject['kind'] === 'User') return subject['name'] === user.name;
  if (subject['kind'] === 'Group') return user.groups.includes(subject['name']);
  if (subject['kind'] !== 'ServiceAccount') return false;
  return user.name === `system:serviceaccount:${subject['namespace'] ?? bindingNamespace}:${subject['name']}`;
}

/** Decides by the Role, ClusterRole and binding objects that are in the store at that moment. */
export class Rbac {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  allows(user: User, attributes: Attributes): boolean {
    if (user.groups.includes('system:masters')) return true;
    const namespace = 'path' in attributes ? '' : attributes.namespace;
    return this.rulesFor(user, namespace).some((rule) => ruleAllows(rule, attributes));
  }

  /** Every rule that holds for a user in a namespace ('' = only cluster-wide ones). */
  rulesFor(user: User, namespace: string): Rule[] {
    const rules: Rule[] = [];
    const collect = (bucket: string, inNamespace: string) => {
      for (const [, binding] of this.#store.entries(bucket)) {
        const own = binding['metadata'].namespace ?? '';
        if (own !== inNamespace) continue;
        const subjects: Unstructured[] = binding['subjects'] ?? [];
        if (subjects.some((subject) => subjectIs(subject, user, own))) rules.push(...this.#rulesOf(binding, own));
      }
    };
    collect(buckets.clusterRoleBinding, '');
    if (namespace) collect(buckets.roleBinding, namespace);
    return rules;
  }

  /** The rules of the role that a binding names; none when it does not exist. */
  roleRules(roleRef: Unstructured, namespace: string): readonly Rule[] {
    const role =
      roleRef['kind'] === 'ClusterRole'
        ? this.#store.get(buckets.clusterRole, roleRef['name'])
        : this.#store.get(buckets.role, `${namespace}/${roleRef['name']}`);
    return (role?.['rules'] as Rule[] | undefined) ?? [];
  }

  #rulesOf(binding: Unstructured, namespace: string): readonly Rule[] {
    return this.roleRules(binding['roleRef'] ?? {}, namespace);
  }

  /** Whether everything `rule` grants is already held: nobody may give a permission that they do not have. */
  covers(held: readonly Rule[], rule: Rule): boolean {
    const parts: Attributes[] = [];
    for (const verb of rule.verbs) {
      for (const path of rule.nonResourceURLs ?? []) parts.push({ verb, path });
      for (const apiGroup of rule.apiGroups ?? []) {
        for (const resource of rule.resources ?? []) {
          const [plural = '', subresource = ''] = resource.split('/');
          for (const name of rule.resourceNames?.length ? rule.resourceNames : [''])
            parts.push({ verb, group: apiGroup, plural, subresource, namespace: '', name });
        }
      }
    }
    return parts.every((part) => held.some((one) => ruleAllows(one, part)));
  }
}
