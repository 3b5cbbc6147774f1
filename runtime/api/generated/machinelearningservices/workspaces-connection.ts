// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference, SecretMapReference } from '../../common-schemas.ts';

export interface WorkspacesConnectionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Only in v1api20210701.
   * @default Azure's own value
   */
  authType?: string;
  /**
   * Only in v1api20210701.
   * @default Azure's own value
   */
  category?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /**
     * The form whose `authType` is `AAD`.
     * @default Azure's own value
     */
    aad?: {
      /** Always `AAD`. */
      authType: 'AAD';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `AccessKey`.
     * @default Azure's own value
     */
    accessKey?: {
      /** Always `AccessKey`. */
      authType: 'AccessKey';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * Id of the access key.
         * @default Azure's own value
         */
        accessKeyId?: string;
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        secretAccessKey?: SecretKeyReference;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `AccountKey`.
     * @default Azure's own value
     */
    accountKey?: {
      /** Always `AccountKey`. */
      authType: 'AccountKey';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        key?: SecretKeyReference;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `ApiKey`.
     * @default Azure's own value
     */
    apiKey?: {
      /** Always `ApiKey`. */
      authType: 'ApiKey';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        key?: SecretKeyReference;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `CustomKeys`.
     * @default Azure's own value
     */
    customKeys?: {
      /** Always `CustomKeys`. */
      authType: 'CustomKeys';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * All values of a Secret of this namespace.
         * @default Azure's own value
         */
        keys?: SecretMapReference;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `ManagedIdentity`.
     * @default Azure's own value
     */
    managedIdentity?: {
      /** Always `ManagedIdentity`. */
      authType: 'ManagedIdentity';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * Client id in Microsoft Entra ID.
         * @default Azure's own value
         */
        clientId?: string;
        /**
         * A value of a ConfigMap of this namespace, in place of `clientId`.
         * @default Azure's own value
         */
        clientIdFromConfig?: ConfigMapKeyReference;
        /**
         * By construct or ARM id: UserAssignedIdentity.
         * @default Azure's own value
         */
        resourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `None`.
     * @default Azure's own value
     */
    none?: {
      /** Always `None`. */
      authType: 'None';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `OAuth2`.
     * @default Azure's own value
     */
    oAuth2?: {
      /** Always `OAuth2`. */
      authType: 'OAuth2';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * Pattern: `^https?://[^\s]+$`.
         * @default Azure's own value
         */
        authUrl?: string;
        /**
         * Client id in Microsoft Entra ID. Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
         * @default Azure's own value
         */
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
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        developerToken?: SecretKeyReference;
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        password?: SecretKeyReference;
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        refreshToken?: SecretKeyReference;
        /**
         * Tenant in Microsoft Entra ID.
         * @default Azure's own value
         */
        tenantId?: string;
        /**
         * A value of a ConfigMap of this namespace, in place of `tenantId`.
         * @default Azure's own value
         */
        tenantIdFromConfig?: ConfigMapKeyReference;
        /**
         * Name of the user.
         * @default Azure's own value
         */
        username?: string;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `PAT`.
     * @default Azure's own value
     */
    pat?: {
      /** Always `PAT`. */
      authType: 'PAT';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        pat?: SecretKeyReference;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `SAS`.
     * @default Azure's own value
     */
    sas?: {
      /** Always `SAS`. */
      authType: 'SAS';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        sas?: SecretKeyReference;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `ServicePrincipal`.
     * @default Azure's own value
     */
    servicePrincipal?: {
      /** Always `ServicePrincipal`. */
      authType: 'ServicePrincipal';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * Client id in Microsoft Entra ID.
         * @default Azure's own value
         */
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
        /**
         * Tenant in Microsoft Entra ID.
         * @default Azure's own value
         */
        tenantId?: string;
        /**
         * A value of a ConfigMap of this namespace, in place of `tenantId`.
         * @default Azure's own value
         */
        tenantIdFromConfig?: ConfigMapKeyReference;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
    /**
     * The form whose `authType` is `UsernamePassword`.
     * @default Azure's own value
     */
    usernamePassword?: {
      /** Always `UsernamePassword`. */
      authType: 'UsernamePassword';
      category?: 'ADLSGen2' | 'AIServices' | 'AmazonMws' | 'AmazonRdsForOracle' | 'AmazonRdsForSqlServer' | 'AmazonRedshift' | 'AmazonS3Compatible' | 'ApiKey' | 'AzureBlob' | 'AzureDataExplorer' | 'AzureDatabricksDeltaLake' | 'AzureMariaDb' | 'AzureMySqlDb' | 'AzureOneLake' | 'AzureOpenAI' | 'AzurePostgresDb' | 'AzureSqlDb' | 'AzureSqlMi' | 'AzureSynapseAnalytics' | 'AzureTableStorage' | 'BingLLMSearch' | 'Cassandra' | 'CognitiveSearch' | 'CognitiveService' | 'Concur' | 'ContainerRegistry' | 'CosmosDb' | 'CosmosDbMongoDbApi' | 'Couchbase' | 'CustomKeys' | 'Db2' | 'Drill' | 'Dynamics' | 'DynamicsAx' | 'DynamicsCrm' | 'Eloqua' | 'FileServer' | 'FtpServer' | 'GenericContainerRegistry' | 'GenericHttp' | 'GenericRest' | 'Git' | 'GoogleAdWords' | 'GoogleBigQuery' | 'GoogleCloudStorage' | 'Greenplum' | 'Hbase' | 'Hdfs' | 'Hive' | 'Hubspot' | 'Impala' | 'Informix' | 'Jira' | 'Magento' | 'MariaDb' | 'Marketo' | 'MicrosoftAccess' | 'MongoDbAtlas' | 'MongoDbV2' | 'MySql' | 'Netezza' | 'ODataRest' | 'Odbc' | 'Office365' | 'OpenAI' | 'Oracle' | 'OracleCloudStorage' | 'OracleServiceCloud' | 'PayPal' | 'Phoenix' | 'PostgreSql' | 'Presto' | 'PythonFeed' | 'QuickBooks' | 'Redis' | 'Responsys' | 'S3' | 'Salesforce' | 'SalesforceMarketingCloud' | 'SalesforceServiceCloud' | 'SapBw' | 'SapCloudForCustomer' | 'SapEcc' | 'SapHana' | 'SapOpenHub' | 'SapTable' | 'Serp' | 'Serverless' | 'ServiceNow' | 'Sftp' | 'SharePointOnlineList' | 'Shopify' | 'Snowflake' | 'Spark' | 'SqlServer' | 'Square' | 'Sybase' | 'Teradata' | 'Vertica' | 'WebTable' | 'Xero' | 'Zoho';
      /**
       * Credentials of the connection.
       * @default Azure's own value
       */
      credentials?: {
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        password?: SecretKeyReference;
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        securityToken?: SecretKeyReference;
        /**
         * Name of the user.
         * @default Azure's own value
         */
        username?: string;
      };
      /**
       * When the connection expires, in ISO 8601.
       * @default Azure's own value
       */
      expiryTime?: string;
      /**
       * For a connection of a project: whether the other projects of its hub can use it.
       * @default Azure's own value
       */
      isSharedToAll?: boolean;
      /**
       * Further data of the connection, by name.
       * @default Azure's own value
       */
      metadata?: Record<string, string>;
      /**
       * Users with whom the connection is shared.
       * @default Azure's own value
       */
      sharedUserList?: string[];
      /**
       * Address or id to which the connection leads.
       * @default Azure's own value
       */
      target?: string;
      value?: string;
      /**
       * Always `JSON`.
       * @default Azure's own value
       */
      valueFormat?: 'JSON';
    };
  };
  /**
   * Only in v1api20210701.
   * @default Azure's own value
   */
  target?: string;
  /**
   * Only in v1api20210701.
   * @default Azure's own value
   */
  value?: string;
  /**
   * Always `JSON`. Only in v1api20210701.
   * @default Azure's own value
   */
  valueFormat?: 'JSON';
  /** The Workspace that it is in, by construct or ARM id. */
  owner: KnownOwner<'machinelearningservices.azure.com/Workspace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface WorkspacesConnection {
  spec: WorkspacesConnectionSpec;
  status?: ArmStatus;
}
