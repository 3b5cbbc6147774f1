// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface TopicAuthorizationRuleSpec {
  /**
   * Name in Azure. 1 to 50 characters.
   * @default metadata.name
   */
  azureName?: string;
  rights: ('Listen' | 'Manage' | 'Send')[];
  /** The NamespacesTopic that it is in, by construct or ARM id. */
  owner: KnownOwner<'servicebus.azure.com/NamespacesTopic'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface TopicAuthorizationRule {
  spec: TopicAuthorizationRuleSpec;
  status?: ArmStatus;
}
