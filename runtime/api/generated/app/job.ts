// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference, WellKnownReference } from '../../common-schemas.ts';

export interface JobSpec {
  /**
   * Name in Azure. Pattern: `^[-\w\._\(\)]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  configuration?: {
    eventTriggerConfig?: {
      parallelism?: number;
      replicaCompletionCount?: number;
      scale?: {
        maxExecutions?: number;
        minExecutions?: number;
        pollingInterval?: number;
        rules?: ({
          auth?: ({
            secretRef?: string;
            triggerParameter?: string;
          })[];
          /**
           * By construct or ARM id: UserAssignedIdentity.
           * @default Azure's own value
           */
          identityReference?: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
          metadata?: Record<string, unknown>;
          name?: string;
          type?: string;
        })[];
      };
    };
    identitySettings?: ({
      /** By construct or ARM id: UserAssignedIdentity. */
      identityReference: WellKnownReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      lifecycle?: 'All' | 'Init' | 'Main' | 'None';
    })[];
    manualTriggerConfig?: {
      parallelism?: number;
      replicaCompletionCount?: number;
    };
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
    replicaRetryLimit?: number;
    replicaTimeout: number;
    scheduleTriggerConfig?: {
      cronExpression: string;
      parallelism?: number;
      replicaCompletionCount?: number;
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
    triggerType: 'Event' | 'Manual' | 'Schedule';
  };
  /**
   * By construct or ARM id: ManagedEnvironment.
   * @default Azure's own value
   */
  environmentReference?: ArmReference<'app.azure.com/ManagedEnvironment'>;
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
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Job {
  spec: JobSpec;
  status?: ArmStatus;
}
