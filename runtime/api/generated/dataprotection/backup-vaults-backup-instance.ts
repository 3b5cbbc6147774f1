// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface BackupVaultsBackupInstanceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** The resource that is backed up. */
    dataSourceInfo: {
      /**
       * Type of the resource as Azure Backup names it, such as Microsoft.Storage/storageAccounts/blobServices.
       * @default Azure's own value
       */
      datasourceType?: string;
      /**
       * Name of Azure's model of this object.
       * @default Azure's own value
       */
      objectType?: string;
      /**
       * Azure region of the resource.
       * @default Azure's own value
       */
      resourceLocation?: string;
      /**
       * Name of the resource.
       * @default Azure's own value
       */
      resourceName?: string;
      /**
       * Properties of the resource for its backup.
       * @default Azure's own value
       */
      resourceProperties?: {
        /**
         * The form whose `objectType` is `DefaultResourceProperties`.
         * @default Azure's own value
         */
        defaultResourceProperties?: {
          /** Always `DefaultResourceProperties`. */
          objectType: 'DefaultResourceProperties';
        };
      };
      /** By construct or ARM id: any resource. */
      resourceReference: ArmReference;
      /**
       * Type of the resource in Azure.
       * @default Azure's own value
       */
      resourceType?: string;
      /**
       * Address of the resource.
       * @default Azure's own value
       */
      resourceUri?: string;
    };
    /**
     * The resource that contains the one that is backed up, such as the server of a database.
     * @default Azure's own value
     */
    dataSourceSetInfo?: {
      /**
       * Type of the resource as Azure Backup names it, such as Microsoft.Storage/storageAccounts/blobServices.
       * @default Azure's own value
       */
      datasourceType?: string;
      /**
       * Name of Azure's model of this object.
       * @default Azure's own value
       */
      objectType?: string;
      /**
       * Azure region of the resource.
       * @default Azure's own value
       */
      resourceLocation?: string;
      /**
       * Name of the resource.
       * @default Azure's own value
       */
      resourceName?: string;
      /**
       * Properties of the resource for its backup.
       * @default Azure's own value
       */
      resourceProperties?: {
        /**
         * The form whose `objectType` is `DefaultResourceProperties`.
         * @default Azure's own value
         */
        defaultResourceProperties?: {
          /** Always `DefaultResourceProperties`. */
          objectType: 'DefaultResourceProperties';
        };
      };
      /** By construct or ARM id: any resource. */
      resourceReference: ArmReference;
      /**
       * Type of the resource in Azure.
       * @default Azure's own value
       */
      resourceType?: string;
      /**
       * Address of the resource.
       * @default Azure's own value
       */
      resourceUri?: string;
    };
    /**
     * Credentials with which Azure Backup signs in to the data source.
     * @default Azure's own value
     */
    datasourceAuthCredentials?: {
      /**
       * The form whose `objectType` is `SecretStoreBasedAuthCredentials`.
       * @default Azure's own value
       */
      secretStoreBasedAuthCredentials?: {
        /** Always `SecretStoreBasedAuthCredentials`. */
        objectType: 'SecretStoreBasedAuthCredentials';
        /**
         * The secret that has the credentials.
         * @default Azure's own value
         */
        secretStoreResource?: {
          /** Kind of the store that has the secret. */
          secretStoreType: 'AzureKeyVault' | 'Invalid';
          /**
           * Address of the secret.
           * @default Azure's own value
           */
          uri?: string;
          /**
           * Value of the secret in the store.
           * @default Azure's own value
           */
          value?: string;
        };
      };
    };
    /**
     * Name of the backup instance for people.
     * @default Azure's own value
     */
    friendlyName?: string;
    /**
     * The identity of the vault with which it reads the data source.
     * @default Azure's own value
     */
    identityDetails?: {
      /**
       * Whether the vault uses its own identity.
       * @default Azure's own value
       */
      useSystemAssignedIdentity?: boolean;
      /**
       * ARM id of the user-assigned identity that the vault uses.
       * @default Azure's own value
       */
      userAssignedIdentityArmUrl?: string;
    };
    /** Name of Azure's model of this object. */
    objectType: string;
    /** The policy of the backups, and its parameters. */
    policyInfo: {
      /**
       * Parameters of the policy for this data source.
       * @default Azure's own value
       */
      policyParameters?: {
        /**
         * What is backed up of the data source.
         * @default Azure's own value
         */
        backupDatasourceParametersList?: ({
          /**
           * The form whose `objectType` is `BlobBackupDatasourceParameters`.
           * @default Azure's own value
           */
          blobBackupDatasourceParameters?: {
            /** Names of the containers that are backed up. */
            containersList: string[];
            /** Always `BlobBackupDatasourceParameters`. */
            objectType: 'BlobBackupDatasourceParameters';
          };
          /**
           * The form whose `objectType` is `KubernetesClusterBackupDatasourceParameters`.
           * @default Azure's own value
           */
          kubernetesClusterBackupDatasourceParameters?: {
            /**
             * Hooks that run before and after the backup.
             * @default Azure's own value
             */
            backupHookReferences?: ({
              /**
               * Name of the hook.
               * @default Azure's own value
               */
              name?: string;
              /**
               * Namespace of the hook.
               * @default Azure's own value
               */
              namespace?: string;
            })[];
            /**
             * Namespaces that are not backed up.
             * @default Azure's own value
             */
            excludedNamespaces?: string[];
            /**
             * Kinds of objects that are not backed up.
             * @default Azure's own value
             */
            excludedResourceTypes?: string[];
            /** Whether objects without a namespace are backed up. */
            includeClusterScopeResources: boolean;
            /**
             * Namespaces that are backed up; all where none is named.
             * @default Azure's own value
             */
            includedNamespaces?: string[];
            /**
             * Kinds of objects that are backed up; all where none is named.
             * @default Azure's own value
             */
            includedResourceTypes?: string[];
            /**
             * Labels that objects must have to be backed up.
             * @default Azure's own value
             */
            labelSelectors?: string[];
            /** Always `KubernetesClusterBackupDatasourceParameters`. */
            objectType: 'KubernetesClusterBackupDatasourceParameters';
            /** Whether volumes are backed up, as snapshots. */
            snapshotVolumes: boolean;
          };
        })[];
        /**
         * Parameters of the stores of the backups.
         * @default Azure's own value
         */
        dataStoreParametersList?: ({
          /**
           * The form whose `objectType` is `AzureOperationalStoreParameters`.
           * @default Azure's own value
           */
          azureOperationalStoreParameters?: {
            /** Which store the parameters are for. */
            dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
            /** Always `AzureOperationalStoreParameters`. */
            objectType: 'AzureOperationalStoreParameters';
            /**
             * By construct or ARM id: any resource.
             * @default Azure's own value
             */
            resourceGroupReference?: ArmReference;
          };
        })[];
      };
      /** By construct or ARM id: BackupVaultsBackupPolicy. */
      policyReference: ArmReference<'dataprotection.azure.com/BackupVaultsBackupPolicy'>;
    };
    /**
     * How thoroughly Azure checks the request before it protects the data source.
     * @default Azure's own value
     */
    validationType?: 'DeepValidation' | 'ShallowValidation';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The BackupVault that it is in, by construct or ARM id. */
  owner: KnownOwner<'dataprotection.azure.com/BackupVault'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface BackupVaultsBackupInstance {
  spec: BackupVaultsBackupInstanceSpec;
  status?: ArmStatus;
}
