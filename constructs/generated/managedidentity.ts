// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `FederatedIdentityCredential`. */
export interface FederatedIdentityCredentialProps extends KindProps<'managedidentity.azure.com/FederatedIdentityCredential'> {}

/**
 * Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials, in a UserAssignedIdentity.
 * Versions of Azure's API: 2023-01-31, 2022-01-31-preview, 2025-01-31-preview.
 */
export class FederatedIdentityCredential extends AzureResource<'managedidentity.azure.com/FederatedIdentityCredential'> {
  constructor(scope: Construct, id: string, props: FederatedIdentityCredentialProps) {
    super(scope, id, { ...props, kind: 'managedidentity.azure.com/FederatedIdentityCredential' });
  }
}

/** Properties of `UserAssignedIdentity`. */
export interface UserAssignedIdentityProps extends KindProps<'managedidentity.azure.com/UserAssignedIdentity'> {}

/**
 * Microsoft.ManagedIdentity/userAssignedIdentities, in a ResourceGroup.
 * `export()` gives `clientId`, `principalId`, `subscriptionId`, `tenantId`.
 * Versions of Azure's API: 2023-01-31, 2018-11-30.
 */
export class UserAssignedIdentity extends AzureResource<'managedidentity.azure.com/UserAssignedIdentity'> {
  constructor(scope: Construct, id: string, props: UserAssignedIdentityProps) {
    super(scope, id, { ...props, kind: 'managedidentity.azure.com/UserAssignedIdentity' });
  }
}
