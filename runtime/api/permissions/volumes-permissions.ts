import { metricsReaderRules, type Permissions, type PolicyRule } from './policy-rule.ts';

/**
 * The node agent of Key Vault volumes: it watches the pods of its node. It reads no Secret, because
 * kubelet passes a volume's Secret to the driver. `metricsReaders`: whether it authenticates readers of its metrics.
 * @default false
 */
export function volumesPermissions(options: { readonly metricsReaders?: boolean } = {}): Permissions {
  return {
    cluster: [
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      ...(options.metricsReaders ? metricsReaderRules : []),
    ],
    namespace: [],
  };
}

/** Rules of the same agent for Secrets of service principals, which it reads again when Entra ID refuses them. */
export function renewalRules(names: readonly string[]): readonly PolicyRule[] {
  return [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: names }];
}

/**
 * Rules of the same agent in a namespace whose workloads it may restart. RBAC cannot limit a patch to annotations: an
 * account that may patch a workload can run anything in it.
 */
export const restartRules: readonly PolicyRule[] = [
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['get'] },
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets'], verbs: ['patch'] },
];
