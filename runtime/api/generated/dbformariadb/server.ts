// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ServerSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** Properties of the resource. */
  properties: {
    /**
     * The form whose `createMode` is `Default`.
     * @default Azure's own value
     */
    default?: {
      administratorLogin: string;
      /** A value of a Secret of this namespace: an export of another resource, or name and key. */
      administratorLoginPassword: SecretKeyReference;
      /** Always `Default`. */
      createMode: 'Default';
      minimalTlsVersion?: 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLSEnforcementDisabled';
      publicNetworkAccess?: 'Disabled' | 'Enabled';
      sslEnforcement?: 'Disabled' | 'Enabled';
      storageProfile?: {
        backupRetentionDays?: number;
        geoRedundantBackup?: 'Disabled' | 'Enabled';
        storageAutogrow?: 'Disabled' | 'Enabled';
        storageMB?: number;
      };
      version?: '10.2' | '10.3';
    };
    /**
     * The form whose `createMode` is `GeoRestore`.
     * @default Azure's own value
     */
    geoRestore?: {
      /** Always `GeoRestore`. */
      createMode: 'GeoRestore';
      minimalTlsVersion?: 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLSEnforcementDisabled';
      publicNetworkAccess?: 'Disabled' | 'Enabled';
      /** ARM id of the server from which this one is made. */
      sourceServerId: string;
      sslEnforcement?: 'Disabled' | 'Enabled';
      storageProfile?: {
        backupRetentionDays?: number;
        geoRedundantBackup?: 'Disabled' | 'Enabled';
        storageAutogrow?: 'Disabled' | 'Enabled';
        storageMB?: number;
      };
      version?: '10.2' | '10.3';
    };
    /**
     * The form whose `createMode` is `PointInTimeRestore`.
     * @default Azure's own value
     */
    pointInTimeRestore?: {
      /** Always `PointInTimeRestore`. */
      createMode: 'PointInTimeRestore';
      minimalTlsVersion?: 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLSEnforcementDisabled';
      publicNetworkAccess?: 'Disabled' | 'Enabled';
      /** Time of the source server's state to restore, in ISO 8601. */
      restorePointInTime: string;
      /** ARM id of the server from which this one is made. */
      sourceServerId: string;
      sslEnforcement?: 'Disabled' | 'Enabled';
      storageProfile?: {
        backupRetentionDays?: number;
        geoRedundantBackup?: 'Disabled' | 'Enabled';
        storageAutogrow?: 'Disabled' | 'Enabled';
        storageMB?: number;
      };
      version?: '10.2' | '10.3';
    };
    /**
     * The form whose `createMode` is `Replica`.
     * @default Azure's own value
     */
    replica?: {
      /** Always `Replica`. */
      createMode: 'Replica';
      minimalTlsVersion?: 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLSEnforcementDisabled';
      publicNetworkAccess?: 'Disabled' | 'Enabled';
      /** ARM id of the server from which this one is made. */
      sourceServerId: string;
      sslEnforcement?: 'Disabled' | 'Enabled';
      storageProfile?: {
        backupRetentionDays?: number;
        geoRedundantBackup?: 'Disabled' | 'Enabled';
        storageAutogrow?: 'Disabled' | 'Enabled';
        storageMB?: number;
      };
      version?: '10.2' | '10.3';
    };
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Number of units. At least 0.
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
    tier?: 'Basic' | 'GeneralPurpose' | 'MemoryOptimized';
  };
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
  operatorSpec?: OperatorSpec<'fullyQualifiedDomainName', never, 'fullyQualifiedDomainName'>;
}

export interface Server {
  spec: ServerSpec;
  status?: ArmStatus;
}
