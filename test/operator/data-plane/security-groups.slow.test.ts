import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { condition, configMaps, gone, secrets, startWorld, until, untilReady, type World } from '../support.ts';

const group = resourceOf(kindOf('entra.azure.com', 'SecurityGroup'));
const scope = 'https://graph.microsoft.com/.default';
const allowed = { AZURE_OPERATOR_CREDENTIAL_SCOPES: 'default=/providers/Microsoft.Graph/groups' };
let world: World;

beforeAll(async () => {
  world = await startWorld({ kinds: 'entra.azure.com/SecurityGroup' });
  await world.startOperator(allowed, { syncPeriodMs: 500 });
});
afterAll(() => world?.close());

interface LiveGroup {
  readonly id: string;
  readonly uniqueName: string | null;
  readonly [member: string]: unknown;
}

async function graph(method: string, path: string, body?: object) {
  const token = await world.portal.token(scope);
  return world.portal.send(method, `${world.azure.endpoints.graph}/v1.0${path}`, { token, ...(body && { body }) });
}

const named = async (displayName: string): Promise<LiveGroup[]> => {
  const filter = encodeURIComponent(`displayName eq '${displayName.replaceAll("'", "''")}'`);
  return (await graph('GET', `/groups?$filter=${filter}`)).body.value;
};
const foreign = async (displayName: string, more: object = {}): Promise<LiveGroup> => {
  const body = { displayName, mailNickname: 'foreign', mailEnabled: false, securityEnabled: true, ...more };
  return (await graph('POST', '/groups', body)).body;
};
const writes = () => world.azure.journal.entries({ service: 'graph', effective: true });
const spec = (displayName: string, more: object = {}) => ({ displayName, mailNickname: 'team', ...more });
const idOf = (object: KubeObject) => object['status']?.['entraID'];
const remove = async (name: string) => {
  await world.client.delete(group, { namespace: 'default', name });
  await gone(world, group, name);
};

test('a group is created once, shown in the status and a ConfigMap, changed, repaired and deleted', async () => {
  const operatorSpec = { configmaps: { entraID: { name: 'ids', key: 'group' } } };
  await world.apply(group, 'one', spec("O'Neill's team", { description: 'first', operatorSpec }));
  const ready = await untilReady(world, group, 'one');
  const [live] = await named("O'Neill's team");
  expect(live).toMatchObject({
    uniqueName: `azimuth-${ready.metadata.uid}`,
    description: 'first',
    mailNickname: 'team',
    groupTypes: [],
    securityEnabled: true,
    mailEnabled: false,
  });
  expect(ready['status']).toMatchObject({
    entraID: live?.id,
    displayName: "O'Neill's team",
    groupEmailAddress: 'team',
    description: 'first',
  });
  const exported = await world.client.get<KubeObject>(configMaps, { namespace: 'default', name: 'ids' });
  expect(exported['data']).toEqual({ group: live?.id });
  const before = writes().length;
  await world.apply(group, 'one', spec('Renamed', { description: 'second', operatorSpec }));
  await until('the new name', async () => (await named('Renamed'))[0]?.id === live?.id);
  await untilReady(world, group, 'one');
  expect(writes()).toHaveLength(before + 1);
  await graph('PATCH', `/groups/${live?.id}`, { description: 'drift' });
  await until('the repair', async () => (await named('Renamed'))[0]?.['description'] === 'second');
  await remove('one');
  expect(await named('Renamed')).toEqual([]);
});

test('a group without changes is read and not written', async () => {
  await world.apply(group, 'rest', spec('At rest', { membershipType: 'enabled' }));
  await untilReady(world, group, 'rest');
  const before = writes().length;
  const reads = world.azure.journal.entries({ service: 'graph', method: 'GET' }).length;
  await until(
    'checks',
    async () => world.azure.journal.entries({ service: 'graph', method: 'GET' }).length > reads + 3,
  );
  expect(writes()).toHaveLength(before);
  await remove('rest');
});

test('the one group with the display name is adopted, with its id in the ConfigMap, and deleted with its object', async () => {
  const { id } = await foreign('Existing');
  const operatorSpec = { configMaps: { entraID: { name: 'adopted', key: 'id' } } };
  await world.apply(group, 'adopter', spec('Existing', { operatorSpec }));
  const ready = await untilReady(world, group, 'adopter');
  expect([idOf(ready), (await named('Existing')).length]).toEqual([id, 1]);
  const exported = await world.client.get<KubeObject>(configMaps, { namespace: 'default', name: 'adopted' });
  expect(exported['data']).toEqual({ id });
  expect((await graph('GET', `/groups/${id}`)).body).toMatchObject({ mailNickname: 'team', uniqueName: null });
  await remove('adopter');
  expect((await graph('GET', `/groups/${id}`)).status).toBe(404);
});

test('AlwaysCreate makes another group of the same name', async () => {
  const { id } = await foreign('Twice');
  await world.apply(group, 'another', spec('Twice', { operatorSpec: { creationMode: 'AlwaysCreate' } }));
  expect(idOf(await untilReady(world, group, 'another'))).not.toBe(id);
  await remove('another');
  expect((await named('Twice')).map((each) => each.id)).toEqual([id]);
});

test('several groups of the name are adopted by nobody, until one is left', async () => {
  const { id } = await foreign('Ambiguous');
  await foreign('ambiguous');
  await world.apply(group, 'unsure', spec('Ambiguous'));
  const failed = condition(await untilReady(world, group, 'unsure', 'Failed'));
  expect(failed?.message).toContain('The directory has 2 groups with the display name');
  expect(await named('Ambiguous')).toHaveLength(2);
  await graph('DELETE', `/groups/${id}`);
  await untilReady(world, group, 'unsure');
  await remove('unsure');
});

test('a second object for the same group waits, and neither adopts what the annotation forbids', async () => {
  await world.apply(group, 'first', spec('Shared'));
  const own = idOf(await untilReady(world, group, 'first'));
  await world.apply(group, 'second', spec('Shared'));
  await untilReady(world, group, 'second', 'ReconciliationBlocked');
  await remove('second');
  expect((await named('Shared')).map(({ id }) => id)).toEqual([own]);
  await remove('first');
  const { id } = await foreign('Forbidden');
  await world.apply(group, 'never', spec('Forbidden'), { annotations: { 'azimuth.dev/adopt': 'never' } });
  await untilReady(world, group, 'never', 'AdoptionRefused');
  await remove('never');
  expect((await named('Forbidden')).map((each) => each.id)).toEqual([id]);
});

test('an annotation that somebody writes leads to no other group', async () => {
  const { id } = await foreign('Global administrators');
  const annotations = { 'serviceoperator.azure.com/resource-id': id };
  await world.apply(group, 'thief', spec('Mine'), { annotations });
  const ready = await untilReady(world, group, 'thief');
  expect(idOf(ready)).not.toBe(id);
  const path = `/providers/Microsoft.Graph/groups/${id}`;
  await world.client.patch(
    group,
    { namespace: 'default', name: 'thief' },
    { type: 'merge', body: { metadata: { annotations: { 'serviceoperator.azure.com/resource-id': path } } } },
  );
  await remove('thief');
  expect((await named('Global administrators')).map((each) => each.id)).toEqual([id]);
  expect(await named('Mine')).toEqual([]);
});

test('detach-on-delete leaves the group, and skip only reads', async () => {
  const policy = (value: string) => ({ annotations: { 'serviceoperator.azure.com/reconcile-policy': value } });
  await world.apply(group, 'left', spec('Left'), policy('detach-on-delete'));
  const left = idOf(await untilReady(world, group, 'left'));
  await remove('left');
  expect((await named('Left')).map(({ id }) => id)).toEqual([left]);
  const before = writes().length;
  await world.apply(group, 'reader', spec('Left', { description: 'other' }), policy('skip'));
  expect(idOf(await untilReady(world, group, 'reader'))).toBe(left);
  await world.apply(group, 'nothing', spec('Nothing'), policy('skip'));
  await untilReady(world, group, 'nothing', 'AzureResourceNotFound');
  for (const name of ['reader', 'nothing']) await remove(name);
  expect(writes()).toHaveLength(before);
});

test('a creation without an answer is repeated and makes one group', async () => {
  world.azure.faults.add({ service: 'graph', method: 'PATCH', connection: 'dropAfter' });
  await world.apply(group, 'lost', spec('Lost answer', { operatorSpec: { creationMode: 'AlwaysCreate' } }));
  await untilReady(world, group, 'lost');
  expect(await named('Lost answer')).toHaveLength(1);
  await remove('lost');
});

test('Graph decides about what it refuses, and the object says so', async () => {
  await world.apply(group, 'bad', spec('Bad', { mailNickname: 'team@example.com' }));
  const refused = await until('the refusal', async () => {
    const ready = condition(await world.get(group, 'bad'));
    return ready?.message?.includes('mailNickname') && ready;
  });
  expect(refused.message).toContain("Invalid value specified for property 'mailNickname'");
  await world.apply(group, 'bad', spec('Bad'));
  await untilReady(world, group, 'bad');
  await remove('bad');
});

test('a namespace without a rule gets no group by the credential of the operator, only by its own', async () => {
  const namespace = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
  await world.client.create(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  const { id } = await foreign('Not yours');
  const key = { namespace: 'other', name: 'asker' };
  const object = { apiVersion: 'entra.azure.com/v1', kind: 'SecurityGroup', metadata: key, spec: spec('Not yours') };
  const reads = () => world.azure.journal.entries({ service: 'graph', path: '/groups' }).length;
  const before = reads();
  await world.client.apply(group, object, { fieldManager: 'test', force: true });
  const refused = await until('the refusal', async () => {
    const ready = condition(await world.client.tryGet(group, key));
    return ready?.status === 'False' && ready;
  });
  expect(refused.message).toContain("may not be reached with the operator's own credential");
  expect(reads()).toBe(before);
  const app = world.azure.registerApp({ graphPermissions: ['Group.Read.All'] });
  const data = {
    AZURE_SUBSCRIPTION_ID: world.azure.subscriptionId,
    AZURE_TENANT_ID: app.tenantId,
    AZURE_CLIENT_ID: app.clientId,
    AZURE_CLIENT_SECRET: app.secret,
  };
  const encoded = Object.entries(data).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const metadata = { namespace: 'other', name: 'aso-credential' };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(encoded) };
  await world.client.apply(secrets, secret, { fieldManager: 'test', force: true });
  const denied = await until('the denial', async () => {
    const ready = condition(await world.client.tryGet(group, key));
    return ready?.message?.includes('Insufficient privileges') && ready;
  });
  expect(denied.message).not.toContain(app.secret);
  expect((await graph('GET', `/groups/${id}`)).body['mailNickname']).toBe('foreign');
});
