import { type Exchange, jsonBody, type Reply } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import { type Json, stringOf } from '../json.ts';
import type { SandboxState, StoredGroup } from '../state.ts';
import { badRequest, denied, malformed, notThere } from './graph-errors.ts';
import { changedMembers, newMembers } from './group-rules.ts';
import { alternateKey, filterOf, pageOf, selected } from './odata.ts';

/** One authenticated request to the groups of a tenant. */
export interface GroupRequest {
  readonly exchange: Exchange;
  readonly state: SandboxState;
  readonly ids: Ids;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly tenantId: string;
  /** Milliseconds in which reads do not show a new group. */
  readonly replicationMs: number;
  /** Whether the caller may make and change groups that roles can be assigned to. */
  readonly managesRoles: boolean;
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const filterable = ['displayName', 'mailNickname', 'uniqueName', 'description'];

/** Answers `/groups`, `/groups/<id>` and `/groups(uniqueName='…')`; `path` is the part after the version. */
export function answerGroups(request: GroupRequest, path: readonly string[]): Reply | undefined {
  const { exchange } = request;
  const { method } = exchange;
  const [collection = '', key, ...below] = path;
  const inline = /^groups(\(.*\))$/i.exec(collection)?.[1];
  if ((collection.toLowerCase() !== 'groups' && !inline) || below.length > 0) return undefined;
  const segment = inline ?? key;
  if (segment === undefined) {
    if (method === 'GET') return list(request);
    if (method === 'POST') return create(request, jsonBody(exchange));
    return undefined;
  }
  const unique = alternateKey(segment);
  if (unique === undefined && !guid.test(segment)) throw badRequest(`Invalid object identifier '${segment}'.`);
  const found = unique === undefined ? byId(request, segment) : byUniqueName(request, unique);
  if (method === 'PATCH') {
    const createIfMissing = /\bcreate-if-missing\b/i.test(exchange.headers['prefer'] ?? '');
    if (!found && unique !== undefined && createIfMissing) {
      return create(request, { ...jsonBody(exchange), uniqueName: unique });
    }
    return update(request, found ?? missing(unique ?? segment));
  }
  if (method === 'DELETE') return remove(request, found ?? missing(unique ?? segment));
  if (method !== 'GET') return undefined;
  const shown = found && isReplicated(request, found) ? found : missing(unique ?? segment);
  const body = { '@odata.context': `${exchange.origin}/v1.0/$metadata#groups/$entity`, ...view(shown) };
  return { status: 200, body: selected(exchange, body, 'group') };
}

function missing(name: string): never {
  throw notThere(name);
}

const isReplicated = ({ now, replicationMs }: GroupRequest, group: StoredGroup) =>
  now - group.createdAt >= replicationMs;

const groupsOf = ({ state, tenantId }: GroupRequest) =>
  Object.values(state.groups).filter((group) => group.tenantId === tenantId);

function byId({ state, tenantId }: GroupRequest, id: string): StoredGroup | undefined {
  const found = state.groups[id.toLowerCase()];
  return found?.tenantId === tenantId ? found : undefined;
}

function byUniqueName(request: GroupRequest, name: string): StoredGroup | undefined {
  const wanted = name.toLowerCase();
  return groupsOf(request).find(({ members }) => stringOf(members['uniqueName']).toLowerCase() === wanted);
}

function list(request: GroupRequest): Reply {
  const { exchange } = request;
  const known = ['$filter', '$select', '$top', '$skiptoken'];
  const unknown = [...exchange.query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw malformed(`The query option '${unknown}' is not served here.`);
  const fits = filterOf(exchange.query.get('$filter'), filterable, 'group');
  const found = groupsOf(request).filter((group) => isReplicated(request, group) && fits(group.members));
  return {
    status: 200,
    body: pageOf(
      exchange,
      found.map((group) => selected(exchange, view(group), 'group')),
      'groups',
    ),
  };
}

function create(request: GroupRequest, body: Json): Reply {
  const { exchange, state, ids, now, tenantId } = request;
  const members = newMembers(body);
  if (members['isAssignableToRole'] === true && !request.managesRoles) throw denied();
  const unique = stringOf(members['uniqueName']);
  if (unique && byUniqueName(request, unique)) throw takenUniqueName();
  const group: StoredGroup = { id: ids.uuid(), tenantId, createdAt: now, members };
  state.groups[group.id] = group;
  exchange.entry.effective = true;
  const context = `${exchange.origin}/v1.0/$metadata#groups/$entity`;
  return {
    status: 201,
    headers: {
      location: `${exchange.origin}/v2/${tenantId}/directoryObjects/${group.id}/Microsoft.DirectoryServices.Group`,
    },
    body: { '@odata.context': context, ...view(group) },
  };
}

const takenUniqueName = () => badRequest('Another object with the same value for property uniqueName already exists.');

function update(request: GroupRequest, group: StoredGroup): Reply {
  const changes = changedMembers(group.members, jsonBody(request.exchange));
  if (group.members['isAssignableToRole'] === true && !request.managesRoles) throw denied();
  const unique = stringOf(changes['uniqueName']);
  if (unique && byUniqueName(request, unique)) throw takenUniqueName();
  if (Object.keys(changes).length > 0) {
    Object.assign(group.members, changes);
    request.exchange.entry.effective = true;
  }
  return { status: 204 };
}

function remove(request: GroupRequest, group: StoredGroup): Reply {
  if (group.members['isAssignableToRole'] === true && !request.managesRoles) throw denied();
  delete request.state.groups[group.id];
  request.exchange.entry.effective = true;
  return { status: 204 };
}

/** The members that a GET without `$select` shows. */
function view({ id, createdAt, members }: StoredGroup): Json {
  const created = `${new Date(createdAt).toISOString().slice(0, 19)}Z`;
  return {
    id,
    deletedDateTime: null,
    classification: null,
    createdDateTime: created,
    creationOptions: [],
    expirationDateTime: null,
    ...members,
    mail: members['mailEnabled'] === true ? `${members['mailNickname']}@sandbox.onmicrosoft.com` : null,
    onPremisesSyncEnabled: null,
    proxyAddresses: [],
    renewedDateTime: created,
    resourceBehaviorOptions: [],
    resourceProvisioningOptions: [],
    securityIdentifier: securityIdentifierOf(id),
    onPremisesProvisioningErrors: [],
    serviceProvisioningErrors: [],
  };
}

/** The SID that the directory derives from an object id: the four little-endian words of the GUID. */
function securityIdentifierOf(id: string): string {
  const [a = '', b = '', c = '', d = '', e = ''] = id.split('-');
  const reversed = (hex: string) => hex.match(/../g)?.reverse().join('') ?? '';
  const bytes = Buffer.from(`${reversed(a)}${reversed(b)}${reversed(c)}${d}${e}`, 'hex');
  return `S-1-12-1-${[0, 4, 8, 12].map((at) => bytes.readUInt32LE(at)).join('-')}`;
}
