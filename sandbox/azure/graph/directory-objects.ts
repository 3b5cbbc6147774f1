import type { Directory, Principal } from '../entra/directory.ts';
import { type Exchange, jsonBody, type Reply } from '../exchange.ts';
import { type Json, stringOf } from '../json.ts';
import type { SandboxState, StoredGroup } from '../state.ts';
import { badRequest, malformed, notThere } from './graph-errors.ts';
import { filterOf, pageOf, selected } from './odata.ts';

/** One authenticated request to the principals of a tenant. */
export interface DirectoryRequest {
  readonly exchange: Exchange;
  readonly state: SandboxState;
  readonly directory: Directory;
  readonly tenantId: string;
}

interface Collection {
  /** Name of the type in Graph, without its namespace. */
  readonly type: string;
  readonly filterable: readonly string[];
  readonly objects: (request: DirectoryRequest) => readonly Json[];
}

/** Collections that can only be read here. The directory has no users: programs alone sign in. */
const collections: Readonly<Record<string, Collection>> = {
  serviceprincipals: {
    type: 'servicePrincipal',
    filterable: ['appId', 'displayName', 'servicePrincipalType', 'servicePrincipalNames', 'alternativeNames'],
    objects: (request) => principalsOf(request).map(servicePrincipalOf),
  },
  applications: {
    type: 'application',
    filterable: ['appId', 'displayName', 'identifierUris'],
    objects: (request) => principalsOf(request).flatMap(applicationOf),
  },
  users: {
    type: 'user',
    filterable: ['userPrincipalName', 'mail', 'displayName'],
    objects: () => [],
  },
};
/** Most ids in one `getByIds`. */
const mostIds = 1000;

/** Answers `/servicePrincipals`, `/applications` and `/users`, one of each by id, and `/directoryObjects/getByIds`. */
export function answerDirectoryObjects(request: DirectoryRequest, path: readonly string[]): Reply | undefined {
  const { exchange } = request;
  const [name = '', key, ...below] = path.map((segment) => segment.toLowerCase());
  if (below.length > 0) return undefined;
  if (name === 'me' && key === undefined && exchange.method === 'GET')
    throw badRequest('/me request is only valid with delegated authentication flow.');
  if (name === 'directoryobjects' && key === 'getbyids' && exchange.method === 'POST') return byIds(request);
  const collection = collections[name];
  if (!collection || exchange.method !== 'GET') return undefined;
  return key === undefined ? list(request, path[0] ?? '', collection) : one(request, path, collection);
}

function list(request: DirectoryRequest, name: string, { type, filterable, objects }: Collection): Reply {
  const { exchange } = request;
  const fits = filterOf(exchange.query.get('$filter'), filterable, type);
  const shown = objects(request).filter(fits);
  return {
    status: 200,
    body: pageOf(
      exchange,
      shown.map((object) => selected(exchange, object, type)),
      name,
    ),
  };
}

function one(request: DirectoryRequest, [name = '', key = '']: readonly string[], collection: Collection): Reply {
  const object = collection.objects(request).find(({ id }) => id === key.toLowerCase());
  if (!object) throw notThere(key);
  const context = `${request.exchange.origin}/v1.0/$metadata#${name}/$entity`;
  const { exchange } = request;
  return { status: 200, body: selected(exchange, { '@odata.context': context, ...object }, collection.type) };
}

function byIds(request: DirectoryRequest): Reply {
  const { ids, types } = jsonBody(request.exchange);
  if (!Array.isArray(ids) || ids.length > mostIds || ids.some((id) => typeof id !== 'string'))
    throw malformed(`'ids' must be an array of at most ${mostIds} texts.`);
  const asked = new Set(ids.map((id) => id.toLowerCase()));
  const kinds = Array.isArray(types) ? new Set(types.map((type) => stringOf(type).toLowerCase())) : undefined;
  const groups = Object.values(request.state.groups).filter(({ tenantId }) => tenantId === request.tenantId);
  const objects = [
    ...Object.values(collections).flatMap(({ type, objects }) => objects(request).map((object) => typed(type, object))),
    ...groups.map((group) => typed('group', groupOf(group))),
  ];
  const isAsked = ({ id, '@odata.type': type }: Json) =>
    asked.has(stringOf(id)) && (!kinds || kinds.has(stringOf(type).replace('#microsoft.graph.', '').toLowerCase()));
  return { status: 200, body: pageOf(request.exchange, objects.filter(isAsked), 'directoryObjects') };
}

const typed = (type: string, object: Json): Json => ({ '@odata.type': `#microsoft.graph.${type}`, ...object });

const groupOf = ({ id, members }: StoredGroup): Json => ({ id, ...members });

const principalsOf = ({ directory, tenantId }: DirectoryRequest) =>
  directory.principals().filter((principal) => principal.tenantId === tenantId);

function servicePrincipalOf({ clientId, objectId, resourceId, app, createdAt }: Principal): Json {
  return {
    id: objectId.toLowerCase(),
    deletedDateTime: null,
    accountEnabled: true,
    alternativeNames: resourceId ? ['isExplicit=True', resourceId] : [],
    appDisplayName: app?.displayName ?? null,
    appId: clientId,
    createdDateTime: timeOf(createdAt),
    displayName: app?.displayName ?? resourceId?.split('/').at(-1) ?? clientId,
    servicePrincipalNames: [clientId],
    servicePrincipalType: app ? 'Application' : 'ManagedIdentity',
    signInAudience: app ? 'AzureADMyOrg' : null,
    tags: [],
  };
}

/** The application of an app registration; its own object id, which differs from that of the service principal. */
function applicationOf({ clientId, app }: Principal): Json[] {
  if (!app) return [];
  const id = `${clientId.slice(0, -1)}${(Number.parseInt(clientId.slice(-1), 16) ^ 1).toString(16)}`.toLowerCase();
  const { displayName, createdAt } = app;
  return [
    {
      id,
      deletedDateTime: null,
      appId: clientId,
      createdDateTime: timeOf(createdAt),
      displayName,
      identifierUris: [],
      signInAudience: 'AzureADMyOrg',
      tags: [],
    },
  ];
}

const timeOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
