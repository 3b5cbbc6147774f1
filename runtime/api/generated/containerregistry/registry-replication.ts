// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface RegistryReplicationSpec {
  /**
   * Name in Azure. 5 to 50 characters. Pattern: `^[a-zA-Z0-9]*$`.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  regionEndpointEnabled?: boolean;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  zoneRedundancy?: 'Disabled' | 'Enabled';
  /** The Registry that it is in, by construct or ARM id. */
  owner: KnownOwner<'containerregistry.azure.com/Registry'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RegistryReplication {
  spec: RegistryReplicationSpec;
  status?: ArmStatus;
}
