// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `ApplicationGateway`. */
export interface ApplicationGatewayProps extends KindProps<'network.azure.com/ApplicationGateway'> {}

/**
 * Microsoft.Network/applicationGateways, in a ResourceGroup.
 * Versions of Azure's API: 2022-07-01.
 */
export class ApplicationGateway extends AzureResource<'network.azure.com/ApplicationGateway'> {
  constructor(scope: Construct, id: string, props: ApplicationGatewayProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/ApplicationGateway' });
  }
}

/** Properties of `ApplicationSecurityGroup`. */
export interface ApplicationSecurityGroupProps extends KindProps<'network.azure.com/ApplicationSecurityGroup'> {}

/**
 * Microsoft.Network/applicationSecurityGroups, in a ResourceGroup.
 * Versions of Azure's API: 2024-01-01.
 */
export class ApplicationSecurityGroup extends AzureResource<'network.azure.com/ApplicationSecurityGroup'> {
  constructor(scope: Construct, id: string, props: ApplicationSecurityGroupProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/ApplicationSecurityGroup' });
  }
}

/** Properties of `AzureFirewall`. */
export interface AzureFirewallProps extends KindProps<'network.azure.com/AzureFirewall'> {}

/**
 * Microsoft.Network/azureFirewalls, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01.
 */
export class AzureFirewall extends AzureResource<'network.azure.com/AzureFirewall'> {
  constructor(scope: Construct, id: string, props: AzureFirewallProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/AzureFirewall' });
  }
}

/** Properties of `BastionHost`. */
export interface BastionHostProps extends KindProps<'network.azure.com/BastionHost'> {}

/**
 * Microsoft.Network/bastionHosts, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2022-07-01.
 */
export class BastionHost extends AzureResource<'network.azure.com/BastionHost'> {
  constructor(scope: Construct, id: string, props: BastionHostProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/BastionHost' });
  }
}

/** Properties of `DdosProtectionPlan`. */
export interface DdosProtectionPlanProps extends KindProps<'network.azure.com/DdosProtectionPlan'> {}

/**
 * Microsoft.Network/ddosProtectionPlans, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01.
 */
export class DdosProtectionPlan extends AzureResource<'network.azure.com/DdosProtectionPlan'> {
  constructor(scope: Construct, id: string, props: DdosProtectionPlanProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DdosProtectionPlan' });
  }
}

/** Properties of `DnsForwardingRuleSetsForwardingRule`. */
export interface DnsForwardingRuleSetsForwardingRuleProps extends KindProps<'network.azure.com/DnsForwardingRuleSetsForwardingRule'> {}

/**
 * Microsoft.Network/dnsForwardingRulesets/forwardingRules, in a DnsForwardingRuleset.
 * Versions of Azure's API: 2022-07-01.
 */
export class DnsForwardingRuleSetsForwardingRule extends AzureResource<'network.azure.com/DnsForwardingRuleSetsForwardingRule'> {
  constructor(scope: Construct, id: string, props: DnsForwardingRuleSetsForwardingRuleProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsForwardingRuleSetsForwardingRule' });
  }
}

/** Properties of `DnsForwardingRuleSetsVirtualNetworkLink`. */
export interface DnsForwardingRuleSetsVirtualNetworkLinkProps extends KindProps<'network.azure.com/DnsForwardingRuleSetsVirtualNetworkLink'> {}

/**
 * Microsoft.Network/dnsForwardingRulesets/virtualNetworkLinks, in a DnsForwardingRuleset.
 * Versions of Azure's API: 2022-07-01.
 */
export class DnsForwardingRuleSetsVirtualNetworkLink extends AzureResource<'network.azure.com/DnsForwardingRuleSetsVirtualNetworkLink'> {
  constructor(scope: Construct, id: string, props: DnsForwardingRuleSetsVirtualNetworkLinkProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsForwardingRuleSetsVirtualNetworkLink' });
  }
}

/** Properties of `DnsForwardingRuleset`. */
export interface DnsForwardingRulesetProps extends KindProps<'network.azure.com/DnsForwardingRuleset'> {}

/**
 * Microsoft.Network/dnsForwardingRulesets, in a ResourceGroup.
 * Versions of Azure's API: 2022-07-01.
 */
export class DnsForwardingRuleset extends AzureResource<'network.azure.com/DnsForwardingRuleset'> {
  constructor(scope: Construct, id: string, props: DnsForwardingRulesetProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsForwardingRuleset' });
  }
}

/** Properties of `DnsResolver`. */
export interface DnsResolverProps extends KindProps<'network.azure.com/DnsResolver'> {}

/**
 * Microsoft.Network/dnsResolvers, in a ResourceGroup.
 * Versions of Azure's API: 2022-07-01.
 */
export class DnsResolver extends AzureResource<'network.azure.com/DnsResolver'> {
  constructor(scope: Construct, id: string, props: DnsResolverProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsResolver' });
  }
}

/** Properties of `DnsResolversInboundEndpoint`. */
export interface DnsResolversInboundEndpointProps extends KindProps<'network.azure.com/DnsResolversInboundEndpoint'> {}

/**
 * Microsoft.Network/dnsResolvers/inboundEndpoints, in a DnsResolver.
 * Versions of Azure's API: 2022-07-01.
 */
export class DnsResolversInboundEndpoint extends AzureResource<'network.azure.com/DnsResolversInboundEndpoint'> {
  constructor(scope: Construct, id: string, props: DnsResolversInboundEndpointProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsResolversInboundEndpoint' });
  }
}

/** Properties of `DnsResolversOutboundEndpoint`. */
export interface DnsResolversOutboundEndpointProps extends KindProps<'network.azure.com/DnsResolversOutboundEndpoint'> {}

/**
 * Microsoft.Network/dnsResolvers/outboundEndpoints, in a DnsResolver.
 * Versions of Azure's API: 2022-07-01.
 */
export class DnsResolversOutboundEndpoint extends AzureResource<'network.azure.com/DnsResolversOutboundEndpoint'> {
  constructor(scope: Construct, id: string, props: DnsResolversOutboundEndpointProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsResolversOutboundEndpoint' });
  }
}

/** Properties of `DnsZone`. */
export interface DnsZoneProps extends KindProps<'network.azure.com/DnsZone'> {}

/**
 * Microsoft.Network/dnsZones, in a ResourceGroup.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZone extends AzureResource<'network.azure.com/DnsZone'> {
  constructor(scope: Construct, id: string, props: DnsZoneProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZone' });
  }
}

/** Properties of `DnsZonesAAAARecord`. */
export interface DnsZonesAAAARecordProps extends KindProps<'network.azure.com/DnsZonesAAAARecord'> {}

/**
 * Microsoft.Network/dnsZones/AAAA, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesAAAARecord extends AzureResource<'network.azure.com/DnsZonesAAAARecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesAAAARecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesAAAARecord' });
  }
}

/** Properties of `DnsZonesARecord`. */
export interface DnsZonesARecordProps extends KindProps<'network.azure.com/DnsZonesARecord'> {}

/**
 * Microsoft.Network/dnsZones/A, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesARecord extends AzureResource<'network.azure.com/DnsZonesARecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesARecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesARecord' });
  }
}

/** Properties of `DnsZonesCAARecord`. */
export interface DnsZonesCAARecordProps extends KindProps<'network.azure.com/DnsZonesCAARecord'> {}

/**
 * Microsoft.Network/dnsZones/CAA, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesCAARecord extends AzureResource<'network.azure.com/DnsZonesCAARecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesCAARecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesCAARecord' });
  }
}

/** Properties of `DnsZonesCNAMERecord`. */
export interface DnsZonesCNAMERecordProps extends KindProps<'network.azure.com/DnsZonesCNAMERecord'> {}

/**
 * Microsoft.Network/dnsZones/CNAME, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesCNAMERecord extends AzureResource<'network.azure.com/DnsZonesCNAMERecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesCNAMERecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesCNAMERecord' });
  }
}

/** Properties of `DnsZonesMXRecord`. */
export interface DnsZonesMXRecordProps extends KindProps<'network.azure.com/DnsZonesMXRecord'> {}

/**
 * Microsoft.Network/dnsZones/MX, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesMXRecord extends AzureResource<'network.azure.com/DnsZonesMXRecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesMXRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesMXRecord' });
  }
}

/** Properties of `DnsZonesNSRecord`. */
export interface DnsZonesNSRecordProps extends KindProps<'network.azure.com/DnsZonesNSRecord'> {}

/**
 * Microsoft.Network/dnsZones/NS, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesNSRecord extends AzureResource<'network.azure.com/DnsZonesNSRecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesNSRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesNSRecord' });
  }
}

/** Properties of `DnsZonesPTRRecord`. */
export interface DnsZonesPTRRecordProps extends KindProps<'network.azure.com/DnsZonesPTRRecord'> {}

/**
 * Microsoft.Network/dnsZones/PTR, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesPTRRecord extends AzureResource<'network.azure.com/DnsZonesPTRRecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesPTRRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesPTRRecord' });
  }
}

/** Properties of `DnsZonesSRVRecord`. */
export interface DnsZonesSRVRecordProps extends KindProps<'network.azure.com/DnsZonesSRVRecord'> {}

/**
 * Microsoft.Network/dnsZones/SRV, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesSRVRecord extends AzureResource<'network.azure.com/DnsZonesSRVRecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesSRVRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesSRVRecord' });
  }
}

/** Properties of `DnsZonesTXTRecord`. */
export interface DnsZonesTXTRecordProps extends KindProps<'network.azure.com/DnsZonesTXTRecord'> {}

/**
 * Microsoft.Network/dnsZones/TXT, in a DnsZone.
 * Versions of Azure's API: 2018-05-01.
 */
export class DnsZonesTXTRecord extends AzureResource<'network.azure.com/DnsZonesTXTRecord'> {
  constructor(scope: Construct, id: string, props: DnsZonesTXTRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/DnsZonesTXTRecord' });
  }
}

/** Properties of `FirewallPoliciesRuleCollectionGroup`. */
export interface FirewallPoliciesRuleCollectionGroupProps extends KindProps<'network.azure.com/FirewallPoliciesRuleCollectionGroup'> {}

/**
 * Microsoft.Network/firewallPolicies/ruleCollectionGroups, in a FirewallPolicy.
 * Versions of Azure's API: 2025-03-01, 2024-03-01.
 */
export class FirewallPoliciesRuleCollectionGroup extends AzureResource<'network.azure.com/FirewallPoliciesRuleCollectionGroup'> {
  constructor(scope: Construct, id: string, props: FirewallPoliciesRuleCollectionGroupProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/FirewallPoliciesRuleCollectionGroup' });
  }
}

/** Properties of `FirewallPolicy`. */
export interface FirewallPolicyProps extends KindProps<'network.azure.com/FirewallPolicy'> {}

/**
 * Microsoft.Network/firewallPolicies, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01.
 */
export class FirewallPolicy extends AzureResource<'network.azure.com/FirewallPolicy'> {
  constructor(scope: Construct, id: string, props: FirewallPolicyProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/FirewallPolicy' });
  }
}

/** Properties of `LoadBalancer`. */
export interface LoadBalancerProps extends KindProps<'network.azure.com/LoadBalancer'> {}

/**
 * Microsoft.Network/loadBalancers, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class LoadBalancer extends AzureResource<'network.azure.com/LoadBalancer'> {
  constructor(scope: Construct, id: string, props: LoadBalancerProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/LoadBalancer' });
  }
}

/** Properties of `LoadBalancersInboundNatRule`. */
export interface LoadBalancersInboundNatRuleProps extends KindProps<'network.azure.com/LoadBalancersInboundNatRule'> {}

/**
 * Microsoft.Network/loadBalancers/inboundNatRules, in a LoadBalancer.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class LoadBalancersInboundNatRule extends AzureResource<'network.azure.com/LoadBalancersInboundNatRule'> {
  constructor(scope: Construct, id: string, props: LoadBalancersInboundNatRuleProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/LoadBalancersInboundNatRule' });
  }
}

/** Properties of `NatGateway`. */
export interface NatGatewayProps extends KindProps<'network.azure.com/NatGateway'> {}

/**
 * Microsoft.Network/natGateways, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2022-07-01.
 */
export class NatGateway extends AzureResource<'network.azure.com/NatGateway'> {
  constructor(scope: Construct, id: string, props: NatGatewayProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/NatGateway' });
  }
}

/** Properties of `NetworkInterface`. */
export interface NetworkInterfaceProps extends KindProps<'network.azure.com/NetworkInterface'> {}

/**
 * Microsoft.Network/networkInterfaces, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class NetworkInterface extends AzureResource<'network.azure.com/NetworkInterface'> {
  constructor(scope: Construct, id: string, props: NetworkInterfaceProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/NetworkInterface' });
  }
}

/** Properties of `NetworkSecurityGroup`. */
export interface NetworkSecurityGroupProps extends KindProps<'network.azure.com/NetworkSecurityGroup'> {}

/**
 * Microsoft.Network/networkSecurityGroups, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class NetworkSecurityGroup extends AzureResource<'network.azure.com/NetworkSecurityGroup'> {
  constructor(scope: Construct, id: string, props: NetworkSecurityGroupProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/NetworkSecurityGroup' });
  }
}

/** Properties of `NetworkSecurityGroupsSecurityRule`. */
export interface NetworkSecurityGroupsSecurityRuleProps extends KindProps<'network.azure.com/NetworkSecurityGroupsSecurityRule'> {}

/**
 * Microsoft.Network/networkSecurityGroups/securityRules, in a NetworkSecurityGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class NetworkSecurityGroupsSecurityRule extends AzureResource<'network.azure.com/NetworkSecurityGroupsSecurityRule'> {
  constructor(scope: Construct, id: string, props: NetworkSecurityGroupsSecurityRuleProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/NetworkSecurityGroupsSecurityRule' });
  }
}

/** Properties of `NetworkWatcher`. */
export interface NetworkWatcherProps extends KindProps<'network.azure.com/NetworkWatcher'> {}

/**
 * Microsoft.Network/networkWatchers, in a ResourceGroup.
 * Versions of Azure's API: 2024-10-01.
 */
export class NetworkWatcher extends AzureResource<'network.azure.com/NetworkWatcher'> {
  constructor(scope: Construct, id: string, props: NetworkWatcherProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/NetworkWatcher' });
  }
}

/** Properties of `NetworkWatchersFlowLog`. */
export interface NetworkWatchersFlowLogProps extends KindProps<'network.azure.com/NetworkWatchersFlowLog'> {}

/**
 * Microsoft.Network/networkWatchers/flowLogs, in a NetworkWatcher.
 * Versions of Azure's API: 2024-10-01.
 */
export class NetworkWatchersFlowLog extends AzureResource<'network.azure.com/NetworkWatchersFlowLog'> {
  constructor(scope: Construct, id: string, props: NetworkWatchersFlowLogProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/NetworkWatchersFlowLog' });
  }
}

/** Properties of `PrivateDnsZone`. */
export interface PrivateDnsZoneProps extends KindProps<'network.azure.com/PrivateDnsZone'> {}

/**
 * Microsoft.Network/privateDnsZones, in a ResourceGroup.
 * Versions of Azure's API: 2024-06-01, 2018-09-01.
 */
export class PrivateDnsZone extends AzureResource<'network.azure.com/PrivateDnsZone'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZoneProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZone' });
  }
}

/** Properties of `PrivateDnsZonesAAAARecord`. */
export interface PrivateDnsZonesAAAARecordProps extends KindProps<'network.azure.com/PrivateDnsZonesAAAARecord'> {}

/**
 * Microsoft.Network/privateDnsZones/AAAA, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesAAAARecord extends AzureResource<'network.azure.com/PrivateDnsZonesAAAARecord'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesAAAARecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesAAAARecord' });
  }
}

/** Properties of `PrivateDnsZonesARecord`. */
export interface PrivateDnsZonesARecordProps extends KindProps<'network.azure.com/PrivateDnsZonesARecord'> {}

/**
 * Microsoft.Network/privateDnsZones/A, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesARecord extends AzureResource<'network.azure.com/PrivateDnsZonesARecord'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesARecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesARecord' });
  }
}

/** Properties of `PrivateDnsZonesCNAMERecord`. */
export interface PrivateDnsZonesCNAMERecordProps extends KindProps<'network.azure.com/PrivateDnsZonesCNAMERecord'> {}

/**
 * Microsoft.Network/privateDnsZones/CNAME, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesCNAMERecord extends AzureResource<'network.azure.com/PrivateDnsZonesCNAMERecord'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesCNAMERecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesCNAMERecord' });
  }
}

/** Properties of `PrivateDnsZonesMXRecord`. */
export interface PrivateDnsZonesMXRecordProps extends KindProps<'network.azure.com/PrivateDnsZonesMXRecord'> {}

/**
 * Microsoft.Network/privateDnsZones/MX, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesMXRecord extends AzureResource<'network.azure.com/PrivateDnsZonesMXRecord'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesMXRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesMXRecord' });
  }
}

/** Properties of `PrivateDnsZonesPTRRecord`. */
export interface PrivateDnsZonesPTRRecordProps extends KindProps<'network.azure.com/PrivateDnsZonesPTRRecord'> {}

/**
 * Microsoft.Network/privateDnsZones/PTR, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesPTRRecord extends AzureResource<'network.azure.com/PrivateDnsZonesPTRRecord'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesPTRRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesPTRRecord' });
  }
}

/** Properties of `PrivateDnsZonesSRVRecord`. */
export interface PrivateDnsZonesSRVRecordProps extends KindProps<'network.azure.com/PrivateDnsZonesSRVRecord'> {}

/**
 * Microsoft.Network/privateDnsZones/SRV, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesSRVRecord extends AzureResource<'network.azure.com/PrivateDnsZonesSRVRecord'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesSRVRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesSRVRecord' });
  }
}

/** Properties of `PrivateDnsZonesTXTRecord`. */
export interface PrivateDnsZonesTXTRecordProps extends KindProps<'network.azure.com/PrivateDnsZonesTXTRecord'> {}

/**
 * Microsoft.Network/privateDnsZones/TXT, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesTXTRecord extends AzureResource<'network.azure.com/PrivateDnsZonesTXTRecord'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesTXTRecordProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesTXTRecord' });
  }
}

/** Properties of `PrivateDnsZonesVirtualNetworkLink`. */
export interface PrivateDnsZonesVirtualNetworkLinkProps extends KindProps<'network.azure.com/PrivateDnsZonesVirtualNetworkLink'> {}

/**
 * Microsoft.Network/privateDnsZones/virtualNetworkLinks, in a PrivateDnsZone.
 * Versions of Azure's API: 2024-06-01, 2020-06-01.
 */
export class PrivateDnsZonesVirtualNetworkLink extends AzureResource<'network.azure.com/PrivateDnsZonesVirtualNetworkLink'> {
  constructor(scope: Construct, id: string, props: PrivateDnsZonesVirtualNetworkLinkProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateDnsZonesVirtualNetworkLink' });
  }
}

/** Properties of `PrivateEndpoint`. */
export interface PrivateEndpointProps extends KindProps<'network.azure.com/PrivateEndpoint'> {}

/**
 * Microsoft.Network/privateEndpoints, in a ResourceGroup.
 * `export()` gives `primaryNicPrivateIpAddress`.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2022-07-01.
 */
export class PrivateEndpoint extends AzureResource<'network.azure.com/PrivateEndpoint'> {
  constructor(scope: Construct, id: string, props: PrivateEndpointProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateEndpoint' });
  }
}

/** Properties of `PrivateEndpointsPrivateDnsZoneGroup`. */
export interface PrivateEndpointsPrivateDnsZoneGroupProps extends KindProps<'network.azure.com/PrivateEndpointsPrivateDnsZoneGroup'> {}

/**
 * Microsoft.Network/privateEndpoints/privateDnsZoneGroups, in a PrivateEndpoint.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2022-07-01.
 */
export class PrivateEndpointsPrivateDnsZoneGroup extends AzureResource<'network.azure.com/PrivateEndpointsPrivateDnsZoneGroup'> {
  constructor(scope: Construct, id: string, props: PrivateEndpointsPrivateDnsZoneGroupProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateEndpointsPrivateDnsZoneGroup' });
  }
}

/** Properties of `PrivateLinkService`. */
export interface PrivateLinkServiceProps extends KindProps<'network.azure.com/PrivateLinkService'> {}

/**
 * Microsoft.Network/privateLinkServices, in a ResourceGroup.
 * `export()` gives `alias`.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2022-07-01.
 */
export class PrivateLinkService extends AzureResource<'network.azure.com/PrivateLinkService'> {
  constructor(scope: Construct, id: string, props: PrivateLinkServiceProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PrivateLinkService' });
  }
}

/** Properties of `PublicIPAddress`. */
export interface PublicIPAddressProps extends KindProps<'network.azure.com/PublicIPAddress'> {}

/**
 * Microsoft.Network/publicIPAddresses, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class PublicIPAddress extends AzureResource<'network.azure.com/PublicIPAddress'> {
  constructor(scope: Construct, id: string, props: PublicIPAddressProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PublicIPAddress' });
  }
}

/** Properties of `PublicIPPrefix`. */
export interface PublicIPPrefixProps extends KindProps<'network.azure.com/PublicIPPrefix'> {}

/**
 * Microsoft.Network/publicIPPrefixes, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2022-07-01.
 */
export class PublicIPPrefix extends AzureResource<'network.azure.com/PublicIPPrefix'> {
  constructor(scope: Construct, id: string, props: PublicIPPrefixProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/PublicIPPrefix' });
  }
}

/** Properties of `RouteTable`. */
export interface RouteTableProps extends KindProps<'network.azure.com/RouteTable'> {}

/**
 * Microsoft.Network/routeTables, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class RouteTable extends AzureResource<'network.azure.com/RouteTable'> {
  constructor(scope: Construct, id: string, props: RouteTableProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/RouteTable' });
  }
}

/** Properties of `RouteTablesRoute`. */
export interface RouteTablesRouteProps extends KindProps<'network.azure.com/RouteTablesRoute'> {}

/**
 * Microsoft.Network/routeTables/routes, in a RouteTable.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class RouteTablesRoute extends AzureResource<'network.azure.com/RouteTablesRoute'> {
  constructor(scope: Construct, id: string, props: RouteTablesRouteProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/RouteTablesRoute' });
  }
}

/** Properties of `TrafficManagerProfile`. */
export interface TrafficManagerProfileProps extends KindProps<'network.azure.com/TrafficManagerProfile'> {}

/**
 * Microsoft.Network/trafficmanagerprofiles, in a ResourceGroup.
 * `export()` gives `dnsConfigFqdn`.
 * Versions of Azure's API: 2022-04-01.
 */
export class TrafficManagerProfile extends AzureResource<'network.azure.com/TrafficManagerProfile'> {
  constructor(scope: Construct, id: string, props: TrafficManagerProfileProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/TrafficManagerProfile' });
  }
}

/** Properties of `TrafficManagerProfilesAzureEndpoint`. */
export interface TrafficManagerProfilesAzureEndpointProps extends KindProps<'network.azure.com/TrafficManagerProfilesAzureEndpoint'> {}

/**
 * Microsoft.Network/trafficmanagerprofiles/AzureEndpoints, in a TrafficManagerProfile.
 * Versions of Azure's API: 2022-04-01.
 */
export class TrafficManagerProfilesAzureEndpoint extends AzureResource<'network.azure.com/TrafficManagerProfilesAzureEndpoint'> {
  constructor(scope: Construct, id: string, props: TrafficManagerProfilesAzureEndpointProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/TrafficManagerProfilesAzureEndpoint' });
  }
}

/** Properties of `TrafficManagerProfilesExternalEndpoint`. */
export interface TrafficManagerProfilesExternalEndpointProps extends KindProps<'network.azure.com/TrafficManagerProfilesExternalEndpoint'> {}

/**
 * Microsoft.Network/trafficmanagerprofiles/ExternalEndpoints, in a TrafficManagerProfile.
 * Versions of Azure's API: 2022-04-01.
 */
export class TrafficManagerProfilesExternalEndpoint extends AzureResource<'network.azure.com/TrafficManagerProfilesExternalEndpoint'> {
  constructor(scope: Construct, id: string, props: TrafficManagerProfilesExternalEndpointProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/TrafficManagerProfilesExternalEndpoint' });
  }
}

/** Properties of `TrafficManagerProfilesNestedEndpoint`. */
export interface TrafficManagerProfilesNestedEndpointProps extends KindProps<'network.azure.com/TrafficManagerProfilesNestedEndpoint'> {}

/**
 * Microsoft.Network/trafficmanagerprofiles/NestedEndpoints, in a TrafficManagerProfile.
 * Versions of Azure's API: 2022-04-01.
 */
export class TrafficManagerProfilesNestedEndpoint extends AzureResource<'network.azure.com/TrafficManagerProfilesNestedEndpoint'> {
  constructor(scope: Construct, id: string, props: TrafficManagerProfilesNestedEndpointProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/TrafficManagerProfilesNestedEndpoint' });
  }
}

/** Properties of `VirtualNetwork`. */
export interface VirtualNetworkProps extends KindProps<'network.azure.com/VirtualNetwork'> {}

/**
 * Microsoft.Network/virtualNetworks, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class VirtualNetwork extends AzureResource<'network.azure.com/VirtualNetwork'> {
  constructor(scope: Construct, id: string, props: VirtualNetworkProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/VirtualNetwork' });
  }
}

/** Properties of `VirtualNetworkGateway`. */
export interface VirtualNetworkGatewayProps extends KindProps<'network.azure.com/VirtualNetworkGateway'> {}

/**
 * Microsoft.Network/virtualNetworkGateways, in a ResourceGroup.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class VirtualNetworkGateway extends AzureResource<'network.azure.com/VirtualNetworkGateway'> {
  constructor(scope: Construct, id: string, props: VirtualNetworkGatewayProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/VirtualNetworkGateway' });
  }
}

/** Properties of `VirtualNetworksSubnet`. */
export interface VirtualNetworksSubnetProps extends KindProps<'network.azure.com/VirtualNetworksSubnet'> {}

/**
 * Microsoft.Network/virtualNetworks/subnets, in a VirtualNetwork.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class VirtualNetworksSubnet extends AzureResource<'network.azure.com/VirtualNetworksSubnet'> {
  constructor(scope: Construct, id: string, props: VirtualNetworksSubnetProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/VirtualNetworksSubnet' });
  }
}

/** Properties of `VirtualNetworksVirtualNetworkPeering`. */
export interface VirtualNetworksVirtualNetworkPeeringProps extends KindProps<'network.azure.com/VirtualNetworksVirtualNetworkPeering'> {}

/**
 * Microsoft.Network/virtualNetworks/virtualNetworkPeerings, in a VirtualNetwork.
 * Versions of Azure's API: 2025-03-01, 2024-03-01, 2020-11-01.
 */
export class VirtualNetworksVirtualNetworkPeering extends AzureResource<'network.azure.com/VirtualNetworksVirtualNetworkPeering'> {
  constructor(scope: Construct, id: string, props: VirtualNetworksVirtualNetworkPeeringProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/VirtualNetworksVirtualNetworkPeering' });
  }
}

/** Properties of `WebApplicationFirewallPolicy`. */
export interface WebApplicationFirewallPolicyProps extends KindProps<'network.azure.com/WebApplicationFirewallPolicy'> {}

/**
 * Microsoft.Network/ApplicationGatewayWebApplicationFirewallPolicies, in a ResourceGroup.
 * Versions of Azure's API: 2024-01-01.
 */
export class WebApplicationFirewallPolicy extends AzureResource<'network.azure.com/WebApplicationFirewallPolicy'> {
  constructor(scope: Construct, id: string, props: WebApplicationFirewallPolicyProps) {
    super(scope, id, { ...props, kind: 'network.azure.com/WebApplicationFirewallPolicy' });
  }
}
