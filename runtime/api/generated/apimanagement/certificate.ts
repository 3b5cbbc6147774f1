// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface CertificateSpec {
  /**
   * Name in Azure. 1 to 80 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  data?: SecretKeyReference;
  /** @default Azure's own value */
  keyVault?: {
    identityClientId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `identityClientId`.
     * @default Azure's own value
     */
    identityClientIdFromConfig?: ConfigMapKeyReference;
    secretIdentifier?: string;
  };
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  password?: SecretKeyReference;
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Certificate {
  spec: CertificateSpec;
  status?: ArmStatus;
}
