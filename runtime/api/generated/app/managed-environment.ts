// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference, WellKnownReference } from '../../common-schemas.ts';

export interface ManagedEnvironmentSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  appLogsConfiguration?: {
    destination?: string;
    logAnalyticsConfiguration?: {
      customerId?: string;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      sharedKey?: SecretKeyReference;
    };
  };
  /** @default Azure's own value */
  customDomainConfiguration?: {
    certificateKeyVaultProperties?: {
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      /**
       * Pattern: `^[a-zA-Z][a-zA-Z0-9+-.]*:[^\s]*$`.
       * @default Azure's own value
       */
      keyVaultUrl?: string;
    };
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    certificatePassword?: SecretKeyReference;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    certificateValue?: SecretKeyReference;
    dnsSuffix?: string;
  };
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  daprAIConnectionString?: SecretKeyReference;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  daprAIInstrumentationKey?: SecretKeyReference;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
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
  infrastructureResourceGroup?: string;
  /** @default Azure's own value */
  kind?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  peerAuthentication?: {
    mtls?: {
      enabled?: boolean;
    };
  };
  /** @default Azure's own value */
  peerTrafficConfiguration?: {
    encryption?: {
      enabled?: boolean;
    };
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  vnetConfiguration?: {
    dockerBridgeCidr?: string;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    infrastructureSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    internal?: boolean;
    platformReservedCidr?: string;
    platformReservedDnsIP?: string;
  };
  /** @default Azure's own value */
  workloadProfiles?: ({
    maximumCount?: number;
    minimumCount?: number;
    name: string;
    workloadProfileType: string;
  })[];
  /** @default Azure's own value */
  zoneRedundant?: boolean;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ManagedEnvironment {
  spec: ManagedEnvironmentSpec;
  status?: ArmStatus;
}
