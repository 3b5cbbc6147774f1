// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface TopicSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  inboundIpRules?: ({
    /**
     * Always `Allow`.
     * @default Azure's own value
     */
    action?: 'Allow';
    ipMask?: string;
  })[];
  /** @default Azure's own value */
  inputSchema?: 'CloudEventSchemaV1_0' | 'CustomEventSchema' | 'EventGridSchema';
  /** @default Azure's own value */
  inputSchemaMapping?: {
    /**
     * The form whose `inputSchemaMappingType` is `Json`.
     * @default Azure's own value
     */
    json?: {
      dataVersion?: {
        defaultValue?: string;
        sourceField?: string;
      };
      eventTime?: {
        sourceField?: string;
      };
      eventType?: {
        defaultValue?: string;
        sourceField?: string;
      };
      id?: {
        sourceField?: string;
      };
      /** Always `Json`. */
      inputSchemaMappingType: 'Json';
      subject?: {
        defaultValue?: string;
        sourceField?: string;
      };
      topic?: {
        sourceField?: string;
      };
    };
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
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
  operatorSpec?: OperatorSpec<'key1' | 'key2', 'endpoint', 'key1' | 'key2'>;
}

export interface Topic {
  spec: TopicSpec;
  status?: ArmStatus;
}
