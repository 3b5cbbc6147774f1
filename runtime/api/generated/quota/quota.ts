// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference } from '../../common-schemas.ts';

export interface QuotaSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    limit?: {
      /**
       * The form whose `limitObjectType` is `LimitValue`.
       * @default Azure's own value
       */
      limitValue?: {
        /** Always `LimitValue`. */
        limitObjectType: 'LimitValue';
        limitType?: 'Independent' | 'Shared';
        value: number;
      };
    };
    /** @default Azure's own value */
    name?: {
      value?: string;
    };
    /** @default Azure's own value */
    properties?: unknown;
    /** @default Azure's own value */
    resourceType?: string;
  };
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Quota {
  spec: QuotaSpec;
  status?: ArmStatus;
}
