import type { ContextValues } from '../evaluation/scope.ts';
import { fromJson, type TemplateObject } from '../values/value.ts';

/** The value that the caller gives a parameter. The values of the last three forms are never read. */
export type ParameterInput =
  | { readonly value: unknown }
  | {
      readonly reference: {
        readonly keyVault: { readonly id: string };
        readonly secretName: string;
        /** @default the newest one */
        readonly secretVersion?: string;
      };
    }
  | { readonly managedSecret: string }
  /** A value of a Kubernetes Secret of the namespace. */
  | { readonly secretKeyRef: { readonly name: string; readonly key: string } };

/** The deployment for which a template is expanded, into a resource group. */
export interface TemplateContext {
  readonly subscription: {
    readonly subscriptionId: string;
    readonly tenantId: string;
    /** @default the id */
    readonly displayName?: string;
  };
  readonly resourceGroup: {
    /** In the spelling of Azure: `uniqueString(resourceGroup().id)` depends on its case. */
    readonly name: string;
    /** westeurope */
    readonly location: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
  readonly deployment: { readonly name: string };
  /** The object id of the identity that deploys. @default not known: `deployer().objectId` is an error */
  readonly deployer?: { readonly objectId: string };
  /** The value of `environment()`. @default that of the public cloud */
  readonly environment?: Readonly<Record<string, unknown>>;
  /** By name, ignoring case. */
  readonly parameters?: Readonly<Record<string, ParameterInput>>;
  /** Milliseconds since 1970, for `utcNow()`. A goal keeps it, so that each expansion gives the same. */
  readonly now: number;
  /** GUIDs for `newGuid()`, in the order of calls. */
  readonly newGuid: () => string;
}

/** The public cloud, as `environment()` shows it. */
const publicCloud = {
  name: 'AzureCloud',
  gallery: 'https://gallery.azure.com/',
  graph: 'https://graph.windows.net/',
  graphAudience: 'https://graph.windows.net/',
  activeDirectoryDataLake: 'https://datalake.azure.net/',
  batch: 'https://batch.core.windows.net/',
  media: 'https://rest.media.azure.net',
  portal: 'https://portal.azure.com',
  resourceManager: 'https://management.azure.com/',
  sqlManagement: 'https://management.core.windows.net:8443/',
  vmImageAliasDoc:
    'https://raw.githubusercontent.com/Azure/azure-rest-api-specs/master/arm-compute/quickstart-templates/aliases.json',
  authentication: {
    audiences: ['https://management.core.windows.net/', 'https://management.azure.com/'],
    identityProvider: 'AAD',
    loginEndpoint: 'https://login.microsoftonline.com/',
    tenant: 'common',
  },
  suffixes: {
    acrLoginServer: '.azurecr.io',
    azureDatalakeAnalyticsCatalogAndJob: 'azuredatalakeanalytics.net',
    azureDatalakeStoreFileSystem: 'azuredatalakestore.net',
    azureFrontDoorEndpointSuffix: 'azurefd.net',
    keyvaultDns: '.vault.azure.net',
    sqlServerHostname: '.database.windows.net',
    storage: 'core.windows.net',
  },
};

/** The values of `resourceGroup()` and its like. Throws RangeError for an environment with too many levels. */
export function contextValues(context: TemplateContext): ContextValues {
  const { subscription, resourceGroup, deployment, environment = publicCloud, now, newGuid } = context;
  const { subscriptionId, tenantId, displayName = subscriptionId } = subscription;
  const subscriptionPath = `/subscriptions/${subscriptionId}`;
  const object = (value: unknown) => fromJson(value) as TemplateObject;
  return {
    subscriptionId,
    resourceGroupName: resourceGroup.name,
    resourceGroup: object({
      id: `${subscriptionPath}/resourceGroups/${resourceGroup.name}`,
      name: resourceGroup.name,
      type: 'Microsoft.Resources/resourceGroups',
      location: resourceGroup.location,
      tags: resourceGroup.tags ?? {},
      properties: { provisioningState: 'Succeeded' },
    }),
    subscription: object({ id: subscriptionPath, subscriptionId, tenantId, displayName }),
    tenant: object({ tenantId }),
    deployer: object({ tenantId, ...context.deployer }),
    deployment: object({ name: deployment.name, properties: { mode: 'Incremental', provisioningState: 'Accepted' } }),
    environment: object(environment),
    now,
    newGuid,
  };
}
