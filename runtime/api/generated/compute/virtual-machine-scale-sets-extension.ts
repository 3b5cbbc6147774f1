// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretMapReference } from '../../common-schemas.ts';

export interface VirtualMachineScaleSetsExtensionSpec {
  azureName?: string;
  autoUpgradeMinorVersion?: boolean;
  enableAutomaticUpgrade?: boolean;
  forceUpdateTag?: string;
  protectedSettings?: SecretMapReference;
  protectedSettingsFromKeyVault?: {
    secretUrl: string;
    sourceVault: {
      reference?: ArmReference;
    };
  };
  provisionAfterExtensions?: string[];
  publisher?: string;
  settings?: Record<string, unknown>;
  suppressFailures?: boolean;
  type?: string;
  typeHandlerVersion?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface VirtualMachineScaleSetsExtension {
  spec: VirtualMachineScaleSetsExtensionSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "compute.azure.com",
 "kind": "VirtualMachineScaleSetsExtension",
 "plural": "virtualmachinescalesetsextensions",
 "singular": "virtualmachinescalesetsextension",
 "shortNames": ["vmssext"],
 "arm": {
  "armType": "Microsoft.Compute/virtualMachineScaleSets/extensions",
  "apiVersions": {"v20220301":"2022-03-01","v1api20220301":"2022-03-01","v20201201":"2020-12-01","v1api20201201":"2020-12-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Compute/virtualMachineScaleSets/{vmScaleSetName}/extensions/{vmssExtensionName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["VirtualMachineScaleSet"],"group":"compute.azure.com"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "autoUpgradeMinorVersion": {"type":"boolean"},
    "enableAutomaticUpgrade": {"type":"boolean"},
    "forceUpdateTag": {"type":"string"},
    "protectedSettings": {"type":"secretMap"},
    "protectedSettingsFromKeyVault": {
     "type": "object",
     "required": ["secretUrl","sourceVault"],
     "properties": {
      "secretUrl": {"type":"string"},
      "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}
     }
    },
    "provisionAfterExtensions": {"type":"array","items":{"type":"string"}},
    "publisher": {"type":"string"},
    "settings": {"type":"map","values":{"type":"any"}},
    "suppressFailures": {"type":"boolean"},
    "type": {"type":"string"},
    "typeHandlerVersion": {"type":"string"}
   }
  }
 }
};
