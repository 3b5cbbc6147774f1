/** Variables without a flag: credentials belong in the environment, never on a command line. */
export const credentialVariables: Readonly<Record<string, string>> = {
  AZURE_SUBSCRIPTION_ID: 'subscription of resources that do not name another',
  AZURE_TENANT_ID: 'tenant of the credential',
  AZURE_CLIENT_ID: 'client id of the credential; alone it names a managed identity',
  AZURE_CLIENT_SECRET: 'client secret',
  AZURE_CLIENT_CERTIFICATE: 'client certificate and key: PEM, or PKCS#12 in base64',
  AZURE_CLIENT_CERTIFICATE_PATH: 'file with the same',
  AZURE_CLIENT_CERTIFICATE_PASSWORD: 'password of the certificate',
  AZURE_FEDERATED_TOKEN_FILE: 'service account token for workload federation',
  USE_WORKLOAD_IDENTITY_AUTH: 'true: workload federation with the default token file',
  AZURE_USE_MI: 'true: managed identity, whatever else is set',
  AZURE_ADDITIONAL_TENANTS: 'further tenants of the credential',
  AZURE_ENVIRONMENT: 'AzurePublicCloud, AzureUSGovernmentCloud or AzureChinaCloud',
  AZURE_AUTHORITY_HOST: "Microsoft Entra ID's address in another cloud",
  AZURE_RESOURCE_MANAGER_ENDPOINT: "Resource Manager's address in another cloud",
  AZURE_RESOURCE_MANAGER_AUDIENCE: "audience of Resource Manager's tokens in another cloud",
  OTEL_EXPORTER_OTLP_HEADERS: 'headers for the collector of spans, such as its key: name=value, separated by commas',
};
