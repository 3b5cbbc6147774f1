// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretMapReference } from '../../common-schemas.ts';

export interface VirtualMachineScaleSetsExtensionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  autoUpgradeMinorVersion?: boolean;
  /** @default Azure's own value */
  enableAutomaticUpgrade?: boolean;
  /** @default Azure's own value */
  forceUpdateTag?: string;
  /**
   * All values of a Secret of this namespace.
   * @default Azure's own value
   */
  protectedSettings?: SecretMapReference;
  /** @default Azure's own value */
  protectedSettingsFromKeyVault?: {
    secretUrl: string;
    sourceVault: {
      /**
       * By construct or ARM id: Vault.
       * @default Azure's own value
       */
      reference?: ArmReference<'keyvault.azure.com/Vault'>;
    };
  };
  /** @default Azure's own value */
  provisionAfterExtensions?: string[];
  /** @default Azure's own value */
  publisher?: string;
  /** @default Azure's own value */
  settings?: Record<string, unknown>;
  /** @default Azure's own value */
  suppressFailures?: boolean;
  /** @default Azure's own value */
  type?: string;
  /** @default Azure's own value */
  typeHandlerVersion?: string;
  /** The VirtualMachineScaleSet that it is in, by construct or ARM id. */
  owner: KnownOwner<'compute.azure.com/VirtualMachineScaleSet'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface VirtualMachineScaleSetsExtension {
  spec: VirtualMachineScaleSetsExtensionSpec;
  status?: ArmStatus;
}
