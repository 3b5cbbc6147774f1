import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { scratch } from '../fakes/scratch.ts';
import { account, group } from '../view/support.ts';
import { accounts, type Cluster, groups, startViewWorld } from '../view/world.ts';
import { canMount, type PageProcess, startPageProcess } from './page-process.ts';
import { getText, Stream } from './support.ts';

if (!canMount) test.skip('NOT RUN: a mount namespace needs root; CI runs this', () => undefined);

const directory = scratch();
const read = (apiGroup: string) => [{ apiGroups: [apiGroup], resources: ['*'], verbs: ['get', 'list', 'watch'] }];

(canMount ? describe : describe.skip)('the page as a process of a pod', () => {
  let world: Cluster;
  let page: PageProcess;

  beforeAll(async () => {
    world = await startViewWorld();
    await world.put(groups, group('demo'));
    await world.put(accounts, account('photos', 'demo'));
    const { server, ca } = loadKubeConnection({ kubeconfig: world.kubeconfig });
    page = await startPageProcess({ server, ca: String(ca?.read()), files: directory });
  }, 120_000);
  afterAll(async () => {
    page?.child.kill('SIGKILL');
    await world?.close();
    directory.remove();
  });

  test('two readers see what their own tokens may list', async () => {
    const one = await world.reader('groups-reader', read('resources.azure.com'));
    const two = await world.reader('accounts-reader', read('storage.azure.com'));
    const streams = [one, two].map(
      ({ token }) => new Stream(`${page.url}api/stream`, { authorization: `Bearer ${token}` }),
    );
    await Promise.all(streams.map((stream) => stream.complete()));
    expect(streams.map((stream) => stream.names())).toEqual([
      ['demo/ResourceGroup/demo'],
      ['demo/StorageAccount/photos'],
    ]);
    for (const stream of streams) stream.close();
    expect(page.output()).not.toContain(one.token);
  });

  test('without a token, with a forged one and under another host name there is nothing', async () => {
    const { token } = await world.reader('host-reader', read('resources.azure.com'));
    const authorization = `Bearer ${token}`;
    const status = async (path: string, headers: Record<string, string>) =>
      (await getText(`${page.url}${path}`, headers)).status;
    expect(await status('api/stream', {})).toBe(401);
    expect(await status('api/stream', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })).toBe(401);
    expect(await status('', { host: 'evil.example.com' })).toBeGreaterThanOrEqual(400);
    const query = 'api/object?group=resources.azure.com&kind=ResourceGroup&namespace=demo&name=demo';
    expect(await status(query, { authorization, host: 'azimuth.example.com' })).toBe(200);
    expect(await status(query, { authorization, host: 'evil.example.com' })).toBeGreaterThanOrEqual(400);
  });

  test('a signal ends it at once, with exit code 0', async () => {
    const ended = new Promise((resolve) => page.child.once('exit', resolve));
    page.child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
