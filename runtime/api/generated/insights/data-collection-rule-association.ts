// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference } from '../../common-schemas.ts';

export interface DataCollectionRuleAssociationSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * By construct or ARM id: DataCollectionEndpoint.
   * @default Azure's own value
   */
  dataCollectionEndpointReference?: ArmReference<'insights.azure.com/DataCollectionEndpoint'>;
  /**
   * By construct or ARM id: DataCollectionRule.
   * @default Azure's own value
   */
  dataCollectionRuleReference?: ArmReference<'insights.azure.com/DataCollectionRule'>;
  /** @default Azure's own value */
  description?: string;
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DataCollectionRuleAssociation {
  spec: DataCollectionRuleAssociationSpec;
  status?: ArmStatus;
}
