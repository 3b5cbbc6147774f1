// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface NamespaceSpec {
  /**
   * Name in Azure. 1 to 50 characters. Pattern: `^[a-zA-Z][a-zA-Z0-9-]*$`.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    dataCenter?: string;
    /** @default Azure's own value */
    namespaceType?: 'Messaging' | 'NotificationHub';
    /**
     * Which addresses may do what.
     * @default Azure's own value
     */
    networkAcls?: {
      /**
       * Rights of single ranges of addresses.
       * @default Azure's own value
       */
      ipRules?: ({
        /** At least 1 characters. */
        ipMask: string;
        /** What clients of the range may do. */
        rights: ('Listen' | 'Manage' | 'Send')[];
      })[];
      /**
       * Rights of all other addresses.
       * @default Azure's own value
       */
      publicNetworkRule?: {
        /** What clients of other addresses may do. */
        rights: ('Listen' | 'Manage' | 'Send')[];
      };
    };
    /** @default Azure's own value */
    pnsCredentials?: {
      admCredential?: {
        /** Properties of the admCredential. */
        properties: {
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          authTokenUrl: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          clientId: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          clientSecret: SecretKeyReference;
        };
      };
      apnsCredential?: {
        /** Properties of the apnsCredential. */
        properties: {
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          apnsCertificate?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          appId?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          appName?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          certificateKey?: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          endpoint: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          keyId?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          thumbprint?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          token?: SecretKeyReference;
        };
      };
      baiduCredential?: {
        /** Properties of the baiduCredential. */
        properties: {
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          baiduApiKey: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          baiduEndPoint: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          baiduSecretKey: SecretKeyReference;
        };
      };
      /**
       * Credentials for push messages to browsers.
       * @default Azure's own value
       */
      browserCredential?: {
        /** Properties of the browserCredential. */
        properties: {
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          subject: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          vapidPrivateKey: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          vapidPublicKey: SecretKeyReference;
        };
      };
      gcmCredential?: {
        /** Properties of the gcmCredential. */
        properties: {
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          gcmEndpoint?: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          googleApiKey: SecretKeyReference;
        };
      };
      mpnsCredential?: {
        /** Properties of the mpnsCredential. */
        properties: {
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          certificateKey: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          mpnsCertificate: SecretKeyReference;
          /** A value of a Secret of this namespace: an export of another resource, or name and key. */
          thumbprint: SecretKeyReference;
        };
      };
      wnsCredential?: {
        /** Properties of the wnsCredential. */
        properties: {
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          certificateKey?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          packageSid?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          secretKey?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          windowsLiveEndpoint?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          wnsCertificate?: SecretKeyReference;
        };
      };
      /**
       * Credentials for push messages to Xiaomi devices.
       * @default Azure's own value
       */
      xiaomiCredential?: {
        /** Properties of the xiaomiCredential. */
        properties: {
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          appSecret?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          endpoint?: SecretKeyReference;
        };
      };
    };
    /**
     * Whether clients reach the namespace other than by a private endpoint.
     * @default Azure's own value
     */
    publicNetworkAccess?: 'Disabled' | 'Enabled';
    /**
     * Region that has a copy of the namespace's metadata, for disaster recovery; device registrations are not copied.
     * @default Azure's own value
     */
    replicationRegion?: 'AustraliaEast' | 'BrazilSouth' | 'Default' | 'None' | 'NorthEurope' | 'SouthAfricaNorth' | 'SouthEastAsia' | 'WestUs2';
    /** @default Azure's own value */
    scaleUnit?: string;
    /**
     * Whether the namespace runs in several availability zones.
     * @default Azure's own value
     */
    zoneRedundancy?: 'Disabled' | 'Enabled';
  };
  /** Pricing tier. */
  sku: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /**
     * Family of the hardware, where the service has several.
     * @default Azure's own value
     */
    family?: string;
    /** Name of the pricing tier. */
    name: 'Basic' | 'Free' | 'Standard';
    /**
     * Size, where the name does not tell it.
     * @default Azure's own value
     */
    size?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: string;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', 'serviceBusEndpoint', 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface Namespace {
  spec: NamespaceSpec;
  status?: ArmStatus;
}
