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
    dataSourceInfo: {
      datasourceType?: string;
      objectType?: string;
      resourceLocation?: string;
      resourceName?: string;
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
      resourceType?: string;
      resourceUri?: string;
    };
    /** @default Azure's own value */
    dataSourceSetInfo?: {
      datasourceType?: string;
      objectType?: string;
      resourceLocation?: string;
      resourceName?: string;
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
      resourceType?: string;
      resourceUri?: string;
    };
    /** @default Azure's own value */
    datasourceAuthCredentials?: {
      /**
       * The form whose `objectType` is `SecretStoreBasedAuthCredentials`.
       * @default Azure's own value
       */
      secretStoreBasedAuthCredentials?: {
        /** Always `SecretStoreBasedAuthCredentials`. */
        objectType: 'SecretStoreBasedAuthCredentials';
        secretStoreResource?: {
          secretStoreType: 'AzureKeyVault' | 'Invalid';
          uri?: string;
          value?: string;
        };
      };
    };
    /** @default Azure's own value */
    friendlyName?: string;
    /** @default Azure's own value */
    identityDetails?: {
      useSystemAssignedIdentity?: boolean;
      userAssignedIdentityArmUrl?: string;
    };
    objectType: string;
    policyInfo: {
      policyParameters?: {
        backupDatasourceParametersList?: ({
          /**
           * The form whose `objectType` is `BlobBackupDatasourceParameters`.
           * @default Azure's own value
           */
          blobBackupDatasourceParameters?: {
            containersList: string[];
            /** Always `BlobBackupDatasourceParameters`. */
            objectType: 'BlobBackupDatasourceParameters';
          };
          /**
           * The form whose `objectType` is `KubernetesClusterBackupDatasourceParameters`.
           * @default Azure's own value
           */
          kubernetesClusterBackupDatasourceParameters?: {
            backupHookReferences?: ({
              name?: string;
              namespace?: string;
            })[];
            excludedNamespaces?: string[];
            excludedResourceTypes?: string[];
            includeClusterScopeResources: boolean;
            includedNamespaces?: string[];
            includedResourceTypes?: string[];
            labelSelectors?: string[];
            /** Always `KubernetesClusterBackupDatasourceParameters`. */
            objectType: 'KubernetesClusterBackupDatasourceParameters';
            snapshotVolumes: boolean;
          };
        })[];
        dataStoreParametersList?: ({
          /**
           * The form whose `objectType` is `AzureOperationalStoreParameters`.
           * @default Azure's own value
           */
          azureOperationalStoreParameters?: {
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
    /** @default Azure's own value */
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
