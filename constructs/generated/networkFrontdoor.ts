// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `WebApplicationFirewallPolicy`. */
export interface WebApplicationFirewallPolicyProps extends KindProps<'network.frontdoor.azure.com/WebApplicationFirewallPolicy'> {}

/**
 * Microsoft.Network/FrontDoorWebApplicationFirewallPolicies, in a ResourceGroup.
 * Versions of Azure's API: 2022-05-01.
 */
export class WebApplicationFirewallPolicy extends AzureResource<'network.frontdoor.azure.com/WebApplicationFirewallPolicy'> {
  constructor(scope: Construct, id: string, props: WebApplicationFirewallPolicyProps) {
    super(scope, id, { ...props, kind: 'network.frontdoor.azure.com/WebApplicationFirewallPolicy' });
  }
}
