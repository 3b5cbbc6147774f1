// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface AuthConfigSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  encryptionSettings?: {
    containerAppAuthEncryptionSecretName?: string;
    containerAppAuthSigningSecretName?: string;
  };
  /** @default Azure's own value */
  globalValidation?: {
    excludedPaths?: string[];
    redirectToProvider?: string;
    unauthenticatedClientAction?: 'AllowAnonymous' | 'RedirectToLoginPage' | 'Return401' | 'Return403';
  };
  /** @default Azure's own value */
  httpSettings?: {
    forwardProxy?: {
      convention?: 'Custom' | 'NoProxy' | 'Standard';
      customHostHeaderName?: string;
      customProtoHeaderName?: string;
    };
    requireHttps?: boolean;
    routes?: {
      apiPrefix?: string;
    };
  };
  /** @default Azure's own value */
  identityProviders?: {
    apple?: {
      enabled?: boolean;
      login?: {
        scopes?: string[];
      };
      registration?: {
        clientId?: string;
        clientSecretSettingName?: string;
      };
    };
    azureActiveDirectory?: {
      enabled?: boolean;
      isAutoProvisioned?: boolean;
      login?: {
        disableWWWAuthenticate?: boolean;
        loginParameters?: string[];
      };
      registration?: {
        clientId?: string;
        clientSecretCertificateIssuer?: string;
        clientSecretCertificateSubjectAlternativeName?: string;
        clientSecretCertificateThumbprint?: string;
        clientSecretSettingName?: string;
        openIdIssuer?: string;
      };
      validation?: {
        allowedAudiences?: string[];
        defaultAuthorizationPolicy?: {
          allowedApplications?: string[];
          allowedPrincipals?: {
            groups?: string[];
            identities?: string[];
          };
        };
        jwtClaimChecks?: {
          allowedClientApplications?: string[];
          allowedGroups?: string[];
        };
      };
    };
    azureStaticWebApps?: {
      enabled?: boolean;
      registration?: {
        clientId?: string;
      };
    };
    customOpenIdConnectProviders?: Record<string, {
      enabled?: boolean;
      login?: {
        nameClaimType?: string;
        scopes?: string[];
      };
      registration?: {
        clientCredential?: {
          clientSecretSettingName?: string;
          /**
           * Always `ClientSecretPost`.
           * @default Azure's own value
           */
          method?: 'ClientSecretPost';
        };
        clientId?: string;
        openIdConnectConfiguration?: {
          authorizationEndpoint?: string;
          certificationUri?: string;
          issuer?: string;
          tokenEndpoint?: string;
          wellKnownOpenIdConfiguration?: string;
        };
      };
    }>;
    facebook?: {
      enabled?: boolean;
      graphApiVersion?: string;
      login?: {
        scopes?: string[];
      };
      registration?: {
        appId?: string;
        appSecretSettingName?: string;
      };
    };
    gitHub?: {
      enabled?: boolean;
      login?: {
        scopes?: string[];
      };
      registration?: {
        clientId?: string;
        clientSecretSettingName?: string;
      };
    };
    google?: {
      enabled?: boolean;
      login?: {
        scopes?: string[];
      };
      registration?: {
        clientId?: string;
        clientSecretSettingName?: string;
      };
      validation?: {
        allowedAudiences?: string[];
      };
    };
    twitter?: {
      enabled?: boolean;
      registration?: {
        consumerKey?: string;
        consumerSecretSettingName?: string;
      };
    };
  };
  /** @default Azure's own value */
  login?: {
    allowedExternalRedirectUrls?: string[];
    cookieExpiration?: {
      convention?: 'FixedTime' | 'IdentityProviderDerived';
      timeToExpiration?: string;
    };
    nonce?: {
      nonceExpirationInterval?: string;
      validateNonce?: boolean;
    };
    preserveUrlFragmentsForLogins?: boolean;
    routes?: {
      logoutEndpoint?: string;
    };
    tokenStore?: {
      azureBlobStorage?: {
        sasUrlSettingName: string;
      };
      enabled?: boolean;
      tokenRefreshExtensionHours?: number;
    };
  };
  /** @default Azure's own value */
  platform?: {
    enabled?: boolean;
    runtimeVersion?: string;
  };
  /** The ContainerApp that it is in, by construct or ARM id. */
  owner: KnownOwner<'app.azure.com/ContainerApp'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AuthConfig {
  spec: AuthConfigSpec;
  status?: ArmStatus;
}
