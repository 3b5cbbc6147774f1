// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretMapReference } from '../../common-schemas.ts';

export interface VirtualMachinesExtensionSpec {
  azureName?: string;
  autoUpgradeMinorVersion?: boolean;
  enableAutomaticUpgrade?: boolean;
  forceUpdateTag?: string;
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
  location?: string;
  protectedSettings?: SecretMapReference;
  protectedSettingsFromKeyVault?: {
    secretUrl: string;
    sourceVault: {
      reference?: ArmReference;
    };
  };
  publisher?: string;
  settings?: Record<string, unknown>;
  suppressFailures?: boolean;
  tags?: Record<string, string>;
  type?: string;
  typeHandlerVersion?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never, 'protectedSettings'>;
}

export interface VirtualMachinesExtension {
  spec: VirtualMachinesExtensionSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "compute.azure.com",
 "kind": "VirtualMachinesExtension",
 "plural": "virtualmachinesextensions",
 "singular": "virtualmachinesextension",
 "shortNames": ["vmext"],
 "arm": {
  "armType": "Microsoft.Compute/virtualMachines/extensions",
  "apiVersions": {"v20220301":"2022-03-01","v1api20220301":"2022-03-01","v20201201":"2020-12-01","v1api20201201":"2020-12-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Compute/virtualMachines/{vmName}/extensions/{vmExtensionName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["VirtualMachine"],"group":"compute.azure.com"},
  "azureName": {},
  "topLevel": ["location","name","tags"],
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
    "instanceView": {
     "type": "object",
     "properties": {
      "name": {"type":"string"},
      "statuses": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "code": {"type":"string"},
         "displayStatus": {"type":"string"},
         "level": {"type":"string","enum":["Error","Info","Warning"]},
         "message": {"type":"string"},
         "time": {"type":"string"}
        }
       }
      },
      "substatuses": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "code": {"type":"string"},
         "displayStatus": {"type":"string"},
         "level": {"type":"string","enum":["Error","Info","Warning"]},
         "message": {"type":"string"},
         "time": {"type":"string"}
        }
       }
      },
      "type": {"type":"string"},
      "typeHandlerVersion": {"type":"string"}
     }
    },
    "location": {"type":"string"},
    "protectedSettings": {"type":"secretMap"},
    "protectedSettingsFromKeyVault": {
     "type": "object",
     "required": ["secretUrl","sourceVault"],
     "properties": {
      "secretUrl": {"type":"string"},
      "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}
     }
    },
    "publisher": {"type":"string"},
    "settings": {"type":"map","values":{"type":"any"}},
    "suppressFailures": {"type":"boolean"},
    "tags": {"type":"map","values":{"type":"string"}},
    "type": {"type":"string"},
    "typeHandlerVersion": {"type":"string"}
   }
  }
 }
};
