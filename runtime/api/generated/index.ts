// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry } from '../arm-kind.ts';
import { entry as authorizationRoleAssignment } from './authorization/role-assignment.ts';
import { entry as keyvaultVault } from './keyvault/vault.ts';
import { entry as managedidentityFederatedIdentityCredential } from './managedidentity/federated-identity-credential.ts';
import { entry as managedidentityUserAssignedIdentity } from './managedidentity/user-assigned-identity.ts';
import { entry as resourcesResourceGroup } from './resources/resource-group.ts';
import { entry as storageStorageAccount } from './storage/storage-account.ts';
import { entry as storageStorageAccountsBlobService } from './storage/storage-accounts-blob-service.ts';
import { entry as storageStorageAccountsBlobServicesContainer } from './storage/storage-accounts-blob-services-container.ts';

export const armKindEntries: readonly ArmKindEntry[] = [
  resourcesResourceGroup,
  storageStorageAccount,
  storageStorageAccountsBlobService,
  storageStorageAccountsBlobServicesContainer,
  keyvaultVault,
  managedidentityUserAssignedIdentity,
  managedidentityFederatedIdentityCredential,
  authorizationRoleAssignment,
];
