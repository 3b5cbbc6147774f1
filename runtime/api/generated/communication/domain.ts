// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface DomainSpec {
  /**
   * Name in Azure. 1 to 253 characters.
   * @default metadata.name
   */
  azureName?: string;
  domainManagement: 'AzureManaged' | 'CustomerManaged' | 'CustomerManagedInExchangeOnline';
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  userEngagementTracking?: 'Disabled' | 'Enabled';
  /** The EmailService that it is in, by construct or ARM id. */
  owner: KnownOwner<'communication.azure.com/EmailService'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Domain {
  spec: DomainSpec;
  status?: ArmStatus;
}
