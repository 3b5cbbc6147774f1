// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface SecretSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  parameters?: {
    /**
     * The form whose `type` is `AzureFirstPartyManagedCertificate`.
     * @default Azure's own value
     */
    azureFirstPartyManagedCertificate?: {
      subjectAlternativeNames?: string[];
      /** Always `AzureFirstPartyManagedCertificate`. */
      type: 'AzureFirstPartyManagedCertificate';
    };
    /**
     * The form whose `type` is `CustomerCertificate`.
     * @default Azure's own value
     */
    customerCertificate?: {
      secretSource: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      secretVersion?: string;
      subjectAlternativeNames?: string[];
      /** Always `CustomerCertificate`. */
      type: 'CustomerCertificate';
      useLatestVersion?: boolean;
    };
    /**
     * The form whose `type` is `ManagedCertificate`.
     * @default Azure's own value
     */
    managedCertificate?: {
      /** Always `ManagedCertificate`. */
      type: 'ManagedCertificate';
    };
    /**
     * The form whose `type` is `UrlSigningKey`.
     * @default Azure's own value
     */
    urlSigningKey?: {
      keyId: string;
      secretSource: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      secretVersion?: string;
      /** Always `UrlSigningKey`. */
      type: 'UrlSigningKey';
    };
  };
  /** The Profile that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/Profile'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Secret {
  spec: SecretSpec;
  status?: ArmStatus;
}
