// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface FederatedIdentityCredentialSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  audiences: string[];
  /**
   * Only in v1api20250131preview.
   * @default Azure's own value
   */
  claimsMatchingExpression?: {
    /** Version of the language of the expression. */
    languageVersion: number;
    /** Expression that the claims of a token must meet, in place of a fixed subject. */
    value: string;
  };
  /**
   * Pattern: `^[a-zA-Z][a-zA-Z0-9+-.]*:[^\s]*$`.
   * @default Azure's own value
   */
  issuer?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `issuer`.
   * @default Azure's own value
   */
  issuerFromConfig?: ConfigMapKeyReference;
  /** @default Azure's own value */
  subject?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `subject`.
   * @default Azure's own value
   */
  subjectFromConfig?: ConfigMapKeyReference;
  /** The UserAssignedIdentity that it is in, by construct or ARM id. */
  owner: KnownOwner<'managedidentity.azure.com/UserAssignedIdentity'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FederatedIdentityCredential {
  spec: FederatedIdentityCredentialSpec;
  status?: ArmStatus;
}
