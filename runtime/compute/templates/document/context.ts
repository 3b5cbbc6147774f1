import type { ContextValues, KnownAnswer, ScopeValues } from '../evaluation/scope.ts';
import type { AnswerReads } from '../values/answer-reads.ts';
import { fromJson, type TemplateObject, type TemplateValue, templateObject, Unknown } from '../values/value.ts';
import type { DeploymentScope } from './deployments/deployment-scope.ts';

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

/** The identity that deploys. */
export interface Deployer {
  readonly objectId: string;
  readonly tenantId: string;
}

/** Stands in `waitsFor` for `deployer()`, which only the operator knows. */
export const deployerId = 'deployer()';

/** The deployment for which a template is expanded. Its scope is that of `$schema`. */
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
  /** For templates of a management group. @default refused */
  readonly managementGroup?: { readonly name: string };
  /** `uri`: where the template comes from, for `deployment().properties.templateLink`. @default a file */
  readonly deployment: { readonly name: string; readonly uri?: string };
  /** The text of a linked template, by its URI, its path relative to this template, or the id of a template spec. @default none */
  readonly linkedTemplate?: (name: string) => string | undefined;
  /** Whether deployments in the template are resources of it, of any scope, and are not expanded. @default false */
  readonly keepsDeployments?: boolean;
  /** @default not known: `deployer().objectId` is an error, and the tenant that of the subscription */
  readonly deployer?: Deployer | 'known after apply';
  /** The value of `environment()`. @default that of the public cloud */
  readonly environment?: Readonly<Record<string, unknown>>;
  /** By name, ignoring case. */
  readonly parameters?: Readonly<Record<string, ParameterInput>>;
  /** Azure's answers by ARM id, which decide names and counts too. @default none */
  readonly known?: Readonly<Record<string, KnownAnswer>>;
  /** Gets the parts of `known` that the expansion reads. @default not collected */
  readonly reads?: AnswerReads;
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

/** The URI of a template without one of its own: links relative to it are paths of a folder. */
export const fileOfTemplate = 'file:///template.json';

/** The values of `resourceGroup()` and its like. Throws RangeError for an environment with too many levels. */
export function contextValues(context: TemplateContext, scope: DeploymentScope): ContextValues {
  const { subscription, resourceGroup, deployment, environment = publicCloud, now, newGuid } = context;
  const { subscriptionId, tenantId, displayName = subscriptionId } = subscription;
  const { uri = fileOfTemplate } = deployment;
  const link = { templateLink: { uri } };
  const values = {
    root: { resourceGroup, subscriptionId, displayName },
    tenant: object({ id: `/tenants/${tenantId}`, tenantId }),
    deployer: deployerValue(context.deployer, tenantId),
    deployment: deploymentValue(deployment.name, {
      link,
      ...(scope.kind !== 'resource group' && { location: resourceGroup.location }),
    }),
    environment: object(environment),
    now,
    newGuid,
  };
  return valuesAt(scope, values);
}

/** The value of `deployer()`. No credential of the operator is that of a user, so that the name of a user is empty. */
function deployerValue(deployer: TemplateContext['deployer'], tenantId: string): TemplateObject {
  if (deployer !== 'known after apply') return object({ tenantId, userPrincipalName: '', ...deployer });
  const unknown = (member: string): Unknown => {
    const value: Unknown = new Unknown(`${deployerId}.${member}`, [deployerId], () => value);
    return value;
  };
  const members = ['objectId', 'tenantId'].map((member): [string, TemplateValue] => [member, unknown(member)]);
  return templateObject([...members, ['userPrincipalName', '']]);
}

/** The value of `deployment()` for one of this name. */
export function deploymentValue(
  name: string,
  { link = {}, location }: { readonly link?: object; readonly location?: TemplateValue } = {},
): TemplateObject {
  const properties = object({ mode: 'Incremental', provisioningState: 'Accepted', ...link });
  return templateObject(Object.entries({ name, ...(location !== undefined && { location }), properties }));
}

const object = (value: unknown) => fromJson(value) as TemplateObject;

/** The values of another scope of the same run: `resourceGroup()`, `subscription()` and `managementGroup()` are its own. */
export function valuesAt(scope: DeploymentScope, values: Omit<ContextValues, keyof ScopeValues>): ContextValues {
  const { resourceGroup: group, subscriptionId: rootSubscription, displayName } = values.root;
  const { subscriptionId, resourceGroup, managementGroup } = scope;
  const tenantId = values.tenant['tenantId'];
  const isRoot = subscriptionId === rootSubscription && resourceGroup?.toLowerCase() === group.name.toLowerCase();
  return {
    ...values,
    scope,
    subscriptionId: subscriptionId ?? rootSubscription,
    resourceGroup:
      resourceGroup === undefined
        ? undefined
        : object({
            id: scope.id,
            name: resourceGroup,
            type: 'Microsoft.Resources/resourceGroups',
            location: isRoot ? group.location : values.groupLocation?.(scope.id),
            tags: isRoot ? (group.tags ?? {}) : {},
            properties: { provisioningState: 'Succeeded' },
          }),
    subscription:
      subscriptionId === undefined
        ? undefined
        : object({
            id: `/subscriptions/${subscriptionId}`,
            subscriptionId,
            tenantId,
            displayName: subscriptionId === rootSubscription ? displayName : subscriptionId,
          }),
    managementGroup:
      managementGroup === undefined
        ? undefined
        : object({
            id: scope.id,
            name: managementGroup,
            type: '/providers/Microsoft.Management/managementGroups',
            properties: { displayName: managementGroup, tenantId },
          }),
  };
}
