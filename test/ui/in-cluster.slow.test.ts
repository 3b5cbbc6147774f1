/** `azimuth ui --in-cluster` as a process of a pod: it finds the API server as pods do, and has no token. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { scratch } from '../fakes/scratch.ts';
import { account, group } from '../view/support.ts';
import { accounts, groups, startViewWorld, type ViewWorld } from '../view/world.ts';
import { getText, Stream } from './support.ts';

/** CI sets this: there the tests must run, and fail where they cannot. */
const runs = process.env['AZIMUTH_NETWORK_TESTS'] === 'required' || process.getuid?.() === 0;
if (!runs) test.skip('NOT RUN: a mount namespace needs root; CI runs this', () => undefined);

const directory = scratch();
const read = (apiGroup: string) => [{ apiGroups: [apiGroup], resources: ['*'], verbs: ['get', 'list', 'watch'] }];

(runs ? describe : describe.skip)('the page as a process of a pod', () => {
  let world: ViewWorld;
  let page: ChildProcess;
  let output = '';
  let url = '';

  beforeAll(async () => {
    world = await startViewWorld();
    await world.put(groups, group('demo'));
    await world.put(accounts, account('photos', 'demo'));
    const { server, ca } = loadKubeConnection({ kubeconfig: world.kubeconfig });
    const { hostname, port } = new URL(server);
    const certificate = directory.write('ca.crt', String(ca?.read()));
    // What kubelet mounts for this pod: the certificate alone, at the place that every pod has.
    const mounted = '/var/run/secrets/kubernetes.io/serviceaccount';
    const script = `
      mount -t tmpfs tmpfs /run && mkdir -p ${mounted} && cp ${certificate} ${mounted}/ca.crt
      exec "$@"`;
    const program = [process.execPath, 'runtime/cli/azimuth.ts', 'ui', '--in-cluster', '--host=azimuth.example.com'];
    const { PATH = '' } = process.env;
    page = spawn('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...program], {
      env: { PATH, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = new Promise<string>((resolve, reject) => {
      for (const stream of [page.stdout, page.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const [found] = /http:\/\/127\.0\.0\.1:\d+\//.exec(output) ?? [];
          if (found !== undefined) resolve(found);
        });
      }
      page.once('exit', (code) => reject(new Error(`The page ended with ${code}: ${output}`)));
    });
    url = await printed;
  }, 120_000);
  afterAll(async () => {
    page?.kill('SIGKILL');
    await world?.close();
    directory.remove();
  });

  test('two readers see what their own tokens may list', async () => {
    const one = await world.reader('groups-reader', read('resources.azure.com'));
    const two = await world.reader('accounts-reader', read('storage.azure.com'));
    const streams = [one, two].map(({ token }) => new Stream(`${url}api/stream`, { authorization: `Bearer ${token}` }));
    await Promise.all(streams.map((stream) => stream.complete()));
    expect(streams.map((stream) => stream.names())).toEqual([
      ['demo/ResourceGroup/demo'],
      ['demo/StorageAccount/photos'],
    ]);
    for (const stream of streams) stream.close();
    expect(output).not.toContain(one.token);
  });

  test('without a token, with a forged one and under another host name there is nothing', async () => {
    const { token } = await world.reader('host-reader', read('resources.azure.com'));
    const authorization = `Bearer ${token}`;
    const status = async (path: string, headers: Record<string, string>) =>
      (await getText(`${url}${path}`, headers)).status;
    expect(await status('api/stream', {})).toBe(401);
    expect(await status('api/stream', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })).toBe(401);
    expect(await status('', { host: 'evil.example.com' })).toBeGreaterThanOrEqual(400);
    const query = 'api/object?group=resources.azure.com&kind=ResourceGroup&namespace=demo&name=demo';
    expect(await status(query, { authorization, host: 'azimuth.example.com' })).toBe(200);
    expect(await status(query, { authorization, host: 'evil.example.com' })).toBeGreaterThanOrEqual(400);
  });

  test('a signal ends it at once, with exit code 0', async () => {
    const ended = new Promise((resolve) => page.once('exit', resolve));
    page.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
