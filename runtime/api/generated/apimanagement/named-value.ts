// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface NamedValueSpec {
  /**
   * Name in Azure. At most 256 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** 1 to 256 characters. Pattern: `^[A-Za-z0-9-._]+$`. */
  displayName: string;
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
  /** @default Azure's own value */
  secret?: boolean;
  /**
   * Azure tags. At most 32 items.
   * @default Azure's own value
   */
  tags?: string[];
  /**
   * At most 4096 characters.
   * @default Azure's own value
   */
  value?: string;
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamedValue {
  spec: NamedValueSpec;
  status?: ArmStatus;
}
