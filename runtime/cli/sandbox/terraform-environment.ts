import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';

/** The variables by which OpenTofu's and Terraform's provider azurerm signs in to an embedded Azure. */
export function terraformEnvironment({ endpoints, subscriptionId, defaultApp }: EmbeddedAzure): Record<string, string> {
  return {
    ARM_METADATA_HOSTNAME: new URL(endpoints.arm).host,
    ARM_TENANT_ID: defaultApp.tenantId,
    ARM_SUBSCRIPTION_ID: subscriptionId,
    ARM_CLIENT_ID: defaultApp.clientId,
    ARM_CLIENT_SECRET: defaultApp.secret,
    ARM_RESOURCE_PROVIDER_REGISTRATIONS: 'none',
  };
}
