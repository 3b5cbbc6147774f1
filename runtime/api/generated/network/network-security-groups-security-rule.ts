// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NetworkSecurityGroupsSecurityRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  access: 'Allow' | 'Deny';
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  destinationAddressPrefix?: string;
  /** @default Azure's own value */
  destinationAddressPrefixes?: string[];
  /** @default Azure's own value */
  destinationApplicationSecurityGroups?: ({
    /**
     * By construct or ARM id: ApplicationSecurityGroup.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/ApplicationSecurityGroup'>;
  })[];
  /** @default Azure's own value */
  destinationPortRange?: string;
  /** @default Azure's own value */
  destinationPortRanges?: string[];
  direction: 'Inbound' | 'Outbound';
  /** @default Azure's own value */
  priority?: number;
  protocol: 'Ah' | 'Esp' | 'Icmp' | '*' | 'Tcp' | 'Udp';
  /** @default Azure's own value */
  sourceAddressPrefix?: string;
  /** @default Azure's own value */
  sourceAddressPrefixes?: string[];
  /** @default Azure's own value */
  sourceApplicationSecurityGroups?: ({
    /**
     * By construct or ARM id: ApplicationSecurityGroup.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/ApplicationSecurityGroup'>;
  })[];
  /** @default Azure's own value */
  sourcePortRange?: string;
  /** @default Azure's own value */
  sourcePortRanges?: string[];
  /** The NetworkSecurityGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/NetworkSecurityGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NetworkSecurityGroupsSecurityRule {
  spec: NetworkSecurityGroupsSecurityRuleSpec;
  status?: ArmStatus;
}
