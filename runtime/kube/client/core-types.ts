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
/** CustomResourceDefinitions (apiextensions.k8s.io/v1). */
export const definitionsType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
/** Namespaces (v1). */
export const namespacesType: ResourceType = { ...core, plural: 'namespaces', kind: 'Namespace', namespaced: false };
