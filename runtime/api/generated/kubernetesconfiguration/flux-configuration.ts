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
  /** @default Azure's own value */
  ociRepository?: {
    insecure?: boolean;
    layerSelector?: {
      mediaType?: string;
      operation?: 'copy' | 'extract';
    };
    localAuthRef?: string;
    repositoryRef?: {
      digest?: string;
      semver?: string;
      tag?: string;
    };
    serviceAccountName?: string;
    syncIntervalInSeconds?: number;
    timeoutInSeconds?: number;
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
    useWorkloadIdentity?: boolean;
    verify?: {
      matchOidcIdentity?: ({
        issuer?: string;
        subject?: string;
      })[];
      provider?: string;
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
