// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface NotificationHubSpec {
  /**
   * Name in Azure. 1 to 265 characters. Pattern: `^[a-zA-Z][a-zA-Z0-9-./_]*$`.
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
    /** @default Azure's own value */
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
    /** @default Azure's own value */
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
    /** @default Azure's own value */
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
    /** @default Azure's own value */
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
    /** @default Azure's own value */
    name?: string;
    /** @default Azure's own value */
    registrationTtl?: string;
    /** @default Azure's own value */
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
  /** The Namespace that it is in, by construct or ARM id. */
  owner: KnownOwner<'notificationhubs.azure.com/Namespace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface NotificationHub {
  spec: NotificationHubSpec;
  status?: ArmStatus;
}
