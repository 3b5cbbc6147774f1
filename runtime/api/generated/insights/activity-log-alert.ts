// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ActivityLogAlertSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  actions: {
    actionGroups?: ({
      /** By construct or ARM id: ActionGroup. */
      actionGroupReference: ArmReference<'insights.azure.com/ActionGroup'>;
      webhookProperties?: Record<string, string>;
    })[];
  };
  condition: {
    allOf: ({
      anyOf?: ({
        containsAny?: string[];
        equals?: string;
        field?: string;
      })[];
      containsAny?: string[];
      equals?: string;
      field?: string;
    })[];
  };
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  enabled?: boolean;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  scopesReferences: ArmReference[];
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
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ActivityLogAlert {
  spec: ActivityLogAlertSpec;
  status?: ArmStatus;
}
