// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServersElasticPoolSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * How long the pool is idle before it pauses, in minutes; -1 for never.
   * @default Azure's own value
   */
  autoPauseDelay?: number;
  /**
   * Availability zone of the pool.
   * @default Azure's own value
   */
  availabilityZone?: '1' | '2' | '3' | 'NoPreference';
  /** @default Azure's own value */
  highAvailabilityReplicaCount?: number;
  /** @default Azure's own value */
  licenseType?: 'BasePrice' | 'LicenseIncluded';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  maintenanceConfigurationId?: string;
  /** @default Azure's own value */
  maxSizeBytes?: number;
  /**
   * The least capacity of a serverless pool, in vCores.
   * @default Azure's own value
   */
  minCapacity?: number;
  /** @default Azure's own value */
  perDatabaseSettings?: {
    /**
     * How long a database is idle before it pauses, in minutes; -1 for never.
     * @default Azure's own value
     */
    autoPauseDelay?: number;
    maxCapacity?: number;
    minCapacity?: number;
  };
  /**
   * Kind of the secure enclave; Default for none.
   * @default Azure's own value
   */
  preferredEnclaveType?: 'Default' | 'VBS';
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /**
     * Family of the hardware, where the service has several.
     * @default Azure's own value
     */
    family?: string;
    /** Name of the pricing tier. */
    name: string;
    /**
     * Size, where the name does not tell it.
     * @default Azure's own value
     */
    size?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: string;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  zoneRedundant?: boolean;
  /** The Server that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/Server'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersElasticPool {
  spec: ServersElasticPoolSpec;
  status?: ArmStatus;
}
