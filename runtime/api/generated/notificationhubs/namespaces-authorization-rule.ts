// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesAuthorizationRuleSpec {
  /**
   * Name in Azure. 1 to 256 characters. Pattern: `^[a-zA-Z0-9!()*-._]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    rights: ('Listen' | 'Manage' | 'Send')[];
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The Namespace that it is in, by construct or ARM id. */
  owner: KnownOwner<'notificationhubs.azure.com/Namespace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesAuthorizationRule {
  spec: NamespacesAuthorizationRuleSpec;
  status?: ArmStatus;
}
