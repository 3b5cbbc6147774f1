// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface SharedPrivateLinkSpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z0-9]{1}[a-zA-Z0-9-_.]{0,62}[a-zA-Z0-9_]{1}$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * DNS zone of the resource, where its kind needs one.
   * @default Azure's own value
   */
  dnsZone?: string;
  /** Subresource to which the private link leads, such as sqlServer. */
  groupId: string;
  /** By construct or ARM id: any resource. */
  privateLinkResourceReference: ArmReference;
  /** Message to the person who approves the private link. */
  requestMessage: string;
  /** The Watcher that it is in, by construct or ARM id. */
  owner: KnownOwner<'databasewatcher.azure.com/Watcher'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SharedPrivateLink {
  spec: SharedPrivateLinkSpec;
  status?: ArmStatus;
}
