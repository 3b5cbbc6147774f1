import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from './client.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const scope = 'https://graph.microsoft.com/.default';
let azure: EmbeddedAzure;
let client: TestClient;

beforeAll(async () => {
  azure = await startEmbeddedAzure({ clock });
  client = new TestClient(azure);
});

beforeEach(() => azure.reset());

afterAll(async () => {
  await client.close();
  await azure.close();
});

interface Options {
  readonly headers?: Record<string, string>;
  readonly app?: RegisteredApp;
}

async function graph(method: string, path: string, body?: unknown, { app, ...options }: Options = {}) {
  const token = await client.token(scope, app);
  const url = `${azure.endpoints.graph}/v1.0${path}`;
  return client.send(method, url, { token, ...(body === undefined ? {} : { body }), ...options });
}

const team = { displayName: 'Team', mailNickname: 'team', mailEnabled: false, securityEnabled: true };
const create = (more: object = {}, options: Options = {}) => graph('POST', '/groups', { ...team, ...more }, options);
const filter = (text: string) => graph('GET', `/groups?$filter=${encodeURIComponent(text)}`);
const namesOf = async (text: string) =>
  (await filter(text)).body.value.map(({ displayName }: { displayName: string }) => displayName);

test('a group is created, read, changed and deleted, and the answers have the form of Graph', async () => {
  const created = await create({ '@odata.type': '#microsoft.graph.group', description: 'first' });
  expect(created.status).toBe(201);
  const { id } = created.body;
  expect(created.body).toMatchObject({
    '@odata.context': `${azure.endpoints.graph}/v1.0/$metadata#groups/$entity`,
    ...team,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    description: 'first',
    groupTypes: [],
    isAssignableToRole: null,
    mail: null,
    uniqueName: null,
    createdDateTime: '2026-06-01T00:00:00Z',
    securityIdentifier: expect.stringMatching(/^S-1-12-1(-\d+){4}$/),
  });
  expect((await graph('PATCH', `/groups/${id}`, { description: 'second' })).status).toBe(204);
  const read = await graph('GET', `/groups/${id}?$select=id,description`);
  expect([read.status, read.body]).toEqual([200, { id, description: 'second' }]);
  expect(await graph('DELETE', `/groups/${id}`)).toMatchObject({ status: 204, text: '' });
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const gone = await graph(method, `/groups/${id}`, method === 'PATCH' ? {} : undefined);
    expect([gone.status, gone.body.error.code]).toEqual([404, 'Request_ResourceNotFound']);
    expect(gone.body.error.message).toContain(`Resource '${id}' does not exist`);
  }
});

test('an error names the request in its body and its headers', async () => {
  const answer = await graph('GET', '/groups/nobody', undefined, { headers: { 'client-request-id': 'mine' } });
  expect(answer.body).toEqual({
    error: {
      code: 'Request_BadRequest',
      message: "Invalid object identifier 'nobody'.",
      innerError: {
        date: '2026-06-01T00:00:00',
        'request-id': answer.headers['request-id'],
        'client-request-id': 'mine',
      },
    },
  });
  expect(azure.journal.entries({ service: 'graph' }).at(-1)).toMatchObject({
    status: 400,
    errorCode: 'Request_BadRequest',
    requestId: answer.headers['request-id'],
    audience: 'https://graph.microsoft.com',
    clientId: azure.defaultApp.clientId,
  });
});

test('only an unexpired token for Graph that Microsoft Entra ID issued is accepted', async () => {
  const url = `${azure.endpoints.graph}/v1.0/groups`;
  const refusal = async (token?: string) => {
    const { status, body } = await client.send('GET', url, token === undefined ? {} : { token });
    return [status, body.error.code, body.error.message];
  };
  const bad = (message: string) => [401, 'InvalidAuthenticationToken', message];
  expect(await refusal()).toEqual(bad('Access token is empty.'));
  expect(await refusal('e30.e30.AAAA')).toEqual(bad('Access token validation failure. Invalid signature.'));
  const forArm = await client.token('https://management.azure.com/.default');
  expect(await refusal(forArm)).toEqual(bad('Access token validation failure. Invalid audience.'));
  const token = await client.token(scope);
  await clock.advance(3_600_000);
  expect(await refusal(token)).toEqual(bad('Lifetime validation failed, the token is expired.'));
  // The audience may also be the address, as az asks for it.
  const own = await client.token(`${azure.endpoints.graph}/.default`);
  expect((await client.send('GET', url, { token: own })).status).toBe(200);
});

test('a filter compares without case, reads doubled quotes, and joins clauses', async () => {
  await create({ displayName: "O'Neill's team", mailNickname: 'a' });
  await create({ displayName: 'Team', mailNickname: 'b' });
  await create({ displayName: 'team', mailNickname: 'c' });
  await create({ displayName: "x' or displayName eq 'y", mailNickname: 'd' });
  expect(await namesOf("displayName eq 'O''Neill''s team'")).toEqual(["O'Neill's team"]);
  expect(await namesOf("displayName eq 'TEAM'")).toEqual(['Team', 'team']);
  expect(await namesOf("displayName eq 'team' and mailNickname eq 'c'")).toEqual(['team']);
  expect(await namesOf("startswith(displayName,'te')")).toEqual(['Team', 'team']);
  expect(await namesOf("displayName eq 'x'' or displayName eq ''y'")).toEqual(["x' or displayName eq 'y"]);
  for (const text of [
    "displayName eq 'x' or displayName eq 'y'",
    "displayName eq 'O'Neill'",
    'displayName',
    "displayName eq 'a' and ",
  ]) {
    expect((await filter(text)).body.error).toMatchObject({
      code: 'BadRequest',
      message: expect.stringContaining(text),
    });
  }
  expect((await filter("mail eq 'a'")).body.error.code).toBe('Request_UnsupportedQuery');
  expect((await graph('GET', '/groups?$orderby=displayName')).status).toBe(400);
});

test('a list comes in pages', async () => {
  for (const mailNickname of ['a', 'b', 'c']) await create({ mailNickname });
  const first = await graph('GET', '/groups?$top=2&$select=mailNickname');
  const next = new URL(first.body['@odata.nextLink']);
  const second = await graph('GET', `${next.pathname.replace('/v1.0', '')}${next.search}`);
  expect([first.body.value.length, second.body.value, second.body['@odata.nextLink']]).toEqual([
    2,
    [{ mailNickname: 'c' }],
    undefined,
  ]);
});

test('a unique name creates a group once, and finds it for every later request', async () => {
  const path = "/groups(uniqueName='a''b%2Fc')";
  const upsert = (body: object) => graph('PATCH', path, body, { headers: { prefer: 'create-if-missing' } });
  const without = await graph('PATCH', path, team);
  expect([without.status, without.body.error.message]).toEqual([404, expect.stringContaining("'a'b/c'")]);
  const created = await upsert(team);
  expect([created.status, created.body.uniqueName]).toEqual([201, "a'b/c"]);
  expect((await upsert({ ...team, description: 'again' })).status).toBe(204);
  const read = await graph('GET', path);
  expect(read.body).toMatchObject({ id: created.body.id, description: 'again' });
  expect((await graph('GET', "/groups/(uniqueName='a''b%2Fc')")).body.id).toBe(created.body.id);
  expect((await create({ uniqueName: "A'B/C" })).body.error.message).toContain('uniqueName already exists');
  expect((await graph('PATCH', path, { uniqueName: 'other' })).body.error.message).toContain('immutable');
  expect((await graph('GET', '/groups')).body.value).toHaveLength(1);
  expect(azure.journal.entries({ service: 'graph', method: 'PATCH', effective: true })).toHaveLength(2);
});

test.each([
  ['no display name', { displayName: undefined }, "A value is required for property 'displayName'"],
  ['no mail nickname', { mailNickname: undefined }, "A value is required for property 'mailNickname'"],
  [
    'a mail nickname with a domain',
    { mailNickname: 'team@example.com' },
    "Invalid value specified for property 'mailNickname'",
  ],
  ['a mail nickname with a space', { mailNickname: 'the team' }, "Invalid value specified for property 'mailNickname'"],
  ['a mail nickname beyond ASCII', { mailNickname: 'équipe' }, "Invalid value specified for property 'mailNickname'"],
  ['a long mail nickname', { mailNickname: 'a'.repeat(65) }, "Invalid value specified for property 'mailNickname'"],
  ['a long display name', { displayName: 'a'.repeat(257) }, "Invalid value specified for property 'displayName'"],
  ['an unknown group type', { groupTypes: ['Static'] }, "Invalid value specified for property 'groupTypes'"],
  [
    'dynamic membership without a rule',
    { groupTypes: ['DynamicMembership'] },
    "required for property 'membershipRule'",
  ],
  ['mail without Unified', { mailEnabled: true }, 'does not currently support writes of mail-enabled groups'],
  ['neither security nor Unified', { securityEnabled: false }, 'must be security-enabled'],
  [
    'a role and dynamic membership',
    { isAssignableToRole: true, groupTypes: ['DynamicMembership'], membershipRule: 'x' },
    'GroupType cannot be set for security groups assignable to roles',
  ],
  [
    'a role and Unified without mail',
    { isAssignableToRole: true, groupTypes: ['Unified'] },
    'GroupType cannot be set for security groups assignable to roles',
  ],
  ['an unknown member', { colour: 'blue' }, "Invalid property 'colour'"],
  ['a member that is read-only', { mail: 'team@example.com' }, "Property 'mail' is read-only"],
])('a new group with %s is refused', async (_what, more, message) => {
  const answer = await create(more);
  expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(message)]);
});

test('a group of Microsoft 365 is mail-enabled whatever the request says, and its type stays', async () => {
  const { body } = await create({ groupTypes: ['Unified'] });
  expect(body).toMatchObject({ mailEnabled: true, mail: 'team@sandbox.onmicrosoft.com' });
  expect((await graph('PATCH', `/groups/${body.id}`, { mailEnabled: false })).status).toBe(204);
  expect((await graph('PATCH', `/groups/${body.id}`, { groupTypes: [] })).body.error.message).toContain('immutable');
});

test('a group for roles needs a permission of its own, and nobody makes one of a plain group', async () => {
  const app = azure.registerApp({ graphPermissions: ['Group.ReadWrite.All'] });
  const plain = await create({}, { app });
  expect(plain.status).toBe(201);
  const denied = { code: 'Authorization_RequestDenied', message: expect.stringContaining('Insufficient privileges') };
  expect((await create({ isAssignableToRole: true }, { app })).body.error).toMatchObject(denied);
  const { id } = (await create({ isAssignableToRole: true })).body;
  for (const [method, body] of [
    ['PATCH', { description: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    expect((await graph(method, `/groups/${id}`, body, { app })).body.error).toMatchObject(denied);
  }
  const turned = await graph('PATCH', `/groups/${plain.body.id}`, { isAssignableToRole: true });
  expect(turned.body.error.message).toContain('immutable');
  const backfill = await graph('PATCH', `/groups/${id}`, { uniqueName: 'later' });
  expect(backfill.body.error.message).toContain('cannot be updated for groups assignable to role');
});

test('permissions decide what an application may do', async () => {
  const reader = azure.registerApp({ graphPermissions: ['Group.Read.All'] });
  const nobody = azure.registerApp({ graphPermissions: [] });
  expect((await graph('GET', '/groups', undefined, { app: reader })).status).toBe(200);
  expect((await create({}, { app: reader })).status).toBe(403);
  expect((await graph('GET', '/groups', undefined, { app: nobody })).status).toBe(403);
});

test('an application sees the groups of its own tenant alone', async () => {
  const { id } = (await create({ uniqueName: 'one' })).body;
  const app = azure.registerApp({ tenantId: '11111111-1111-4111-8111-111111111111' });
  const foreign = new TestClient(azure);
  const form = { grant_type: 'client_credentials', client_id: app.clientId, client_secret: app.secret, scope };
  const token = (await foreign.tokenRequest(form, `/${app.tenantId}/oauth2/v2.0/token`)).body.access_token;
  for (const path of [`/groups/${id}`, "/groups(uniqueName='one')"]) {
    expect((await foreign.send('GET', `${azure.endpoints.graph}/v1.0${path}`, { token })).status).toBe(404);
  }
  expect((await foreign.send('GET', `${azure.endpoints.graph}/v1.0/groups`, { token })).body.value).toEqual([]);
  await foreign.close();
});

test('too many requests get 429 with Retry-After', async () => {
  const before = azure.throttle.limits.graph;
  azure.throttle.limits.graph = { size: 1, refillPerSecond: 0.5 };
  azure.throttle.reset();
  expect((await graph('GET', '/groups')).status).toBe(200);
  const refused = await graph('GET', '/groups');
  expect([refused.status, refused.headers['retry-after'], refused.body.error.code]).toEqual([
    429,
    '2',
    'TooManyRequests',
  ]);
  await clock.advance(2000);
  expect((await graph('GET', '/groups')).status).toBe(200);
  azure.throttle.limits.graph = before;
});

test('reads show a new group after its replication, and its unique name is taken before', async () => {
  azure.graph.replicationMs = 1000;
  const { id } = (await create({ uniqueName: 'fresh' })).body;
  expect([(await graph('GET', `/groups/${id}`)).status, await namesOf("displayName eq 'Team'")]).toEqual([404, []]);
  const headers = { prefer: 'create-if-missing' };
  expect((await graph('PATCH', "/groups(uniqueName='fresh')", team, { headers })).status).toBe(204);
  await clock.advance(1000);
  expect((await graph('GET', `/groups/${id}`)).status).toBe(200);
  azure.graph.replicationMs = 0;
});

test('a role assignment knows a group by its object id', async () => {
  const { id } = (await create()).body;
  const subscription = `/subscriptions/${azure.subscriptionId}`;
  const assign = (principalId: string) =>
    client.arm(
      'PUT',
      `${subscription}/providers/Microsoft.Authorization/roleAssignments/${crypto.randomUUID()}`,
      '2022-04-01',
      {
        properties: {
          principalId,
          roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`,
        },
      },
    );
  expect((await assign(id)).body.properties.principalType).toBe('Group');
  expect((await assign(crypto.randomUUID())).body.error.code).toBe('PrincipalNotFound');
});

test('what Graph has besides groups is not served', async () => {
  for (const path of ['/devices', '/groups/x/members', '']) {
    const { status, body } = await graph('GET', path);
    expect([status, body.error.code]).toEqual([400, 'BadRequest']);
  }
  const token = await client.token(scope);
  const beta = await client.send('GET', `${azure.endpoints.graph}/beta/groups`, { token });
  expect([beta.status, beta.body.error.message]).toEqual([400, 'Invalid version: beta']);
});
