// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface LoadBalancersInboundNatRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  backendAddressPool?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  backendPort?: number;
  /** @default Azure's own value */
  enableFloatingIP?: boolean;
  /** @default Azure's own value */
  enableTcpReset?: boolean;
  /** @default Azure's own value */
  frontendIPConfiguration?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  frontendPort?: number;
  /** @default Azure's own value */
  frontendPortRangeEnd?: number;
  /** @default Azure's own value */
  frontendPortRangeStart?: number;
  /** @default Azure's own value */
  idleTimeoutInMinutes?: number;
  /** @default Azure's own value */
  protocol?: 'All' | 'Quic' | 'Tcp' | 'Udp';
  /** The LoadBalancer that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/LoadBalancer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface LoadBalancersInboundNatRule {
  spec: LoadBalancersInboundNatRuleSpec;
  status?: ArmStatus;
}
