// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';
import { grants } from '../resources/built-in-roles.ts';
import { type Grantee, grantRole, type RoleGrant } from '../resources/grant.ts';

/** Properties of `Registry`. */
export interface RegistryProps extends KindProps<'containerregistry.azure.com/Registry'> {}

/**
 * Microsoft.ContainerRegistry/registries, in a ResourceGroup.
 * `export()` gives `adminPassword`, `adminPassword2`, `adminUsername`, `loginServer`.
 * Versions of Azure's API: 2023-07-01, 2021-09-01.
 */
export class Registry extends AzureResource<'containerregistry.azure.com/Registry'> {
  constructor(scope: Construct, id: string, props: RegistryProps) {
    super(scope, id, { ...props, kind: 'containerregistry.azure.com/Registry' });
  }

  /** Lets an identity pull images: the role AcrPull on this resource. */
  grantPull(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['containerregistry.azure.com/Registry'].grantPull);
  }

  /** Lets an identity pull and push images: the role AcrPush on this resource. */
  grantPush(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['containerregistry.azure.com/Registry'].grantPush);
  }
}

/** Properties of `RegistryReplication`. */
export interface RegistryReplicationProps extends KindProps<'containerregistry.azure.com/RegistryReplication'> {}

/**
 * Microsoft.ContainerRegistry/registries/replications, in a Registry.
 * Versions of Azure's API: 2023-07-01.
 */
export class RegistryReplication extends AzureResource<'containerregistry.azure.com/RegistryReplication'> {
  constructor(scope: Construct, id: string, props: RegistryReplicationProps) {
    super(scope, id, { ...props, kind: 'containerregistry.azure.com/RegistryReplication' });
  }
}
