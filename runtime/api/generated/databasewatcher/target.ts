// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface TargetSpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z0-9]{1}[a-zA-Z0-9-_]{3,60}$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /**
     * The form whose `targetType` is `SqlDb`.
     * @default Azure's own value
     */
    sqlDb?: {
      /**
       * At most 200 characters.
       * @default Azure's own value
       */
      connectionServerName?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `connectionServerName`.
       * @default Azure's own value
       */
      connectionServerNameFromConfig?: ConfigMapKeyReference;
      /**
       * Whether the watcher monitors a high-availability replica of the target, if there is one.
       * @default Azure's own value
       */
      readIntent?: boolean;
      /** By construct or ARM id: ServersDatabase. */
      sqlDbResourceReference: ArmReference<'sql.azure.com/ServersDatabase'>;
      /** How the watcher signs in: by Microsoft Entra ID, or with a user and password of the server. */
      targetAuthenticationType: 'Aad' | 'Sql';
      /** Always `SqlDb`. */
      targetType: 'SqlDb';
      /**
       * The vault that has user and password, for the authentication type Sql.
       * @default Azure's own value
       */
      targetVault?: {
        /**
         * By construct or ARM id: Vault.
         * @default Azure's own value
         */
        akvResourceReference?: ArmReference<'keyvault.azure.com/Vault'>;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetPassword?: string;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetUser?: string;
      };
    };
    /**
     * The form whose `targetType` is `SqlEp`.
     * @default Azure's own value
     */
    sqlEp?: {
      /** By construct or ARM id: ServersDatabase. */
      anchorDatabaseResourceReference: ArmReference<'sql.azure.com/ServersDatabase'>;
      /**
       * At most 200 characters.
       * @default Azure's own value
       */
      connectionServerName?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `connectionServerName`.
       * @default Azure's own value
       */
      connectionServerNameFromConfig?: ConfigMapKeyReference;
      /**
       * Whether the watcher monitors a high-availability replica of the target, if there is one.
       * @default Azure's own value
       */
      readIntent?: boolean;
      /** By construct or ARM id: ServersElasticPool. */
      sqlEpResourceReference: ArmReference<'sql.azure.com/ServersElasticPool'>;
      /** How the watcher signs in: by Microsoft Entra ID, or with a user and password of the server. */
      targetAuthenticationType: 'Aad' | 'Sql';
      /** Always `SqlEp`. */
      targetType: 'SqlEp';
      /**
       * The vault that has user and password, for the authentication type Sql.
       * @default Azure's own value
       */
      targetVault?: {
        /**
         * By construct or ARM id: Vault.
         * @default Azure's own value
         */
        akvResourceReference?: ArmReference<'keyvault.azure.com/Vault'>;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetPassword?: string;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetUser?: string;
      };
    };
    /**
     * The form whose `targetType` is `SqlMi`.
     * @default Azure's own value
     */
    sqlMi?: {
      /**
       * At most 200 characters.
       * @default Azure's own value
       */
      connectionServerName?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `connectionServerName`.
       * @default Azure's own value
       */
      connectionServerNameFromConfig?: ConfigMapKeyReference;
      /**
       * TCP port of the SQL server.
       * @default Azure's own value
       */
      connectionTcpPort?: number;
      /**
       * Whether the watcher monitors a high-availability replica of the target, if there is one.
       * @default Azure's own value
       */
      readIntent?: boolean;
      /** By construct or ARM id: any resource. */
      sqlMiResourceReference: ArmReference;
      /** How the watcher signs in: by Microsoft Entra ID, or with a user and password of the server. */
      targetAuthenticationType: 'Aad' | 'Sql';
      /** Always `SqlMi`. */
      targetType: 'SqlMi';
      /**
       * The vault that has user and password, for the authentication type Sql.
       * @default Azure's own value
       */
      targetVault?: {
        /**
         * By construct or ARM id: Vault.
         * @default Azure's own value
         */
        akvResourceReference?: ArmReference<'keyvault.azure.com/Vault'>;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetPassword?: string;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetUser?: string;
      };
    };
    /**
     * The form whose `targetType` is `SqlVm`.
     * @default Azure's own value
     */
    sqlVm?: {
      /**
       * At most 200 characters.
       * @default Azure's own value
       */
      connectionServerName?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `connectionServerName`.
       * @default Azure's own value
       */
      connectionServerNameFromConfig?: ConfigMapKeyReference;
      /**
       * TCP port of the SQL server.
       * @default Azure's own value
       */
      connectionTcpPort?: number;
      /**
       * Name of the SQL Server instance on the machine.
       * @default Azure's own value
       */
      sqlNamedInstanceName?: string;
      /** By construct or ARM id: any resource. */
      sqlVmResourceReference: ArmReference;
      /** How the watcher signs in: by Microsoft Entra ID, or with a user and password of the server. */
      targetAuthenticationType: 'Aad' | 'Sql';
      /** Always `SqlVm`. */
      targetType: 'SqlVm';
      /**
       * The vault that has user and password, for the authentication type Sql.
       * @default Azure's own value
       */
      targetVault?: {
        /**
         * By construct or ARM id: Vault.
         * @default Azure's own value
         */
        akvResourceReference?: ArmReference<'keyvault.azure.com/Vault'>;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetPassword?: string;
        /**
         * Pattern: `^[a-zA-Z0-9-]{1,127}$`.
         * @default Azure's own value
         */
        akvTargetUser?: string;
      };
    };
  };
  /** The Watcher that it is in, by construct or ARM id. */
  owner: KnownOwner<'databasewatcher.azure.com/Watcher'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Target {
  spec: TargetSpec;
  status?: ArmStatus;
}
