// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface UserAssignedIdentitySpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'clientId' | 'principalId' | 'subscriptionId' | 'tenantId', 'clientId' | 'principalId' | 'tenantId', 'clientId' | 'principalId' | 'subscriptionId' | 'tenantId'>;
}

export interface UserAssignedIdentity {
  spec: UserAssignedIdentitySpec;
  status?: ArmStatus;
}
