// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface SignalRSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  cors?: {
    allowedOrigins?: string[];
  };
  /** @default Azure's own value */
  disableAadAuth?: boolean;
  /** @default Azure's own value */
  disableLocalAuth?: boolean;
  /** @default Azure's own value */
  features?: ({
    flag: 'EnableConnectivityLogs' | 'EnableLiveTrace' | 'EnableMessagingLogs' | 'ServiceMode';
    properties?: Record<string, string>;
    /** 1 to 128 characters. */
    value: string;
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
    type?: 'None' | 'SystemAssigned' | 'UserAssigned';
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
  kind?: 'RawWebSockets' | 'SignalR';
  /** @default Azure's own value */
  liveTraceConfiguration?: {
    categories?: ({
      enabled?: string;
      name?: string;
    })[];
    enabled?: string;
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  networkACLs?: {
    defaultAction?: 'Allow' | 'Deny';
    /**
     * At most 30 items.
     * @default Azure's own value
     */
    ipRules?: ({
      /**
       * Whether clients of these addresses are let in.
       * @default Azure's own value
       */
      action?: 'Allow' | 'Deny';
      /**
       * Address, range in CIDR notation, or service tag.
       * @default Azure's own value
       */
      value?: string;
    })[];
    privateEndpoints?: ({
      allow?: ('ClientConnection' | 'RESTAPI' | 'ServerConnection' | 'Trace')[];
      deny?: ('ClientConnection' | 'RESTAPI' | 'ServerConnection' | 'Trace')[];
      name: string;
    })[];
    publicNetwork?: {
      allow?: ('ClientConnection' | 'RESTAPI' | 'ServerConnection' | 'Trace')[];
      deny?: ('ClientConnection' | 'RESTAPI' | 'ServerConnection' | 'Trace')[];
    };
  };
  /** @default Azure's own value */
  publicNetworkAccess?: string;
  /**
   * Whether new connections are routed to the endpoint of this region; existing ones continue.
   * @default Azure's own value
   */
  regionEndpointEnabled?: string;
  /** @default Azure's own value */
  resourceLogConfiguration?: {
    categories?: ({
      enabled?: string;
      name?: string;
    })[];
  };
  /** @default Azure's own value */
  resourceStopped?: string;
  /** @default Azure's own value */
  serverless?: {
    /**
     * 1 to 120.
     * @default Azure's own value
     */
    connectionTimeoutInSeconds?: number;
  };
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
    /** Name of the pricing tier. */
    name: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'Free' | 'Premium' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  tls?: {
    clientCertEnabled?: boolean;
  };
  /** @default Azure's own value */
  upstream?: {
    templates?: ({
      auth?: {
        managedIdentity?: {
          resource?: string;
        };
        type?: 'ManagedIdentity' | 'None';
      };
      categoryPattern?: string;
      eventPattern?: string;
      hubPattern?: string;
      urlTemplate: string;
    })[];
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface SignalR {
  spec: SignalRSpec;
  status?: ArmStatus;
}
