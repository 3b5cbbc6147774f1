// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesTopicSpec {
  /**
   * Name in Azure. At least 1 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  autoDeleteOnIdle?: string;
  /** @default Azure's own value */
  defaultMessageTimeToLive?: string;
  /** @default Azure's own value */
  duplicateDetectionHistoryTimeWindow?: string;
  /** @default Azure's own value */
  enableBatchedOperations?: boolean;
  /** @default Azure's own value */
  enableExpress?: boolean;
  /** @default Azure's own value */
  enablePartitioning?: boolean;
  /** @default Azure's own value */
  maxMessageSizeInKilobytes?: number;
  /** @default Azure's own value */
  maxSizeInMegabytes?: number;
  /** @default Azure's own value */
  requiresDuplicateDetection?: boolean;
  /** @default Azure's own value */
  supportOrdering?: boolean;
  /** The Namespace that it is in, by construct or ARM id. */
  owner: KnownOwner<'servicebus.azure.com/Namespace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesTopic {
  spec: NamespacesTopicSpec;
  status?: ArmStatus;
}
