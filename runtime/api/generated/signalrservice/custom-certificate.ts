// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface CustomCertificateSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  keyVaultBaseUri?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `keyVaultBaseUri`.
   * @default Azure's own value
   */
  keyVaultBaseUriFromConfig?: ConfigMapKeyReference;
  keyVaultSecretName: string;
  /** @default Azure's own value */
  keyVaultSecretVersion?: string;
  /** The SignalR that it is in, by construct or ARM id. */
  owner: KnownOwner<'signalrservice.azure.com/SignalR'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface CustomCertificate {
  spec: CustomCertificateSpec;
  status?: ArmStatus;
}
