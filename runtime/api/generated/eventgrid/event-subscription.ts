// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, SecretKeyReference } from '../../common-schemas.ts';

export interface EventSubscriptionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  deadLetterDestination?: {
    /**
     * The form whose `endpointType` is `StorageBlob`.
     * @default Azure's own value
     */
    storageBlob?: {
      blobContainerName?: string;
      /** Always `StorageBlob`. */
      endpointType: 'StorageBlob';
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    };
  };
  /** @default Azure's own value */
  destination?: {
    /**
     * The form whose `endpointType` is `AzureFunction`.
     * @default Azure's own value
     */
    azureFunction?: {
      /** Always `AzureFunction`. */
      endpointType: 'AzureFunction';
      maxEventsPerBatch?: number;
      preferredBatchSizeInKilobytes?: number;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `endpointType` is `EventHub`.
     * @default Azure's own value
     */
    eventHub?: {
      /** Always `EventHub`. */
      endpointType: 'EventHub';
      /**
       * By construct or ARM id: NamespacesEventhub.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'eventhub.azure.com/NamespacesEventhub'>;
    };
    /**
     * The form whose `endpointType` is `HybridConnection`.
     * @default Azure's own value
     */
    hybridConnection?: {
      /** Always `HybridConnection`. */
      endpointType: 'HybridConnection';
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `endpointType` is `ServiceBusQueue`.
     * @default Azure's own value
     */
    serviceBusQueue?: {
      /** Always `ServiceBusQueue`. */
      endpointType: 'ServiceBusQueue';
      /**
       * By construct or ARM id: NamespacesQueue.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'servicebus.azure.com/NamespacesQueue'>;
    };
    /**
     * The form whose `endpointType` is `ServiceBusTopic`.
     * @default Azure's own value
     */
    serviceBusTopic?: {
      /** Always `ServiceBusTopic`. */
      endpointType: 'ServiceBusTopic';
      /**
       * By construct or ARM id: NamespacesTopic.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'servicebus.azure.com/NamespacesTopic'>;
    };
    /**
     * The form whose `endpointType` is `StorageQueue`.
     * @default Azure's own value
     */
    storageQueue?: {
      /** Always `StorageQueue`. */
      endpointType: 'StorageQueue';
      queueName?: string;
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    };
    /**
     * The form whose `endpointType` is `WebHook`.
     * @default Azure's own value
     */
    webHook?: {
      azureActiveDirectoryApplicationIdOrUri?: string;
      azureActiveDirectoryTenantId?: string;
      /** Always `WebHook`. */
      endpointType: 'WebHook';
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      endpointUrl?: SecretKeyReference;
      maxEventsPerBatch?: number;
      preferredBatchSizeInKilobytes?: number;
    };
  };
  /** @default Azure's own value */
  eventDeliverySchema?: 'CloudEventSchemaV1_0' | 'CustomInputSchema' | 'EventGridSchema';
  /** @default Azure's own value */
  expirationTimeUtc?: string;
  /** @default Azure's own value */
  filter?: {
    advancedFilters?: ({
      /**
       * The form whose `operatorType` is `BoolEquals`.
       * @default Azure's own value
       */
      boolEquals?: {
        key?: string;
        /** Always `BoolEquals`. */
        operatorType: 'BoolEquals';
        value?: boolean;
      };
      /**
       * The form whose `operatorType` is `NumberGreaterThan`.
       * @default Azure's own value
       */
      numberGreaterThan?: {
        key?: string;
        /** Always `NumberGreaterThan`. */
        operatorType: 'NumberGreaterThan';
        value?: number;
      };
      /**
       * The form whose `operatorType` is `NumberGreaterThanOrEquals`.
       * @default Azure's own value
       */
      numberGreaterThanOrEquals?: {
        key?: string;
        /** Always `NumberGreaterThanOrEquals`. */
        operatorType: 'NumberGreaterThanOrEquals';
        value?: number;
      };
      /**
       * The form whose `operatorType` is `NumberIn`.
       * @default Azure's own value
       */
      numberIn?: {
        key?: string;
        /** Always `NumberIn`. */
        operatorType: 'NumberIn';
        values?: number[];
      };
      /**
       * The form whose `operatorType` is `NumberLessThan`.
       * @default Azure's own value
       */
      numberLessThan?: {
        key?: string;
        /** Always `NumberLessThan`. */
        operatorType: 'NumberLessThan';
        value?: number;
      };
      /**
       * The form whose `operatorType` is `NumberLessThanOrEquals`.
       * @default Azure's own value
       */
      numberLessThanOrEquals?: {
        key?: string;
        /** Always `NumberLessThanOrEquals`. */
        operatorType: 'NumberLessThanOrEquals';
        value?: number;
      };
      /**
       * The form whose `operatorType` is `NumberNotIn`.
       * @default Azure's own value
       */
      numberNotIn?: {
        key?: string;
        /** Always `NumberNotIn`. */
        operatorType: 'NumberNotIn';
        values?: number[];
      };
      /**
       * The form whose `operatorType` is `StringBeginsWith`.
       * @default Azure's own value
       */
      stringBeginsWith?: {
        key?: string;
        /** Always `StringBeginsWith`. */
        operatorType: 'StringBeginsWith';
        values?: string[];
      };
      /**
       * The form whose `operatorType` is `StringContains`.
       * @default Azure's own value
       */
      stringContains?: {
        key?: string;
        /** Always `StringContains`. */
        operatorType: 'StringContains';
        values?: string[];
      };
      /**
       * The form whose `operatorType` is `StringEndsWith`.
       * @default Azure's own value
       */
      stringEndsWith?: {
        key?: string;
        /** Always `StringEndsWith`. */
        operatorType: 'StringEndsWith';
        values?: string[];
      };
      /**
       * The form whose `operatorType` is `StringIn`.
       * @default Azure's own value
       */
      stringIn?: {
        key?: string;
        /** Always `StringIn`. */
        operatorType: 'StringIn';
        values?: string[];
      };
      /**
       * The form whose `operatorType` is `StringNotIn`.
       * @default Azure's own value
       */
      stringNotIn?: {
        key?: string;
        /** Always `StringNotIn`. */
        operatorType: 'StringNotIn';
        values?: string[];
      };
    })[];
    includedEventTypes?: string[];
    isSubjectCaseSensitive?: boolean;
    subjectBeginsWith?: string;
    subjectEndsWith?: string;
  };
  /** @default Azure's own value */
  labels?: string[];
  /** @default Azure's own value */
  retryPolicy?: {
    eventTimeToLiveInMinutes?: number;
    maxDeliveryAttempts?: number;
  };
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface EventSubscription {
  spec: EventSubscriptionSpec;
  status?: ArmStatus;
}
