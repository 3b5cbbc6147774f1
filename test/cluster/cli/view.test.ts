/** What the page reads, on a real API server: discovery, access reviews, watches and events with a reader's own token. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../../runtime/kube/config/connection.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { readersAccess } from '../../../runtime/ui/cluster/access.ts';
import { discover } from '../../../runtime/view/read/discover.ts';
import { readRows } from '../../../runtime/view/read/read-rows.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type RunningUi, startUi } from '../../ui/support.ts';
import { account, notReady, ready, group as resourceGroup } from '../../view/support.ts';
import { accounts, core, groups } from '../../view/world.ts';

const namespace = 'azimuth-view-test';
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' } as const;
const roles: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'roles',
  kind: 'Role',
  namespaced: true,
};
const bindings: ResourceType = { ...roles, plural: 'rolebindings', kind: 'RoleBinding' };
let connection: KubeConnection;
let client: KubeClient;
let ui: RunningUi;
let token: string;

const apply = (type: ResourceType, object: object) =>
  client.apply(type, object as KubeObject, { fieldManager: 'view-test', force: true });
const rules = (...groupNames: string[]) =>
  apply(roles, {
    ...rbac,
    kind: 'Role',
    metadata: { namespace, name: 'reader' },
    rules: [{ apiGroups: [...groupNames, ''], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
  });
async function put(type: ResourceType, { status, spec, metadata: { name } }: KubeObject) {
  const identity = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { namespace, name } };
  await apply(type, { ...identity, spec });
  const patch = { type: 'merge', body: { status } } as const;
  return client.patch(type, { namespace, name }, patch, { subresource: 'status' });
}

beforeAll(async () => {
  connection = loadKubeConnection({});
  client = createKubeClient(connection);
  // API servers before 1.25 know no CEL rules.
  const { minor } = await client.raw<{ minor: string }>('/version');
  const cel = Number.parseInt(minor, 10) >= 25;
  for (const [apiGroup, kind] of [
    ['resources.azure.com', 'ResourceGroup'],
    ['storage.azure.com', 'StorageAccount'],
  ] as const) {
    await apply(customResourceDefinitions, crdManifest(kindOf(apiGroup, kind), { versions: 'newest', cel }));
  }
  await apply(core('namespaces', 'Namespace', false), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  const served = async () => {
    const { kinds } = await discover(client);
    return ['ResourceGroup', 'StorageAccount'].every((kind) => kinds.some(({ type }) => type.kind === kind));
  };
  await eventually('the kinds are served', served, 300_000);
  await put(groups, resourceGroup('demo', ready));
  await put(accounts, account('photos', 'demo', notReady('WaitingForOwner', 'Warning', 'waits')));
  const serviceAccounts = core('serviceaccounts', 'ServiceAccount');
  const key = { namespace, name: 'reader' };
  await apply(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key });
  await rules('resources.azure.com', 'storage.azure.com');
  await apply(bindings, {
    ...rbac,
    kind: 'RoleBinding',
    metadata: key,
    roleRef: { apiGroup: roles.group, kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', ...key }],
  });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const { status } = await client.createSubresource<KubeObject>(serviceAccounts, key, 'token', request);
  token = status.token;
  const { credential: _, ...server } = connection;
  ui = await startUi(readersAccess(server), { view: { accessMs: 500, statusMs: 200 } });
});
afterAll(async () => {
  await ui?.close();
  // The objects go with their definitions, which the next file may create.
  const definitions = [groups, accounts].map(({ plural, group }) => ({ name: `${plural}.${group}` }));
  for (const key of definitions) await client?.delete(customResourceDefinitions, key);
  for (const key of definitions) {
    const isGone = async () => (await client.tryGet(customResourceDefinitions, key)) === undefined;
    await eventually(`${key.name} is gone`, isGone, 300_000);
  }
  await client?.close();
});

test('the rows of the administrator have owner and wait, from the API server as it is', async () => {
  const { kinds, problems } = await discover(client);
  const { rows } = await readRows(client, kinds, { namespace });
  expect(problems).toEqual([]);
  expect(rows.map(({ kind, name, state }) => `${kind}/${name} ${state}`).sort()).toEqual([
    'ResourceGroup/demo Ready',
    'StorageAccount/photos Blocked',
  ]);
});

test('a reader with a role in one namespace sees it live, its events, and loses it with the role', async () => {
  const whole = ui.stream(token);
  await whole.complete();
  expect(whole.names()).toEqual([]);
  expect(whole.stateOf('StorageAccount')).toBe('forbidden');
  whole.close();

  const stream = ui.stream(token, `?namespace=${namespace}`);
  await stream.complete();
  const names = [`${namespace}/ResourceGroup/demo`, `${namespace}/StorageAccount/photos`];
  expect(stream.names()).toEqual(names);
  const found = await put(accounts, account('photos', 'demo', notReady('Broken', 'Error', 'changed')));
  const state = () => [...stream.rows.values()].find(({ name }) => name === 'photos')?.state;
  await eventually('the change arrives', () => state() === 'Failed');

  const { uid } = found.metadata;
  await client.create(core('events', 'Event'), {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, name: 'photos.1' },
    involvedObject: { kind: 'StorageAccount', namespace, name: 'photos', uid },
    reason: 'BeginCreateOrUpdate',
    type: 'Normal',
    message: 'sent',
  } as KubeObject);
  const query = new URLSearchParams({ group: accounts.group, kind: 'StorageAccount', namespace, name: 'photos' });
  const detail = await ui.get(`/api/object?${query}`, { authorization: `Bearer ${token}` });
  expect(JSON.parse(detail.text)).toMatchObject({
    conditions: [{ type: 'Ready', message: 'changed' }],
    events: [{ reason: 'BeginCreateOrUpdate', message: 'sent' }],
  });

  await rules('resources.azure.com');
  await eventually('the account is gone', () => stream.names().join() === names[0]);
  stream.close();
});

test('a token that the API server does not know opens nothing', async () => {
  expect((await ui.get('/api/stream', { authorization: 'Bearer not-a-token' })).status).toBe(401);
});
