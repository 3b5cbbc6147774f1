// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface SubscriptionSpec {
  /**
   * Name in Azure. At most 256 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  allowTracing?: boolean;
  /** 1 to 100 characters. */
  displayName: string;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  ownerReference?: ArmReference;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  primaryKey?: SecretKeyReference;
  scope: string;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  secondaryKey?: SecretKeyReference;
  /** @default Azure's own value */
  state?: 'active' | 'cancelled' | 'expired' | 'rejected' | 'submitted' | 'suspended';
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryKey' | 'secondaryKey', never, 'primaryKey' | 'secondaryKey'>;
}

export interface Subscription {
  spec: SubscriptionSpec;
  status?: ArmStatus;
}
