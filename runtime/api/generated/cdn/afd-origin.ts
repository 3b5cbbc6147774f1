// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface AfdOriginSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  azureOrigin?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  enabledState?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  enforceCertificateNameCheck?: boolean;
  /** @default Azure's own value */
  hostName?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `hostName`.
   * @default Azure's own value
   */
  hostNameFromConfig?: ConfigMapKeyReference;
  /**
   * 1 to 65535.
   * @default Azure's own value
   */
  httpPort?: number;
  /**
   * 1 to 65535.
   * @default Azure's own value
   */
  httpsPort?: number;
  /** @default Azure's own value */
  originHostHeader?: string;
  /**
   * 1 to 5.
   * @default Azure's own value
   */
  priority?: number;
  /** @default Azure's own value */
  sharedPrivateLinkResource?: {
    groupId?: string;
    privateLink?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    privateLinkLocation?: string;
    requestMessage?: string;
    status?: 'Approved' | 'Disconnected' | 'Pending' | 'Rejected' | 'Timeout';
  };
  /**
   * 1 to 1000.
   * @default Azure's own value
   */
  weight?: number;
  /** The AfdOriginGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/AfdOriginGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AfdOrigin {
  spec: AfdOriginSpec;
  status?: ArmStatus;
}
