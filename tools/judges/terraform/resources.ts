import { basicResources } from './basic-resources.ts';
import type { Configured } from './blocks.ts';
import { serviceResources } from './service-resources.ts';

const resources: Readonly<Record<string, Configured>> = { ...basicResources, ...serviceResources };

const provider = `terraform {
  required_providers {
    azurerm = { source = "hashicorp/azurerm" }
  }
}
provider "azurerm" {
  features {}
}
data "azurerm_client_config" "me" {}
`;

/** Their types, in the order of the list. */
export const resourceNames = Object.keys(resources);

/** A configuration with this resource, the resource group and what else it needs. */
export function configurationOf(name: string): string {
  const names = new Set(['azurerm_resource_group', ...(resources[name]?.with ?? []), name]);
  return [provider, ...[...names].map((each) => resources[each]?.block ?? '')].join('\n');
}
