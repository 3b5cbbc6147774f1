// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PublicIPAddressSpec {
  azureName?: string;
  ddosSettings?: {
    ddosCustomPolicy?: {
      reference?: ArmReference;
    };
    ddosProtectionPlan?: {
      reference?: ArmReference;
    };
    protectedIP?: boolean;
    protectionCoverage?: 'Basic' | 'Standard';
    protectionMode?: 'Disabled' | 'Enabled' | 'VirtualNetworkInherited';
  };
  deleteOption?: 'Delete' | 'Detach';
  dnsSettings?: {
    domainNameLabel?: string;
    domainNameLabelScope?: 'NoReuse' | 'ResourceGroupReuse' | 'SubscriptionReuse' | 'TenantReuse';
    fqdn?: string;
    reverseFqdn?: string;
  };
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  idleTimeoutInMinutes?: number;
  ipAddress?: string;
  ipTags?: ({
    ipTagType?: string;
    tag?: string;
  })[];
  linkedPublicIPAddress?: {
    reference?: ArmReference;
  };
  location?: string;
  natGateway?: {
    reference?: ArmReference;
  };
  publicIPAddressVersion?: 'IPv4' | 'IPv6';
  publicIPAllocationMethod?: 'Dynamic' | 'Static';
  publicIPPrefix?: {
    reference?: ArmReference;
  };
  servicePublicIPAddress?: {
    reference?: ArmReference;
  };
  sku?: {
    name?: 'Basic' | 'Standard' | 'StandardV2';
    tier?: 'Global' | 'Regional';
  };
  tags?: Record<string, string>;
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface PublicIPAddress {
  spec: PublicIPAddressSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "PublicIPAddress",
 "plural": "publicipaddresses",
 "singular": "publicipaddress",
 "shortNames": ["pip"],
 "arm": {
  "armType": "Microsoft.Network/publicIPAddresses",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20201101":"2020-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/publicIPAddresses/{publicIpAddressName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["extendedLocation","location","name","sku","tags","zones"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [{"code":"ReferencedResourceNotProvisioned","class":"retryable"}],
  "fields": {
   "type": "object",
   "properties": {
    "ddosSettings": {
     "type": "object",
     "properties": {
      "ddosProtectionPlan": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
      "protectionMode": {"type":"string","enum":["Disabled","Enabled","VirtualNetworkInherited"]},
      "ddosCustomPolicy": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"onlyIn":["v1api20201101"]},
      "protectedIP": {"type":"boolean","onlyIn":["v1api20201101"]},
      "protectionCoverage": {"type":"string","enum":["Basic","Standard"],"onlyIn":["v1api20201101"]}
     }
    },
    "deleteOption": {"type":"string","enum":["Delete","Detach"]},
    "dnsSettings": {
     "type": "object",
     "properties": {
      "domainNameLabel": {"type":"string"},
      "domainNameLabelScope": {"type":"string","enum":["NoReuse","ResourceGroupReuse","SubscriptionReuse","TenantReuse"]},
      "fqdn": {"type":"string"},
      "reverseFqdn": {"type":"string"}
     }
    },
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "idleTimeoutInMinutes": {"type":"integer"},
    "ipAddress": {"type":"string"},
    "ipTags": {"type":"array","items":{"type":"object","properties":{"ipTagType":{"type":"string"},"tag":{"type":"string"}}}},
    "linkedPublicIPAddress": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "location": {"type":"string"},
    "natGateway": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "publicIPAddressVersion": {"type":"string","enum":["IPv4","IPv6"]},
    "publicIPAllocationMethod": {"type":"string","enum":["Dynamic","Static"]},
    "publicIPPrefix": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "servicePublicIPAddress": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "sku": {
     "type": "object",
     "properties": {
      "name": {"type":"string","enum":["Basic","Standard","StandardV2"]},
      "tier": {"type":"string","enum":["Global","Regional"]}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "zones": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
