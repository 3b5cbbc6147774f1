import type { Permissions, PolicyRule } from './policy-rule.ts';

/**
 * The secret endpoint: it watches ManagedSecrets and reads the objects that these name, and it watches the records in its
 * own namespace. It reads no Secret: its own certificate is mounted.
 */
export function secretsPermissions({ targets = false }: { readonly targets?: boolean } = {}): Permissions {
  const objects: PolicyRule[] = [
    { apiGroups: ['azimuth.dev'], resources: ['managedsecrets'], verbs: ['list', 'watch'] },
    { apiGroups: ['keyvault.azure.com'], resources: ['vaults'], verbs: ['get'] },
    { apiGroups: ['managedidentity.azure.com'], resources: ['userassignedidentities'], verbs: ['get'] },
    {
      apiGroups: ['compute.azure.com'],
      resources: ['virtualmachines', 'virtualmachinescalesets'],
      verbs: ['get'],
    },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ];
  // Cluster-scoped, so that no tenant approves himself.
  const features: PolicyRule[] = [
    { apiGroups: ['azimuth.dev'], resources: ['featureregistrations', 'featureapprovals'], verbs: ['list', 'watch'] },
  ];
  // The records of the identity controller: which identities of machines are for pods.
  const records: PolicyRule[] = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
  return targets
    ? { cluster: features, namespace: records, targets: objects }
    : { cluster: [...objects, ...features], namespace: records };
}
