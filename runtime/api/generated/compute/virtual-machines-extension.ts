// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretMapReference } from '../../common-schemas.ts';

export interface VirtualMachinesExtensionSpec {
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
  /** @default Azure's own value */
  instanceView?: {
    name?: string;
    statuses?: ({
      code?: string;
      displayStatus?: string;
      level?: 'Error' | 'Info' | 'Warning';
      message?: string;
      time?: string;
    })[];
    substatuses?: ({
      code?: string;
      displayStatus?: string;
      level?: 'Error' | 'Info' | 'Warning';
      message?: string;
      time?: string;
    })[];
    type?: string;
    typeHandlerVersion?: string;
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
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
  publisher?: string;
  /** @default Azure's own value */
  settings?: Record<string, unknown>;
  /** @default Azure's own value */
  suppressFailures?: boolean;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  type?: string;
  /** @default Azure's own value */
  typeHandlerVersion?: string;
  /** The VirtualMachine that it is in, by construct or ARM id. */
  owner: KnownOwner<'compute.azure.com/VirtualMachine'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never, 'protectedSettings'>;
}

export interface VirtualMachinesExtension {
  spec: VirtualMachinesExtensionSpec;
  status?: ArmStatus;
}
