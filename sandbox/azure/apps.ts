import { expected } from '../../runtime/base/errors.ts';
import { assignmentName, roleDefinitionByName } from './arm/roles/role-definitions.ts';
import type { Ids } from './ids.ts';
import type { FederatedCredential, SandboxState } from './state.ts';

/** The application to register in Microsoft Entra ID; every member has a default. */
export interface RegisterAppOptions {
  readonly displayName?: string;
  /** @default the sandbox's first tenant */
  readonly tenantId?: string;
  /** @default a new one */
  readonly clientId?: string;
  readonly objectId?: string;
  /** A client secret; `null` = none. @default a new one */
  readonly secret?: string | null;
  /** Milliseconds since the epoch. @default never */
  readonly secretExpiresAt?: number;
  /** Certificates the app may sign with, PEM. */
  readonly certificates?: readonly string[];
  readonly federated?: readonly FederatedCredential[];
  /** Permissions of the application in Microsoft Graph, such as `Group.ReadWrite.All`. @default all */
  readonly graphPermissions?: readonly string[];
  /** Built-in roles to assign, by name. */
  readonly roles?: readonly { readonly role: string; readonly scope: string }[];
}

/** A registered application, with the credentials that sign it in. */
export interface RegisteredApp {
  readonly clientId: string;
  /** Object id of its service principal. */
  readonly objectId: string;
  readonly tenantId: string;
  readonly secret: string;
}

interface Registry {
  readonly state: SandboxState;
  readonly ids: Ids;
  readonly now: number;
  readonly tenantId: string;
}

/** Registers an app with its service principal, or replaces the one with the same client id. */
export function registerApp(registry: Registry, options: RegisterAppOptions): RegisteredApp {
  const { state, ids, now } = registry;
  const tenantId = options.tenantId ?? registry.tenantId;
  const clientId = options.clientId ?? ids.uuid();
  const objectId = options.objectId ?? state.apps[clientId.toLowerCase()]?.objectId ?? ids.uuid();
  const secret = options.secret === null ? '' : (options.secret ?? ids.bytes(30).toString('base64url'));
  state.apps[clientId.toLowerCase()] = {
    clientId,
    objectId,
    tenantId,
    displayName: options.displayName ?? clientId,
    createdAt: now,
    secrets: secret
      ? [{ value: secret, ...(options.secretExpiresAt ? { expiresAt: options.secretExpiresAt } : {}) }]
      : [],
    certificates: [...(options.certificates ?? [])],
    federated: (options.federated ?? []).map((credential) => ({ ...credential })),
    ...(options.graphPermissions ? { graphPermissions: [...options.graphPermissions] } : {}),
  };
  for (const { role, scope } of options.roles ?? []) assignRole(registry, objectId, role, scope);
  return { clientId, objectId, tenantId, secret };
}

/** Assigns a built-in role by name to an object id or an app's client id, as an ARM resource like any other assignment. */
export function assignRole(registry: Registry, assignee: string, role: string, scope: string): void {
  const principalId = registry.state.apps[assignee.toLowerCase()]?.objectId ?? assignee;
  const definition = roleDefinitionByName(role);
  if (!definition) throw expected('role', 'the name of a built-in role', role);
  const name = assignmentName(scope, principalId, definition.id);
  const id = `${scope === '/' ? '' : scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
  const time = new Date(registry.now).toISOString();
  registry.state.resources.set({
    id,
    name,
    type: 'Microsoft.Authorization/roleAssignments',
    subscriptionId: /^\/subscriptions\/([^/]+)/i.exec(scope)?.[1] ?? '',
    body: {
      properties: {
        roleDefinitionId: `${scope === '/' ? '' : scope}/providers/Microsoft.Authorization/roleDefinitions/${definition.id}`,
        principalId,
        principalType: 'ServicePrincipal',
        scope,
        createdOn: time,
        updatedOn: time,
        createdBy: principalId,
        updatedBy: principalId,
      },
    },
    system: {},
    createdAt: registry.now,
    changedAt: registry.now,
  });
}

/** The environment in which programs sign in as `app`, and find this Azure instead of the public one. */
export function environmentOf(
  app: RegisteredApp,
  azure: {
    readonly subscriptionId: string;
    readonly endpoints: Readonly<Record<'aad' | 'arm' | 'graph' | 'imds' | 'vaultSuffix' | 'blob' | 'queue', string>>;
    readonly caFile: string;
  },
): Record<string, string> {
  const { endpoints } = azure;
  return {
    AZURE_TENANT_ID: app.tenantId,
    AZURE_SUBSCRIPTION_ID: azure.subscriptionId,
    AZURE_CLIENT_ID: app.clientId,
    ...(app.secret ? { AZURE_CLIENT_SECRET: app.secret } : {}),
    AZURE_AUTHORITY_HOST: endpoints.aad,
    AZURE_RESOURCE_MANAGER_ENDPOINT: endpoints.arm,
    AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.azure.com',
    AZURE_MICROSOFT_GRAPH_ENDPOINT: endpoints.graph,
    AZURE_POD_IDENTITY_AUTHORITY_HOST: endpoints.imds,
    AZURE_KEYVAULT_DNS_SUFFIX: endpoints.vaultSuffix,
    AZURE_KEYVAULT_AUDIENCE: 'https://vault.localhost',
    AZURE_STORAGE_BLOB_ENDPOINT: endpoints.blob,
    AZURE_STORAGE_QUEUE_ENDPOINT: endpoints.queue,
    NODE_EXTRA_CA_CERTS: azure.caFile,
  };
}
