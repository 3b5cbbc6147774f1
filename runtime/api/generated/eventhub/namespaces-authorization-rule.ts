// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesAuthorizationRuleSpec {
  /**
   * Name in Azure. At least 1 characters.
   * @default metadata.name
   */
  azureName?: string;
  rights: ('Listen' | 'Manage' | 'Send')[];
  /** The Namespace that it is in, by construct or ARM id. */
  owner: KnownOwner<'eventhub.azure.com/Namespace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface NamespacesAuthorizationRule {
  spec: NamespacesAuthorizationRuleSpec;
  status?: ArmStatus;
}
