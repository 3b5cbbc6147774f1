// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface DnsForwardingRuleSetsForwardingRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  domainName: string;
  /** @default Azure's own value */
  forwardingRuleState?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  metadata?: Record<string, string>;
  targetDnsServers: ({
    ipAddress?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `ipAddress`.
     * @default Azure's own value
     */
    ipAddressFromConfig?: ConfigMapKeyReference;
    port?: number;
  })[];
  /** The DnsForwardingRuleset that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/DnsForwardingRuleset'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DnsForwardingRuleSetsForwardingRule {
  spec: DnsForwardingRuleSetsForwardingRuleSpec;
  status?: ArmStatus;
}
