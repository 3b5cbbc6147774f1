// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FirewallPoliciesRuleCollectionGroupSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * 100 to 65000.
   * @default Azure's own value
   */
  priority?: number;
  /** @default Azure's own value */
  ruleCollections?: ({
    /**
     * The form whose `ruleCollectionType` is `FirewallPolicyFilterRuleCollection`.
     * @default Azure's own value
     */
    firewallPolicyFilterRuleCollection?: {
      action?: {
        type?: 'Allow' | 'Deny';
      };
      name?: string;
      /**
       * 100 to 65000.
       * @default Azure's own value
       */
      priority?: number;
      /** Always `FirewallPolicyFilterRuleCollection`. */
      ruleCollectionType: 'FirewallPolicyFilterRuleCollection';
      rules?: ({
        /**
         * The form whose `ruleType` is `ApplicationRule`.
         * @default Azure's own value
         */
        applicationRule?: {
          description?: string;
          destinationAddresses?: string[];
          fqdnTags?: string[];
          httpHeadersToInsert?: ({
            headerName?: string;
            headerValue?: string;
          })[];
          name?: string;
          protocols?: ({
            /**
             * 0 to 64000.
             * @default Azure's own value
             */
            port?: number;
            protocolType?: 'Http' | 'Https';
          })[];
          /** Always `ApplicationRule`. */
          ruleType: 'ApplicationRule';
          sourceAddresses?: string[];
          sourceIpGroups?: string[];
          targetFqdns?: string[];
          targetUrls?: string[];
          terminateTLS?: boolean;
          webCategories?: string[];
        };
        /**
         * The form whose `ruleType` is `NatRule`.
         * @default Azure's own value
         */
        natRule?: {
          description?: string;
          destinationAddresses?: string[];
          destinationPorts?: string[];
          ipProtocols?: ('Any' | 'ICMP' | 'TCP' | 'UDP')[];
          name?: string;
          /** Always `NatRule`. */
          ruleType: 'NatRule';
          sourceAddresses?: string[];
          sourceIpGroups?: string[];
          translatedAddress?: string;
          translatedFqdn?: string;
          translatedPort?: string;
        };
        /**
         * The form whose `ruleType` is `NetworkRule`.
         * @default Azure's own value
         */
        networkRule?: {
          description?: string;
          destinationAddresses?: string[];
          destinationFqdns?: string[];
          destinationIpGroups?: string[];
          destinationPorts?: string[];
          ipProtocols?: ('Any' | 'ICMP' | 'TCP' | 'UDP')[];
          name?: string;
          /** Always `NetworkRule`. */
          ruleType: 'NetworkRule';
          sourceAddresses?: string[];
          sourceIpGroups?: string[];
        };
      })[];
    };
    /**
     * The form whose `ruleCollectionType` is `FirewallPolicyNatRuleCollection`.
     * @default Azure's own value
     */
    firewallPolicyNatRuleCollection?: {
      action?: {
        /**
         * Always `DNAT`.
         * @default Azure's own value
         */
        type?: 'DNAT';
      };
      name?: string;
      /**
       * 100 to 65000.
       * @default Azure's own value
       */
      priority?: number;
      /** Always `FirewallPolicyNatRuleCollection`. */
      ruleCollectionType: 'FirewallPolicyNatRuleCollection';
      rules?: ({
        /**
         * The form whose `ruleType` is `ApplicationRule`.
         * @default Azure's own value
         */
        applicationRule?: {
          description?: string;
          destinationAddresses?: string[];
          fqdnTags?: string[];
          httpHeadersToInsert?: ({
            headerName?: string;
            headerValue?: string;
          })[];
          name?: string;
          protocols?: ({
            /**
             * 0 to 64000.
             * @default Azure's own value
             */
            port?: number;
            protocolType?: 'Http' | 'Https';
          })[];
          /** Always `ApplicationRule`. */
          ruleType: 'ApplicationRule';
          sourceAddresses?: string[];
          sourceIpGroups?: string[];
          targetFqdns?: string[];
          targetUrls?: string[];
          terminateTLS?: boolean;
          webCategories?: string[];
        };
        /**
         * The form whose `ruleType` is `NatRule`.
         * @default Azure's own value
         */
        natRule?: {
          description?: string;
          destinationAddresses?: string[];
          destinationPorts?: string[];
          ipProtocols?: ('Any' | 'ICMP' | 'TCP' | 'UDP')[];
          name?: string;
          /** Always `NatRule`. */
          ruleType: 'NatRule';
          sourceAddresses?: string[];
          sourceIpGroups?: string[];
          translatedAddress?: string;
          translatedFqdn?: string;
          translatedPort?: string;
        };
        /**
         * The form whose `ruleType` is `NetworkRule`.
         * @default Azure's own value
         */
        networkRule?: {
          description?: string;
          destinationAddresses?: string[];
          destinationFqdns?: string[];
          destinationIpGroups?: string[];
          destinationPorts?: string[];
          ipProtocols?: ('Any' | 'ICMP' | 'TCP' | 'UDP')[];
          name?: string;
          /** Always `NetworkRule`. */
          ruleType: 'NetworkRule';
          sourceAddresses?: string[];
          sourceIpGroups?: string[];
        };
      })[];
    };
  })[];
  /** The FirewallPolicy that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/FirewallPolicy'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FirewallPoliciesRuleCollectionGroup {
  spec: FirewallPoliciesRuleCollectionGroupSpec;
  status?: ArmStatus;
}
