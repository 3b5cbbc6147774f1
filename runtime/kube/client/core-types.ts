import type { ResourceType } from './types.ts';

const core = { group: '', version: 'v1' } as const;

export const secretsType: ResourceType = { ...core, plural: 'secrets', kind: 'Secret', namespaced: true };
export const configMapsType: ResourceType = { ...core, plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
export const namespacesType: ResourceType = { ...core, plural: 'namespaces', kind: 'Namespace', namespaced: false };
