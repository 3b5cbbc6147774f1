/** The public constructs and their properties. Import from this file: the folders behind it may change. */
export * from './azure-resource.ts';
export * from './crds.ts';
export * from './key-vault/key-vault-volume.ts';
export * from './key-vault/key-vault-volumes.ts';
export * from './machine-secrets/secret-endpoint.ts';
export * from './operator-dashboard.ts';
export * from './platform.ts';
export * from './pod-identity/azure-identity.ts';
export * from './pod-identity/azure-identity-binding.ts';
export * from './pod-identity/identity-controller.ts';
export * from './pod-identity/node-identity.ts';
export * from './pod-identity/pod-identity.ts';
export * from './resource-operator.ts';
export * from './tenant-namespace.ts';
export * from './tenant-roles.ts';
