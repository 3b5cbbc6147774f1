// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServiceGatewayHostnameConfigurationSpec {
  /**
   * Name in Azure. 1 to 80 characters.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * By construct or ARM id: Certificate.
   * @default Azure's own value
   */
  certificateReference?: ArmReference<'apimanagement.azure.com/Certificate'>;
  /** @default Azure's own value */
  hostname?: string;
  /** @default Azure's own value */
  http2Enabled?: boolean;
  /** @default Azure's own value */
  negotiateClientCertificate?: boolean;
  /** @default Azure's own value */
  tls10Enabled?: boolean;
  /** @default Azure's own value */
  tls11Enabled?: boolean;
  /** The ServiceGateway that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/ServiceGateway'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServiceGatewayHostnameConfiguration {
  spec: ServiceGatewayHostnameConfigurationSpec;
  status?: ArmStatus;
}
