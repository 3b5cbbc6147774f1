// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesTopicsSubscriptionSpec {
  /**
   * Name in Azure. 1 to 50 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  autoDeleteOnIdle?: string;
  /** @default Azure's own value */
  clientAffineProperties?: {
    clientId?: string;
    isDurable?: boolean;
    isShared?: boolean;
  };
  /** @default Azure's own value */
  deadLetteringOnFilterEvaluationExceptions?: boolean;
  /** @default Azure's own value */
  deadLetteringOnMessageExpiration?: boolean;
  /** @default Azure's own value */
  defaultMessageTimeToLive?: string;
  /** @default Azure's own value */
  duplicateDetectionHistoryTimeWindow?: string;
  /** @default Azure's own value */
  enableBatchedOperations?: boolean;
  /** @default Azure's own value */
  forwardDeadLetteredMessagesTo?: string;
  /** @default Azure's own value */
  forwardTo?: string;
  /** @default Azure's own value */
  isClientAffine?: boolean;
  /** @default Azure's own value */
  lockDuration?: string;
  /** @default Azure's own value */
  maxDeliveryCount?: number;
  /** @default Azure's own value */
  requiresSession?: boolean;
  /** The NamespacesTopic that it is in, by construct or ARM id. */
  owner: KnownOwner<'servicebus.azure.com/NamespacesTopic'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesTopicsSubscription {
  spec: NamespacesTopicsSubscriptionSpec;
  status?: ArmStatus;
}
