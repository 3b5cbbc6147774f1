// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface IotHubSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    allowedFqdnList?: string[];
    /** @default Azure's own value */
    authorizationPolicies?: ({
      keyName: string;
      rights: 'DeviceConnect' | 'RegistryRead' | 'RegistryRead, DeviceConnect' | 'RegistryRead, RegistryWrite' | 'RegistryRead, RegistryWrite, DeviceConnect' | 'RegistryRead, RegistryWrite, ServiceConnect' | 'RegistryRead, RegistryWrite, ServiceConnect, DeviceConnect' | 'RegistryRead, ServiceConnect' | 'RegistryRead, ServiceConnect, DeviceConnect' | 'RegistryWrite' | 'RegistryWrite, DeviceConnect' | 'RegistryWrite, ServiceConnect' | 'RegistryWrite, ServiceConnect, DeviceConnect' | 'ServiceConnect' | 'ServiceConnect, DeviceConnect';
    })[];
    /** @default Azure's own value */
    cloudToDevice?: {
      defaultTtlAsIso8601?: string;
      feedback?: {
        lockDurationAsIso8601?: string;
        /**
         * 1 to 100.
         * @default Azure's own value
         */
        maxDeliveryCount?: number;
        ttlAsIso8601?: string;
      };
      /**
       * 1 to 100.
       * @default Azure's own value
       */
      maxDeliveryCount?: number;
    };
    /** @default Azure's own value */
    comments?: string;
    /** @default Azure's own value */
    disableDeviceSAS?: boolean;
    /** @default Azure's own value */
    disableLocalAuth?: boolean;
    /** @default Azure's own value */
    disableModuleSAS?: boolean;
    /** @default Azure's own value */
    enableDataResidency?: boolean;
    /** @default Azure's own value */
    enableFileUploadNotifications?: boolean;
    /** @default Azure's own value */
    eventHubEndpoints?: Record<string, {
      partitionCount?: number;
      retentionTimeInDays?: number;
    }>;
    /** @default Azure's own value */
    features?: 'DeviceManagement' | 'None';
    /** @default Azure's own value */
    ipFilterRules?: ({
      action: 'Accept' | 'Reject';
      filterName: string;
      ipMask: string;
    })[];
    /** @default Azure's own value */
    messagingEndpoints?: Record<string, {
      lockDurationAsIso8601?: string;
      /**
       * 1 to 100.
       * @default Azure's own value
       */
      maxDeliveryCount?: number;
      ttlAsIso8601?: string;
    }>;
    /** @default Azure's own value */
    minTlsVersion?: string;
    /** @default Azure's own value */
    networkRuleSets?: {
      applyToBuiltInEventHubEndpoint: boolean;
      defaultAction?: 'Allow' | 'Deny';
      ipRules: ({
        /**
         * Always `Allow`.
         * @default Azure's own value
         */
        action?: 'Allow';
        filterName: string;
        ipMask: string;
      })[];
    };
    /** @default Azure's own value */
    publicNetworkAccess?: 'Disabled' | 'Enabled';
    /** @default Azure's own value */
    restrictOutboundNetworkAccess?: boolean;
    /** @default Azure's own value */
    routing?: {
      endpoints?: {
        eventHubs?: ({
          authenticationType?: 'identityBased' | 'keyBased';
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          connectionString?: SecretKeyReference;
          endpointUri?: string;
          entityPath?: string;
          identity?: {
            userAssignedIdentity?: string;
          };
          /** Pattern: `^[A-Za-z0-9-._]{1,64}$`. */
          name: string;
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          reference?: ArmReference;
          resourceGroup?: string;
          subscriptionId?: string;
        })[];
        serviceBusQueues?: ({
          authenticationType?: 'identityBased' | 'keyBased';
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          connectionString?: SecretKeyReference;
          endpointUri?: string;
          entityPath?: string;
          identity?: {
            userAssignedIdentity?: string;
          };
          /** Pattern: `^[A-Za-z0-9-._]{1,64}$`. */
          name: string;
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          reference?: ArmReference;
          resourceGroup?: string;
          subscriptionId?: string;
        })[];
        serviceBusTopics?: ({
          authenticationType?: 'identityBased' | 'keyBased';
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          connectionString?: SecretKeyReference;
          endpointUri?: string;
          entityPath?: string;
          identity?: {
            userAssignedIdentity?: string;
          };
          /** Pattern: `^[A-Za-z0-9-._]{1,64}$`. */
          name: string;
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          reference?: ArmReference;
          resourceGroup?: string;
          subscriptionId?: string;
        })[];
        storageContainers?: ({
          authenticationType?: 'identityBased' | 'keyBased';
          /**
           * 60 to 720.
           * @default Azure's own value
           */
          batchFrequencyInSeconds?: number;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          connectionString?: SecretKeyReference;
          containerName: string;
          encoding?: 'Avro' | 'AvroDeflate' | 'JSON';
          endpointUri?: string;
          fileNameFormat?: string;
          identity?: {
            userAssignedIdentity?: string;
          };
          /**
           * 10485760 to 524288000.
           * @default Azure's own value
           */
          maxChunkSizeInBytes?: number;
          /** Pattern: `^[A-Za-z0-9-._]{1,64}$`. */
          name: string;
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          reference?: ArmReference;
          resourceGroup?: string;
          subscriptionId?: string;
        })[];
      };
      enrichments?: ({
        /** At least 1 items. */
        endpointNames: string[];
        key: string;
        value: string;
      })[];
      fallbackRoute?: {
        condition?: string;
        /** 1 items. */
        endpointNames: string[];
        isEnabled: boolean;
        name?: string;
        /** Always `DeviceMessages`. */
        source: 'DeviceMessages';
      };
      routes?: ({
        condition?: string;
        /** 1 items. */
        endpointNames: string[];
        isEnabled: boolean;
        /** Pattern: `^[A-Za-z0-9-._]{1,64}$`. */
        name: string;
        source: 'DeviceConnectionStateEvents' | 'DeviceJobLifecycleEvents' | 'DeviceLifecycleEvents' | 'DeviceMessages' | 'Invalid' | 'TwinChangeEvents';
      })[];
    };
    /** @default Azure's own value */
    storageEndpoints?: Record<string, {
      authenticationType?: 'identityBased' | 'keyBased';
      /** A value of a Secret of this namespace: an export of another resource, or name and key. */
      connectionString: SecretKeyReference;
      containerName: string;
      identity?: {
        userAssignedIdentity?: string;
      };
      sasTtlAsIso8601?: string;
    }>;
  };
  /** Pricing tier. */
  sku: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /** Name of the pricing tier. */
    name: 'B1' | 'B2' | 'B3' | 'F1' | 'S1' | 'S2' | 'S3';
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
  operatorSpec?: OperatorSpec<'devicePrimaryKey' | 'deviceSecondaryKey' | 'iotHubOwnerPrimaryKey' | 'iotHubOwnerSecondaryKey' | 'registryReadPrimaryKey' | 'registryReadSecondaryKey' | 'registryReadWritePrimaryKey' | 'registryReadWriteSecondaryKey' | 'servicePrimaryKey' | 'serviceSecondaryKey', never, 'devicePrimaryKey' | 'deviceSecondaryKey' | 'iotHubOwnerPrimaryKey' | 'iotHubOwnerSecondaryKey' | 'registryReadPrimaryKey' | 'registryReadSecondaryKey' | 'registryReadWritePrimaryKey' | 'registryReadWriteSecondaryKey' | 'servicePrimaryKey' | 'serviceSecondaryKey'>;
}

export interface IotHub {
  spec: IotHubSpec;
  status?: ArmStatus;
}
