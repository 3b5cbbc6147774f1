// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface FirewallPolicySpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  basePolicy?: {
    /**
     * By construct or ARM id: FirewallPolicy.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/FirewallPolicy'>;
  };
  /** @default Azure's own value */
  dnsSettings?: {
    enableProxy?: boolean;
    requireProxyForNetworkRules?: boolean;
    servers?: string[];
  };
  /** @default Azure's own value */
  explicitProxy?: {
    enableExplicitProxy?: boolean;
    enablePacFile?: boolean;
    /**
     * 0 to 64000.
     * @default Azure's own value
     */
    httpPort?: number;
    /**
     * 0 to 64000.
     * @default Azure's own value
     */
    httpsPort?: number;
    pacFile?: string;
    /**
     * 0 to 64000.
     * @default Azure's own value
     */
    pacFilePort?: number;
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /** @default Azure's own value */
  insights?: {
    isEnabled?: boolean;
    logAnalyticsResources?: {
      defaultWorkspaceId?: {
        /**
         * By construct or ARM id: Workspace.
         * @default Azure's own value
         */
        reference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
      };
      workspaces?: ({
        region?: string;
        workspaceId?: {
          /**
           * By construct or ARM id: Workspace.
           * @default Azure's own value
           */
          reference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
        };
      })[];
    };
    retentionDays?: number;
  };
  /** @default Azure's own value */
  intrusionDetection?: {
    configuration?: {
      bypassTrafficSettings?: ({
        description?: string;
        destinationAddresses?: string[];
        destinationIpGroups?: string[];
        destinationPorts?: string[];
        name?: string;
        protocol?: 'ANY' | 'ICMP' | 'TCP' | 'UDP';
        sourceAddresses?: string[];
        sourceIpGroups?: string[];
      })[];
      privateRanges?: string[];
      signatureOverrides?: ({
        id?: string;
        mode?: 'Alert' | 'Deny' | 'Off';
      })[];
    };
    mode?: 'Alert' | 'Deny' | 'Off';
    profile?: 'Advanced' | 'Basic' | 'Extended' | 'Standard';
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'Premium' | 'Standard';
  };
  /** @default Azure's own value */
  snat?: {
    autoLearnPrivateRanges?: 'Disabled' | 'Enabled';
    privateRanges?: string[];
  };
  /** @default Azure's own value */
  sql?: {
    allowSqlRedirect?: boolean;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  threatIntelMode?: 'Alert' | 'Deny' | 'Off';
  /** @default Azure's own value */
  threatIntelWhitelist?: {
    fqdns?: string[];
    ipAddresses?: string[];
  };
  /** @default Azure's own value */
  transportSecurity?: {
    certificateAuthority?: {
      keyVaultSecretId?: string;
      name?: string;
    };
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FirewallPolicy {
  spec: FirewallPolicySpec;
  status?: ArmStatus;
}
