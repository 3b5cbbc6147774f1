import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf } from '../../runtime/api/kinds.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../runtime/kube/config/connection.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { readersAccess } from '../../runtime/ui/cluster/access.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { eventually } from '../fakes/eventually.ts';
import { account, group } from '../view/support.ts';
import { accounts, type Cluster, groups, startViewWorld } from '../view/world.ts';
import { type RunningUi, startUi } from './support.ts';

let world: Cluster;
let ui: RunningUi;
const readGroups = [{ apiGroups: ['resources.azure.com'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
const readAccounts = [{ apiGroups: ['storage.azure.com'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', kind: 'ClusterRole' };

beforeAll(async () => {
  world = await startViewWorld();
  await world.put(groups, group('demo'));
  await world.put(accounts, account('photos', 'demo'));
  await world.put(accounts, { ...account('films', 'demo'), metadata: { name: 'films', namespace: 'other' } });
  const { credential: _, ...server }: KubeConnection = loadKubeConnection({ kubeconfig: world.kubeconfig });
  ui = await startUi(readersAccess(server), { hosts: ['azimuth.example'], view: { accessMs: 200, statusMs: 100 } });
});
afterAll(async () => {
  await ui?.close();
  await world?.close();
});

const tokenOf = (name: string) => world.kube.tokenFor({ namespace: 'default', name });

test('in the cluster each reader sees what the own token may list, at the same time, and what not', async () => {
  const one = await world.reader('groups-reader', readGroups);
  const two = await world.reader('accounts-reader', readAccounts, 'other');
  const [first, second, scoped] = [
    ui.stream(one.token),
    ui.stream(two.token),
    ui.stream(two.token, '?namespace=other'),
  ];
  await Promise.all([first.complete(), second.complete(), scoped.complete()]);
  expect(first.names()).toEqual(['demo/ResourceGroup/demo']);
  expect([first.stateOf('ResourceGroup'), first.stateOf('StorageAccount')]).toEqual(['listed', 'forbidden']);
  expect(second.names()).toEqual([]);
  expect(scoped.names()).toEqual(['other/StorageAccount/films']);
  const query = new URLSearchParams({ group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'other' });
  const detail = (token: string) => ui.get(`/api/object?${query}&name=films`, { authorization: `Bearer ${token}` });
  expect((await detail(two.token)).status).toBe(200);
  expect((await detail(one.token)).status).toBe(403);
});

test('without a token, and with one that the API server refuses, there is nothing', async () => {
  expect((await ui.get('/api/stream')).status).toBe(401);
  const answer = await ui.get('/api/stream', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' });
  expect(answer.status).toBe(401);
  expect(answer.text).not.toContain('demo');
});

test('rows go when the reader loses the right to them, and come back with it', async () => {
  const { token } = await world.reader('former-reader', [...readGroups, ...readAccounts]);
  const stream = ui.stream(token);
  await stream.complete();
  expect(stream.names()).toHaveLength(3);
  const set = async (rules: readonly object[]) => {
    const patch = { type: 'merge', body: { rules } } as const;
    await world.client.patch({ ...roles, namespaced: false }, { name: 'former-reader' }, patch);
  };
  await set(readGroups);
  await eventually('the accounts are gone', () => stream.names().join() === 'demo/ResourceGroup/demo');
  expect(stream.stateOf('StorageAccount')).toBe('forbidden');
  await set([...readGroups, ...readAccounts]);
  await eventually('the accounts are back', () => stream.names().length === 3);
  stream.close();
});

test('a kind that is defined while the page is open appears', async () => {
  const rules = [{ apiGroups: ['keyvault.azure.com'], resources: ['*'], verbs: ['list', 'watch'] }];
  const { token } = await world.reader('early', rules);
  const stream = ui.stream(token);
  await stream.complete();
  expect(stream.stateOf('Vault')).toBeUndefined();
  const definition = crdManifest(kindOf('keyvault.azure.com', 'Vault'), { versions: 'newest' });
  await world.client.create(customResourceDefinitions, definition as unknown as KubeObject);
  await eventually('the kind is listed', () => stream.stateOf('Vault') === 'listed');
  stream.close();
});

test('a token that ends while the page is open ends the stream', async () => {
  const { token } = await world.reader('leaving', readGroups);
  const stream = ui.stream(token);
  await stream.complete();
  const serviceAccounts = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount' };
  await world.client.delete({ ...serviceAccounts, namespaced: true }, { namespace: 'default', name: 'leaving' });
  await eventually('the stream says so and ends', () => stream.ended);
  expect(stream.messages.at(-1)).toMatchObject({ type: 'end' });
});

test.each([
  ['one token', 'greedy', async (token: string) => Array<string>(17).fill(token)],
  ['many tokens', 'many-pods', () => Promise.all(Array.from({ length: 17 }, () => tokenOf('many-pods')))],
])('a reader with %s has a limited number of streams, and others go on', async (_, name, tokensOf) => {
  const one = await world.reader(name, readGroups);
  const two = await world.reader(`beside-${name}`, readGroups);
  const streams = (await tokensOf(one.token)).map((token) => ui.stream(token));
  await eventually('all are answered', () => streams.every(({ status }) => status !== undefined));
  expect(streams.map(({ status }) => status).sort()).toEqual([...Array(16).fill(200), 503]);
  const other = ui.stream(two.token);
  await other.complete();
  expect(other.names()).toHaveLength(1);
  for (const stream of streams) stream.close();
  const again = async () => {
    const stream = ui.stream(one.token);
    await eventually('it is answered', () => stream.status !== undefined || stream.ended);
    return stream.status === 200;
  };
  await eventually('closed streams count no more', again);
});

test('the host name of the proxy is taken, and no other', async () => {
  expect((await ui.get('/', { host: 'azimuth.example' })).status).toBe(200);
  expect((await ui.get('/', { host: 'azimuth.example.evil' })).status).toBe(421);
});
