import type { ResourceType } from './types.ts';

const core = { group: '', version: 'v1' } as const;

/** Secrets (v1). */
export const secretsType: ResourceType = { ...core, plural: 'secrets', kind: 'Secret', namespaced: true };
/** ConfigMaps (v1). */
export const configMapsType: ResourceType = { ...core, plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
/** ServiceAccounts (v1). */
export const serviceAccountsType: ResourceType = {
  ...core,
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};
/** Namespaces (v1). */
export const namespacesType: ResourceType = { ...core, plural: 'namespaces', kind: 'Namespace', namespaced: false };
