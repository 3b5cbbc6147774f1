/** What one reader can make the server of the page hold, and what the others notice of it. */
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { KubeConnection } from '../../../runtime/kube/config/connection.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { readersAccess } from '../../../runtime/ui/cluster/access.ts';
import { eventually } from '../../fakes/eventually.ts';
import { account, group } from '../../view/support.ts';
import { accounts, type Cluster, groups, startViewWorld } from '../../view/world.ts';
import { type RunningUi, startUi } from '../support.ts';

const MIB = 1024 * 1024;
const rules = ['resources.azure.com', 'storage.azure.com'].map((apiGroup) => ({
  apiGroups: [apiGroup],
  resources: ['*'],
  verbs: ['get', 'list', 'watch'],
}));

let world: Cluster;
let ui: RunningUi;

beforeAll(async () => {
  world = await startViewWorld();
  await world.put(groups, group('demo'));
  await world.put(accounts, account('photos', 'demo'));
});
afterEach(() => ui?.close());
afterAll(() => world?.close());

async function start(memoryBytes?: number, connections?: number) {
  const { credential: _, ...server }: KubeConnection = loadKubeConnection({ kubeconfig: world.kubeconfig });
  ui = await startUi(readersAccess(server), {
    view: { accessMs: 200, statusMs: 50 },
    memoryBytes,
    ...(connections && { connections }),
  });
}

/** A reader in a namespace, that is in a share, of its own. */
async function readerIn(namespace: string): Promise<string> {
  const core = { group: '', version: 'v1', namespaced: true } as const;
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false } as const;
  const put = (type: object, kind: string, plural: string, rest: object) =>
    world.client.create({ ...core, ...type, kind, plural }, {
      apiVersion: 'group' in type ? 'rbac.authorization.k8s.io/v1' : 'v1',
      kind,
      ...rest,
    } as never);
  await put({ namespaced: false }, 'Namespace', 'namespaces', { metadata: { name: namespace } });
  await put({}, 'ServiceAccount', 'serviceaccounts', { metadata: { name: 'reader', namespace } });
  await put(rbac, 'ClusterRole', 'clusterroles', { metadata: { name: namespace }, rules });
  await put(rbac, 'ClusterRoleBinding', 'clusterrolebindings', {
    metadata: { name: namespace },
    roleRef: { apiGroup: rbac.group, kind: 'ClusterRole', name: namespace },
    subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace }],
  });
  return world.kube.tokenFor({ namespace, name: 'reader' });
}

test('pages above the share of their reader are refused with the way out, and those of others open', async () => {
  await start(4 * MIB);
  const [one, two] = await Promise.all([readerIn('one'), readerIn('two')]);
  const streams = Array.from({ length: 8 }, () => ui.stream(one));
  await eventually('all are answered', () => streams.every(({ status }) => status !== undefined));
  const refused = streams.filter(({ status }) => status === 503);
  expect(refused.length).toBe(4);
  expect(refused[0]?.text).toContain('name a namespace, or close other pages');
  const other = ui.stream(two);
  await other.complete();
  expect(other.names()).toHaveLength(2);
  expect(streams.filter(({ ended }) => !ended).length).toBe(8 - refused.length);
});

test('kinds for which there is no memory are named on the page, and come when another page is closed', async () => {
  await start(2.5 * MIB);
  const token = await readerIn('three');
  const first = ui.stream(token);
  await first.complete();
  const second = ui.stream(token);
  await second.complete();
  expect(first.kinds.map(({ state }) => state)).not.toContain('failed');
  const failed = second.kinds.filter(({ state }) => state === 'failed');
  expect(failed[0]?.message).toContain('name a namespace, or close other pages');
  first.close();
  await eventually('all are listed', () => second.kinds.every(({ state }) => state !== 'failed'));
});

test('where all memory is in use the oldest page of the largest share ends with the reason, for a smaller one', async () => {
  await start(3 * MIB);
  const [large, middle, small] = await Promise.all([readerIn('four'), readerIn('five'), readerIn('six')]);
  const [oldest, second] = [ui.stream(large), ui.stream(large)];
  await Promise.all([oldest.complete(), second.complete()]);
  const others = [ui.stream(middle), ui.stream(middle)];
  await Promise.all(others.map((stream) => stream.complete()));
  const streams = [oldest, second, ...others];
  const opened = ui.stream(small);
  await opened.complete();
  await eventually('a page ended', () => streams.some(({ ended }) => ended));
  const ended = streams.filter((stream) => stream.ended);
  expect(ended).toHaveLength(1);
  expect(ended[0]?.messages.at(-1)).toMatchObject({
    type: 'closed',
    message: expect.stringContaining('more than its share'),
  });
  expect(opened.names()).toHaveLength(2);
});

test('details that their reader does not read keep their places, and are free when the connection ends', async () => {
  // Half of it has room for two of the details, as the kernel takes megabytes of each connection before one is held.
  await start(4 * MIB);
  const token = await readerIn('seven');
  const condition = { status: 'False', reason: 'Failed', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const conditions = Array.from({ length: 50 }, (_, index) => {
    return { ...condition, type: `Condition${index}`, message: 'é'.repeat(4000) };
  });
  await world.put(accounts, account('large', 'demo', { conditions }));
  const query = new URLSearchParams({ group: accounts.group, kind: accounts.kind, namespace: 'demo', name: 'large' });
  const status = async () => (await ui.get(`/api/object?${query}`, { authorization: `Bearer ${token}` })).status;
  const sockets = Array.from({ length: 3 }, () => connect({ port: ui.port, host: '127.0.0.1' }).pause());
  const asked = `GET /api/object?${query} HTTP/1.1\r\nHost: 127.0.0.1:${ui.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const staysFull = async () => {
    for (const socket of sockets) socket.write(asked);
    for (let time = 0; time < 5; time++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      if ((await status()) !== 503) return false;
    }
    return true;
  };
  // What the kernel takes counts no more.
  await eventually('all places are in use', staysFull);
  for (const socket of sockets) socket.destroy();
  await eventually('their places are free', async () => (await status()) === 200);
});

test('connections are limited, whether or not they send a request', async () => {
  await start(undefined, 10);
  const sockets: Socket[] = [];
  let ended = 0;
  for (let index = 0; index < 15; index++) {
    sockets.push(connect({ port: ui.port, host: '127.0.0.1' }).on('close', () => ended++));
  }
  await eventually('those above the limit end', () => ended === 5);
  for (const socket of sockets) socket.destroy();
  await eventually('there is room again', async () => (await ui.get('/').catch(() => undefined))?.status === 200);
});
