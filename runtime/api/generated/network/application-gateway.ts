// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ApplicationGatewaySpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  authenticationCertificates?: ({
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    data?: SecretKeyReference;
    name?: string;
  })[];
  /** @default Azure's own value */
  autoscaleConfiguration?: {
    /**
     * At least 2.
     * @default Azure's own value
     */
    maxCapacity?: number;
    /** At least 0. */
    minCapacity: number;
  };
  /** @default Azure's own value */
  backendAddressPools?: ({
    backendAddresses?: ({
      fqdn?: string;
      ipAddress?: string;
    })[];
    name?: string;
  })[];
  /** @default Azure's own value */
  backendHttpSettingsCollection?: ({
    affinityCookieName?: string;
    authenticationCertificates?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    connectionDraining?: {
      /** 1 to 3600. */
      drainTimeoutInSec: number;
      enabled: boolean;
    };
    cookieBasedAffinity?: 'Disabled' | 'Enabled';
    hostName?: string;
    name?: string;
    path?: string;
    pickHostNameFromBackendAddress?: boolean;
    port?: number;
    probe?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    probeEnabled?: boolean;
    protocol?: 'Http' | 'Https' | 'Tcp' | 'Tls';
    requestTimeout?: number;
    trustedRootCertificates?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  })[];
  /** @default Azure's own value */
  backendSettingsCollection?: ({
    hostName?: string;
    name?: string;
    pickHostNameFromBackendAddress?: boolean;
    port?: number;
    probe?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    protocol?: 'Http' | 'Https' | 'Tcp' | 'Tls';
    timeout?: number;
    trustedRootCertificates?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  })[];
  /** @default Azure's own value */
  customErrorConfigurations?: ({
    customErrorPageUrl?: string;
    statusCode?: 'HttpStatus403' | 'HttpStatus502';
  })[];
  /** @default Azure's own value */
  enableFips?: boolean;
  /** @default Azure's own value */
  enableHttp2?: boolean;
  /** @default Azure's own value */
  firewallPolicy?: {
    /**
     * By construct or ARM id: WebApplicationFirewallPolicy or FirewallPolicy.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/WebApplicationFirewallPolicy' | 'network.azure.com/FirewallPolicy'>;
  };
  /** @default Azure's own value */
  forceFirewallPolicyAssociation?: boolean;
  /** @default Azure's own value */
  frontendIPConfigurations?: ({
    name?: string;
    privateIPAddress?: string;
    privateIPAllocationMethod?: 'Dynamic' | 'Static';
    privateLinkConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    publicIPAddress?: {
      /**
       * By construct or ARM id: PublicIPAddress.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
    };
    subnet?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
  })[];
  /** @default Azure's own value */
  frontendPorts?: ({
    name?: string;
    port?: number;
  })[];
  /** @default Azure's own value */
  gatewayIPConfigurations?: ({
    name?: string;
    subnet?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
  })[];
  /** @default Azure's own value */
  globalConfiguration?: {
    enableRequestBuffering?: boolean;
    enableResponseBuffering?: boolean;
  };
  /** @default Azure's own value */
  httpListeners?: ({
    customErrorConfigurations?: ({
      customErrorPageUrl?: string;
      statusCode?: 'HttpStatus403' | 'HttpStatus502';
    })[];
    firewallPolicy?: {
      /**
       * By construct or ARM id: WebApplicationFirewallPolicy.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/WebApplicationFirewallPolicy'>;
    };
    frontendIPConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    frontendPort?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    hostName?: string;
    hostNames?: string[];
    name?: string;
    protocol?: 'Http' | 'Https' | 'Tcp' | 'Tls';
    requireServerNameIndication?: boolean;
    sslCertificate?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    sslProfile?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
  })[];
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
  listeners?: ({
    frontendIPConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    frontendPort?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    name?: string;
    protocol?: 'Http' | 'Https' | 'Tcp' | 'Tls';
    sslCertificate?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    sslProfile?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
  })[];
  /** @default Azure's own value */
  loadDistributionPolicies?: ({
    loadDistributionAlgorithm?: 'IpHash' | 'LeastConnections' | 'RoundRobin';
    loadDistributionTargets?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    name?: string;
  })[];
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  privateLinkConfigurations?: ({
    ipConfigurations?: ({
      name?: string;
      primary?: boolean;
      privateIPAddress?: string;
      privateIPAllocationMethod?: 'Dynamic' | 'Static';
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
      subnet?: {
        /**
         * By construct or ARM id: VirtualNetworksSubnet.
         * @default Azure's own value
         */
        reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
      };
    })[];
    name?: string;
  })[];
  /** @default Azure's own value */
  probes?: ({
    host?: string;
    interval?: number;
    match?: {
      body?: string;
      statusCodes?: string[];
    };
    minServers?: number;
    name?: string;
    path?: string;
    pickHostNameFromBackendHttpSettings?: boolean;
    pickHostNameFromBackendSettings?: boolean;
    /**
     * 1 to 65535.
     * @default Azure's own value
     */
    port?: number;
    protocol?: 'Http' | 'Https' | 'Tcp' | 'Tls';
    timeout?: number;
    unhealthyThreshold?: number;
  })[];
  /** @default Azure's own value */
  redirectConfigurations?: ({
    includePath?: boolean;
    includeQueryString?: boolean;
    name?: string;
    pathRules?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    redirectType?: 'Found' | 'Permanent' | 'SeeOther' | 'Temporary';
    requestRoutingRules?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    targetListener?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    targetUrl?: string;
    urlPathMaps?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  })[];
  /** @default Azure's own value */
  requestRoutingRules?: ({
    backendAddressPool?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    backendHttpSettings?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    httpListener?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    loadDistributionPolicy?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    name?: string;
    /**
     * 1 to 20000.
     * @default Azure's own value
     */
    priority?: number;
    redirectConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    rewriteRuleSet?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    ruleType?: 'Basic' | 'PathBasedRouting';
    urlPathMap?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
  })[];
  /** @default Azure's own value */
  rewriteRuleSets?: ({
    name?: string;
    rewriteRules?: ({
      actionSet?: {
        requestHeaderConfigurations?: ({
          headerName?: string;
          headerValue?: string;
        })[];
        responseHeaderConfigurations?: ({
          headerName?: string;
          headerValue?: string;
        })[];
        urlConfiguration?: {
          modifiedPath?: string;
          modifiedQueryString?: string;
          reroute?: boolean;
        };
      };
      conditions?: ({
        ignoreCase?: boolean;
        negate?: boolean;
        pattern?: string;
        variable?: string;
      })[];
      name?: string;
      ruleSequence?: number;
    })[];
  })[];
  /** @default Azure's own value */
  routingRules?: ({
    backendAddressPool?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    backendSettings?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    listener?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    name?: string;
    /** 1 to 20000. */
    priority: number;
    ruleType?: 'Basic' | 'PathBasedRouting';
  })[];
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Standard_Large' | 'Standard_Medium' | 'Standard_Small' | 'Standard_v2' | 'WAF_Large' | 'WAF_Medium' | 'WAF_v2';
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Standard' | 'Standard_v2' | 'WAF' | 'WAF_v2';
  };
  /** @default Azure's own value */
  sslCertificates?: ({
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    data?: SecretKeyReference;
    keyVaultSecretId?: string;
    name?: string;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    password?: SecretKeyReference;
  })[];
  /** @default Azure's own value */
  sslPolicy?: {
    cipherSuites?: ('TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA' | 'TLS_DHE_DSS_WITH_AES_128_CBC_SHA' | 'TLS_DHE_DSS_WITH_AES_128_CBC_SHA256' | 'TLS_DHE_DSS_WITH_AES_256_CBC_SHA' | 'TLS_DHE_DSS_WITH_AES_256_CBC_SHA256' | 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA' | 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256' | 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA' | 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384' | 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA' | 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256' | 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256' | 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA' | 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384' | 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384' | 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA' | 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256' | 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' | 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA' | 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384' | 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384' | 'TLS_RSA_WITH_3DES_EDE_CBC_SHA' | 'TLS_RSA_WITH_AES_128_CBC_SHA' | 'TLS_RSA_WITH_AES_128_CBC_SHA256' | 'TLS_RSA_WITH_AES_128_GCM_SHA256' | 'TLS_RSA_WITH_AES_256_CBC_SHA' | 'TLS_RSA_WITH_AES_256_CBC_SHA256' | 'TLS_RSA_WITH_AES_256_GCM_SHA384')[];
    disabledSslProtocols?: ('TLSv1_0' | 'TLSv1_1' | 'TLSv1_2' | 'TLSv1_3')[];
    minProtocolVersion?: 'TLSv1_0' | 'TLSv1_1' | 'TLSv1_2' | 'TLSv1_3';
    policyName?: 'AppGwSslPolicy20150501' | 'AppGwSslPolicy20170401' | 'AppGwSslPolicy20170401S' | 'AppGwSslPolicy20220101' | 'AppGwSslPolicy20220101S';
    policyType?: 'Custom' | 'CustomV2' | 'Predefined';
  };
  /** @default Azure's own value */
  sslProfiles?: ({
    clientAuthConfiguration?: {
      verifyClientCertIssuerDN?: boolean;
      verifyClientRevocation?: 'None' | 'OCSP';
    };
    name?: string;
    sslPolicy?: {
      cipherSuites?: ('TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA' | 'TLS_DHE_DSS_WITH_AES_128_CBC_SHA' | 'TLS_DHE_DSS_WITH_AES_128_CBC_SHA256' | 'TLS_DHE_DSS_WITH_AES_256_CBC_SHA' | 'TLS_DHE_DSS_WITH_AES_256_CBC_SHA256' | 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA' | 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256' | 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA' | 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384' | 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA' | 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256' | 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256' | 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA' | 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384' | 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384' | 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA' | 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256' | 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' | 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA' | 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384' | 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384' | 'TLS_RSA_WITH_3DES_EDE_CBC_SHA' | 'TLS_RSA_WITH_AES_128_CBC_SHA' | 'TLS_RSA_WITH_AES_128_CBC_SHA256' | 'TLS_RSA_WITH_AES_128_GCM_SHA256' | 'TLS_RSA_WITH_AES_256_CBC_SHA' | 'TLS_RSA_WITH_AES_256_CBC_SHA256' | 'TLS_RSA_WITH_AES_256_GCM_SHA384')[];
      disabledSslProtocols?: ('TLSv1_0' | 'TLSv1_1' | 'TLSv1_2' | 'TLSv1_3')[];
      minProtocolVersion?: 'TLSv1_0' | 'TLSv1_1' | 'TLSv1_2' | 'TLSv1_3';
      policyName?: 'AppGwSslPolicy20150501' | 'AppGwSslPolicy20170401' | 'AppGwSslPolicy20170401S' | 'AppGwSslPolicy20220101' | 'AppGwSslPolicy20220101S';
      policyType?: 'Custom' | 'CustomV2' | 'Predefined';
    };
    trustedClientCertificates?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  })[];
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  trustedClientCertificates?: ({
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    data?: SecretKeyReference;
    name?: string;
  })[];
  /** @default Azure's own value */
  trustedRootCertificates?: ({
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    data?: SecretKeyReference;
    keyVaultSecretId?: string;
    name?: string;
  })[];
  /** @default Azure's own value */
  urlPathMaps?: ({
    defaultBackendAddressPool?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    defaultBackendHttpSettings?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    defaultLoadDistributionPolicy?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    defaultRedirectConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    defaultRewriteRuleSet?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    name?: string;
    pathRules?: ({
      backendAddressPool?: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      backendHttpSettings?: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      firewallPolicy?: {
        /**
         * By construct or ARM id: WebApplicationFirewallPolicy.
         * @default Azure's own value
         */
        reference?: ArmReference<'network.azure.com/WebApplicationFirewallPolicy'>;
      };
      loadDistributionPolicy?: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      name?: string;
      paths?: string[];
      redirectConfiguration?: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      rewriteRuleSet?: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
    })[];
  })[];
  /** @default Azure's own value */
  webApplicationFirewallConfiguration?: {
    disabledRuleGroups?: ({
      ruleGroupName: string;
      rules?: number[];
    })[];
    enabled: boolean;
    exclusions?: ({
      matchVariable: string;
      selector: string;
      selectorMatchOperator: string;
    })[];
    /**
     * At least 0.
     * @default Azure's own value
     */
    fileUploadLimitInMb?: number;
    firewallMode: 'Detection' | 'Prevention';
    /**
     * 8 to 128.
     * @default Azure's own value
     */
    maxRequestBodySize?: number;
    /**
     * 8 to 128.
     * @default Azure's own value
     */
    maxRequestBodySizeInKb?: number;
    requestBodyCheck?: boolean;
    ruleSetType: string;
    ruleSetVersion: string;
  };
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ApplicationGateway {
  spec: ApplicationGatewaySpec;
  status?: ArmStatus;
}
