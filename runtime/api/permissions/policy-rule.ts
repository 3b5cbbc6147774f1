/** A rule in RBAC's own shape. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The RBAC rules that a program needs. */
export interface Permissions {
  /** Granted in every namespace (ClusterRole). */
  readonly cluster: readonly PolicyRule[];
  /** Granted in the program's own namespace (Role). */
  readonly namespace: readonly PolicyRule[];
  /** Granted in each namespace that the program works in, where those are listed (Role). */
  readonly targets?: readonly PolicyRule[];
  /** Granted in `kube-system`, where events about objects without a namespace lie (Role). */
  readonly system?: readonly PolicyRule[];
}

/** The questions of a program that serves its metrics to readers with a token: whose it is, and what that user may do. */
export const metricsReaderRules: readonly PolicyRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** The rule for objects of these names, or for all. To RBAC no names mean any, so there is no rule where there are none. */
export function named(rule: PolicyRule, names: readonly string[] | 'all' = 'all'): PolicyRule[] {
  if (names === 'all') return [rule];
  return names.length === 0 ? [] : [{ ...rule, resourceNames: [...names].sort() }];
}
