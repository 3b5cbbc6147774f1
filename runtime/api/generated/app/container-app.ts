// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference, WellKnownReference } from '../../common-schemas.ts';

export interface ContainerAppSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  configuration?: {
    activeRevisionsMode?: 'Multiple' | 'Single';
    dapr?: {
      appId?: string;
      appPort?: number;
      appProtocol?: 'grpc' | 'http';
      enableApiLogging?: boolean;
      enabled?: boolean;
      httpMaxRequestSize?: number;
      httpReadBufferSize?: number;
      logLevel?: 'debug' | 'error' | 'info' | 'warn';
    };
    identitySettings?: ({
      /** By construct or ARM id: UserAssignedIdentity. */
      identityReference: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      lifecycle?: 'All' | 'Init' | 'Main' | 'None';
    })[];
    ingress?: {
      additionalPortMappings?: ({
        exposedPort?: number;
        external: boolean;
        targetPort: number;
      })[];
      allowInsecure?: boolean;
      clientCertificateMode?: 'accept' | 'ignore' | 'require';
      corsPolicy?: {
        allowCredentials?: boolean;
        allowedHeaders?: string[];
        allowedMethods?: string[];
        allowedOrigins: string[];
        exposeHeaders?: string[];
        maxAge?: number;
      };
      customDomains?: ({
        bindingType?: 'Disabled' | 'SniEnabled';
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        certificateReference?: ArmReference;
        name: string;
      })[];
      exposedPort?: number;
      external?: boolean;
      ipSecurityRestrictions?: ({
        action: 'Allow' | 'Deny';
        description?: string;
        ipAddressRange: string;
        name: string;
      })[];
      stickySessions?: {
        affinity?: 'none' | 'sticky';
      };
      targetPort?: number;
      traffic?: ({
        label?: string;
        latestRevision?: boolean;
        revisionName?: string;
        weight?: number;
      })[];
      transport?: 'auto' | 'http' | 'http2' | 'tcp';
    };
    maxInactiveRevisions?: number;
    registries?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      passwordSecretRef?: string;
      server?: string;
      username?: string;
    })[];
    runtime?: {
      java?: {
        enableMetrics?: boolean;
      };
    };
    secrets?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      keyVaultUrl?: string;
      name?: string;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      value?: SecretKeyReference;
    })[];
    service?: {
      type: string;
    };
  };
  /**
   * By construct or ARM id: ManagedEnvironment.
   * @default Azure's own value
   */
  environmentReference?: ArmReference<'app.azure.com/ManagedEnvironment'>;
  /** @default Azure's own value */
  extendedLocation?: {
    name?: string;
    /**
     * Always `CustomLocation`.
     * @default Azure's own value
     */
    type?: 'CustomLocation';
  };
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
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  managedByReference?: ArmReference;
  /**
   * By construct or ARM id: ManagedEnvironment.
   * @default Azure's own value
   */
  managedEnvironmentReference?: ArmReference<'app.azure.com/ManagedEnvironment'>;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  template?: {
    containers?: ({
      args?: string[];
      command?: string[];
      env?: ({
        name?: string;
        secretRef?: string;
        value?: string;
      })[];
      image?: string;
      name?: string;
      probes?: ({
        failureThreshold?: number;
        httpGet?: {
          host?: string;
          httpHeaders?: ({
            name: string;
            value: string;
          })[];
          path?: string;
          port: number;
          scheme?: 'HTTP' | 'HTTPS';
        };
        initialDelaySeconds?: number;
        periodSeconds?: number;
        successThreshold?: number;
        tcpSocket?: {
          host?: string;
          port: number;
        };
        terminationGracePeriodSeconds?: number;
        timeoutSeconds?: number;
        type?: 'Liveness' | 'Readiness' | 'Startup';
      })[];
      resources?: {
        cpu?: number;
        memory?: string;
      };
      volumeMounts?: ({
        mountPath?: string;
        subPath?: string;
        volumeName?: string;
      })[];
    })[];
    initContainers?: ({
      args?: string[];
      command?: string[];
      env?: ({
        name?: string;
        secretRef?: string;
        value?: string;
      })[];
      image?: string;
      name?: string;
      resources?: {
        cpu?: number;
        memory?: string;
      };
      volumeMounts?: ({
        mountPath?: string;
        subPath?: string;
        volumeName?: string;
      })[];
    })[];
    revisionSuffix?: string;
    scale?: {
      cooldownPeriod?: number;
      maxReplicas?: number;
      minReplicas?: number;
      pollingInterval?: number;
      rules?: ({
        azureQueue?: {
          accountName?: string;
          auth?: ({
            secretRef?: string;
            triggerParameter?: string;
          })[];
          /**
           * By construct or ARM id: UserAssignedIdentity.
           * @default Azure's own value
           */
          identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
          queueLength?: number;
          queueName?: string;
        };
        custom?: {
          auth?: ({
            secretRef?: string;
            triggerParameter?: string;
          })[];
          /**
           * By construct or ARM id: UserAssignedIdentity.
           * @default Azure's own value
           */
          identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
          metadata?: Record<string, string>;
          type?: string;
        };
        http?: {
          auth?: ({
            secretRef?: string;
            triggerParameter?: string;
          })[];
          /**
           * By construct or ARM id: UserAssignedIdentity.
           * @default Azure's own value
           */
          identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
          metadata?: Record<string, string>;
        };
        name?: string;
        tcp?: {
          auth?: ({
            secretRef?: string;
            triggerParameter?: string;
          })[];
          /**
           * By construct or ARM id: UserAssignedIdentity.
           * @default Azure's own value
           */
          identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
          metadata?: Record<string, string>;
        };
      })[];
    };
    serviceBinds?: ({
      name?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      serviceReference?: ArmReference;
    })[];
    terminationGracePeriodSeconds?: number;
    volumes?: ({
      mountOptions?: string;
      name?: string;
      secrets?: ({
        path?: string;
        secretRef?: string;
      })[];
      storageName?: string;
      storageType?: 'AzureFile' | 'EmptyDir' | 'NfsAzureFile' | 'Secret';
    })[];
  };
  /** @default Azure's own value */
  workloadProfileName?: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'eventStreamEndpoint' | 'fqdn'>;
}

export interface ContainerApp {
  spec: ContainerAppSpec;
  status?: ArmStatus;
}
