// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';
import { grants } from '../resources/built-in-roles.ts';
import { type Grantee, grantRole, type RoleGrant } from '../resources/grant.ts';

/** Properties of `Vault`. */
export interface VaultProps extends KindProps<'keyvault.azure.com/Vault'> {}

/**
 * Microsoft.KeyVault/vaults, in a ResourceGroup.
 * Versions of Azure's API: 2023-07-01, 2021-04-01-preview.
 */
export class Vault extends AzureResource<'keyvault.azure.com/Vault'> {
  constructor(scope: Construct, id: string, props: VaultProps) {
    super(scope, id, { ...props, kind: 'keyvault.azure.com/Vault' });
  }

  /** Lets an identity read the values of secrets, those behind certificates included: the role Key Vault Secrets User on this resource. */
  grantRead(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['keyvault.azure.com/Vault'].grantRead);
  }

  /** Lets an identity read, set and delete secrets: the role Key Vault Secrets Officer on this resource. */
  grantWrite(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['keyvault.azure.com/Vault'].grantWrite);
  }

  /** Lets an identity read certificates with their keys: the role Key Vault Certificate User on this resource. */
  grantCertificateRead(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['keyvault.azure.com/Vault'].grantCertificateRead);
  }

  /** Lets an identity sign, verify, wrap and unwrap with keys: the role Key Vault Crypto User on this resource. */
  grantCryptoUse(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['keyvault.azure.com/Vault'].grantCryptoUse);
  }
}
