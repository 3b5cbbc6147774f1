// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsManagementPolicySpec {
  policy: {
    rules: ({
      definition: {
        actions: {
          baseBlob?: {
            delete?: {
              daysAfterCreationGreaterThan?: number;
              daysAfterLastAccessTimeGreaterThan?: number;
              daysAfterLastTierChangeGreaterThan?: number;
              daysAfterModificationGreaterThan?: number;
            };
            enableAutoTierToHotFromCool?: boolean;
            tierToArchive?: {
              daysAfterCreationGreaterThan?: number;
              daysAfterLastAccessTimeGreaterThan?: number;
              daysAfterLastTierChangeGreaterThan?: number;
              daysAfterModificationGreaterThan?: number;
            };
            tierToCold?: {
              daysAfterCreationGreaterThan?: number;
              daysAfterLastAccessTimeGreaterThan?: number;
              daysAfterLastTierChangeGreaterThan?: number;
              daysAfterModificationGreaterThan?: number;
            };
            tierToCool?: {
              daysAfterCreationGreaterThan?: number;
              daysAfterLastAccessTimeGreaterThan?: number;
              daysAfterLastTierChangeGreaterThan?: number;
              daysAfterModificationGreaterThan?: number;
            };
            tierToHot?: {
              daysAfterCreationGreaterThan?: number;
              daysAfterLastAccessTimeGreaterThan?: number;
              daysAfterLastTierChangeGreaterThan?: number;
              daysAfterModificationGreaterThan?: number;
            };
          };
          snapshot?: {
            delete?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToArchive?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCold?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCool?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToHot?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
          };
          version?: {
            delete?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToArchive?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCold?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCool?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToHot?: {
              daysAfterCreationGreaterThan: number;
              daysAfterLastTierChangeGreaterThan?: number;
            };
          };
        };
        filters?: {
          blobIndexMatch?: ({
            name: string;
            op: string;
            value: string;
          })[];
          blobTypes: string[];
          prefixMatch?: string[];
        };
      };
      enabled?: boolean;
      name: string;
      type: 'Lifecycle';
    })[];
  };
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsManagementPolicy {
  spec: StorageAccountsManagementPolicySpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccountsManagementPolicy",
 "plural": "storageaccountsmanagementpolicies",
 "singular": "storageaccountsmanagementpolicy",
 "shortNames": ["stpolicy"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts/managementPolicies",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01",
   "v20210401": "2021-04-01",
   "v1api20210401": "2021-04-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}/managementPolicies/default",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["StorageAccount"],"group":"storage.azure.com"},
  "azureNameFixed": "default",
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["policy"],
   "properties": {
    "policy": {
     "type": "object",
     "required": ["rules"],
     "properties": {
      "rules": {
       "type": "array",
       "items": {
        "type": "object",
        "required": ["definition","name","type"],
        "properties": {
         "definition": {
          "type": "object",
          "required": ["actions"],
          "properties": {
           "actions": {
            "type": "object",
            "properties": {
             "baseBlob": {
              "type": "object",
              "properties": {
               "delete": {
                "type": "object",
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastAccessTimeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterModificationGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "enableAutoTierToHotFromCool": {"type":"boolean"},
               "tierToArchive": {
                "type": "object",
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastAccessTimeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterModificationGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToCold": {
                "type": "object",
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastAccessTimeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterModificationGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToCool": {
                "type": "object",
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastAccessTimeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterModificationGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToHot": {
                "type": "object",
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastAccessTimeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterModificationGreaterThan": {"type":"integer","minimum":0}
                }
               }
              }
             },
             "snapshot": {
              "type": "object",
              "properties": {
               "delete": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToArchive": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToCold": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToCool": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToHot": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               }
              }
             },
             "version": {
              "type": "object",
              "properties": {
               "delete": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToArchive": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToCold": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToCool": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               },
               "tierToHot": {
                "type": "object",
                "required": ["daysAfterCreationGreaterThan"],
                "properties": {
                 "daysAfterCreationGreaterThan": {"type":"integer","minimum":0},
                 "daysAfterLastTierChangeGreaterThan": {"type":"integer","minimum":0}
                }
               }
              }
             }
            }
           },
           "filters": {
            "type": "object",
            "required": ["blobTypes"],
            "properties": {
             "blobIndexMatch": {
              "type": "array",
              "items": {
               "type": "object",
               "required": ["name","op","value"],
               "properties": {
                "name": {"type":"string","minLength":1,"maxLength":128},
                "op": {"type":"string"},
                "value": {"type":"string","minLength":0,"maxLength":256}
               }
              },
              "whenAbsent": "null"
             },
             "blobTypes": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
             "prefixMatch": {"type":"array","items":{"type":"string"},"whenAbsent":"null"}
            }
           }
          }
         },
         "enabled": {"type":"boolean"},
         "name": {"type":"string"},
         "type": {"type":"string","enum":["Lifecycle"]}
        }
       },
       "whenAbsent": "null"
      }
     }
    }
   }
  }
 }
};
