// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface BackupVaultsBackupInstanceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  properties?: {
    dataSourceInfo: {
      datasourceType?: string;
      objectType?: string;
      resourceLocation?: string;
      resourceName?: string;
      resourceProperties?: {
        defaultResourceProperties?: {
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
        defaultResourceProperties?: {
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
      secretStoreBasedAuthCredentials?: {
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
          blobBackupDatasourceParameters?: {
            containersList: string[];
            objectType: 'BlobBackupDatasourceParameters';
          };
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
            objectType: 'KubernetesClusterBackupDatasourceParameters';
            snapshotVolumes: boolean;
          };
        })[];
        dataStoreParametersList?: ({
          azureOperationalStoreParameters?: {
            dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
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
