// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesEventhubsConsumerGroupSpec {
  /**
   * Name in Azure. 1 to 50 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  userMetadata?: string;
  /** The NamespacesEventhub that it is in, by construct or ARM id. */
  owner: KnownOwner<'eventhub.azure.com/NamespacesEventhub'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesEventhubsConsumerGroup {
  spec: NamespacesEventhubsConsumerGroupSpec;
  status?: ArmStatus;
}
