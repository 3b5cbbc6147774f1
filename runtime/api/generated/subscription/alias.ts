// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';

export interface AliasSpec {
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
    additionalProperties?: {
      managementGroupId?: string;
      subscriptionOwnerId?: string;
      subscriptionTenantId?: string;
      tags?: Record<string, string>;
    };
    /** @default Azure's own value */
    billingScope?: string;
    /** @default Azure's own value */
    displayName?: string;
    /** @default Azure's own value */
    resellerId?: string;
    /** @default Azure's own value */
    subscriptionId?: string;
    /** @default Azure's own value */
    workload?: 'DevTest' | 'Production';
  };
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Alias {
  spec: AliasSpec;
  status?: ArmStatus;
}
