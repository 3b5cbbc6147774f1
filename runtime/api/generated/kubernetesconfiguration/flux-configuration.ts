// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, SecretKeyReference, SecretMapReference } from '../../common-schemas.ts';

export interface FluxConfigurationSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  azureBlob?: {
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    accountKey?: SecretKeyReference;
    containerName?: string;
    localAuthRef?: string;
    managedIdentity?: {
      clientId?: string;
    };
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    sasToken?: SecretKeyReference;
    servicePrincipal?: {
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      clientCertificate?: SecretKeyReference;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      clientCertificatePassword?: SecretKeyReference;
      clientCertificateSendChain?: boolean;
      clientId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `clientId`.
       * @default Azure's own value
       */
      clientIdFromConfig?: ConfigMapKeyReference;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      clientSecret?: SecretKeyReference;
      tenantId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `tenantId`.
       * @default Azure's own value
       */
      tenantIdFromConfig?: ConfigMapKeyReference;
    };
    syncIntervalInSeconds?: number;
    timeoutInSeconds?: number;
    url?: string;
  };
  /** @default Azure's own value */
  bucket?: {
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    accessKey?: SecretKeyReference;
    bucketName?: string;
    insecure?: boolean;
    localAuthRef?: string;
    syncIntervalInSeconds?: number;
    timeoutInSeconds?: number;
    url?: string;
  };
  /**
   * All values of a Secret of this namespace.
   * @default Azure's own value
   */
  configurationProtectedSettings?: SecretMapReference;
  /** @default Azure's own value */
  gitRepository?: {
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    httpsCACert?: SecretKeyReference;
    httpsUser?: string;
    localAuthRef?: string;
    /**
     * How Flux signs in to the repository: Generic, or Azure for Azure DevOps with a workload identity.
     * @default Azure's own value
     */
    provider?: 'Azure' | 'Generic';
    repositoryRef?: {
      branch?: string;
      commit?: string;
      semver?: string;
      tag?: string;
    };
    sshKnownHosts?: string;
    syncIntervalInSeconds?: number;
    timeoutInSeconds?: number;
    url?: string;
  };
  /** @default Azure's own value */
  kustomizations?: Record<string, {
    dependsOn?: string[];
    force?: boolean;
    path?: string;
    postBuild?: {
      substitute?: Record<string, string>;
      substituteFrom?: ({
        kind?: string;
        name?: string;
        optional?: boolean;
      })[];
    };
    prune?: boolean;
    retryIntervalInSeconds?: number;
    syncIntervalInSeconds?: number;
    timeoutInSeconds?: number;
    wait?: boolean;
  }>;
  /** @default Azure's own value */
  namespace?: string;
  /**
   * The OCI repository that has the manifests.
   * @default Azure's own value
   */
  ociRepository?: {
    /**
     * Whether Flux may read the repository over plain HTTP.
     * @default Azure's own value
     */
    insecure?: boolean;
    /**
     * Which layer of the artefact Flux takes.
     * @default Azure's own value
     */
    layerSelector?: {
      /**
       * Media type of the layer; the first layer with it is taken.
       * @default Azure's own value
       */
      mediaType?: string;
      /**
       * Whether Flux unpacks the layer or takes it as it is.
       * @default Azure's own value
       */
      operation?: 'copy' | 'extract';
    };
    /**
     * Name of the Secret on the cluster that has the credentials of the repository.
     * @default Azure's own value
     */
    localAuthRef?: string;
    /**
     * Which version of the artefact Flux takes.
     * @default Azure's own value
     */
    repositoryRef?: {
      /**
       * Digest of the artefact; it is taken before semver and tag.
       * @default Azure's own value
       */
      digest?: string;
      /**
       * Range of versions; the newest tag in it is taken.
       * @default Azure's own value
       */
      semver?: string;
      /**
       * Tag of the artefact.
       * @default Azure's own value
       */
      tag?: string;
    };
    /**
     * Service account whose image pull secrets Flux uses.
     * @default Azure's own value
     */
    serviceAccountName?: string;
    /**
     * Time between two reads of the repository, in seconds.
     * @default Azure's own value
     */
    syncIntervalInSeconds?: number;
    /**
     * How long a read of the repository may take, in seconds.
     * @default Azure's own value
     */
    timeoutInSeconds?: number;
    /**
     * Certificates for the connection to the repository.
     * @default Azure's own value
     */
    tlsConfig?: {
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      caCertificate?: SecretKeyReference;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      clientCertificate?: SecretKeyReference;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      privateKey?: SecretKeyReference;
    };
    /**
     * Pattern: `^[a-zA-Z][a-zA-Z0-9+-.]*:[^\s]*$`.
     * @default Azure's own value
     */
    url?: string;
    /**
     * Whether Flux signs in to the registry with a workload identity.
     * @default Azure's own value
     */
    useWorkloadIdentity?: boolean;
    /**
     * Check of the artefact's signature.
     * @default Azure's own value
     */
    verify?: {
      /**
       * Identities of which one must have signed the artefact, for signatures without keys.
       * @default Azure's own value
       */
      matchOidcIdentity?: ({
        /**
         * Pattern for the issuer of the identity.
         * @default Azure's own value
         */
        issuer?: string;
        /**
         * Pattern for the subject of the identity.
         * @default Azure's own value
         */
        subject?: string;
      })[];
      /**
       * Tool that verifies the signature, such as cosign.
       * @default Azure's own value
       */
      provider?: string;
      /**
       * Public keys that are trusted, by name.
       * @default Azure's own value
       */
      verificationConfig?: Record<string, string>;
    };
  };
  /** @default Azure's own value */
  reconciliationWaitDuration?: string;
  /** @default Azure's own value */
  scope?: 'cluster' | 'namespace';
  /** @default Azure's own value */
  sourceKind?: 'AzureBlob' | 'Bucket' | 'GitRepository' | 'OCIRepository';
  /** @default Azure's own value */
  suspend?: boolean;
  /** @default Azure's own value */
  waitForReconciliation?: boolean;
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FluxConfiguration {
  spec: FluxConfigurationSpec;
  status?: ArmStatus;
}
