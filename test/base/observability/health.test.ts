import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { HealthServer } from '../../../runtime/base/observability/health.ts';
import { counter, createMetrics, gauge } from '../../../runtime/base/observability/metrics.ts';

let server: HealthServer | undefined;

const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

async function start(): Promise<{
  server: HealthServer;
  get: (path: string) => Promise<{ status: number; text: string }>;
  /** Connections of a pod with this address that send nothing. */
  hold: (address: string, count: number) => Promise<Socket[]>;
}> {
  const metrics = createMetrics();
  counter(metrics, { name: 'example_total', help: 'An example.' }).inc(3);
  server = new HealthServer(metrics);
  const port = await server.listen(0, '127.0.0.1');
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const hold = async (address: string, count: number) => {
    const held = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port, localAddress: address }));
    sockets.push(...held);
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    return held;
  };
  return { server, get, hold };
}

test('readiness answers 500 and names the check that failed, liveness is apart', async () => {
  const { server: health, get } = await start();
  let problem: string | undefined = 'secrets are not listed yet';
  health.addReadiness('caches', () => problem);
  health.addReadiness('lease', () => undefined);
  expect(await get('/readyz')).toEqual({
    status: 500,
    text: '[-]caches failed: secrets are not listed yet\n[+]lease ok\nfailed\n',
  });
  expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
  problem = undefined;
  expect((await get('/readyz?verbose')).status).toBe(200);
});

test('a check that throws fails, and the program goes on', async () => {
  const { server: health, get } = await start();
  health.addLiveness('odd', () => {
    throw new Error('no such cache');
  });
  expect(await get('/healthz')).toEqual({
    status: 500,
    text: '[-]odd failed: the check itself failed: no such cache\nfailed\n',
  });
});

test('metrics are served in the text format, other paths are not', async () => {
  const { get } = await start();
  expect((await get('/metrics')).text).toContain('example_total 3');
  expect((await get('/')).status).toBe(404);
});

test('the same metric can be asked for twice', () => {
  const metrics = createMetrics();
  const options = { name: 'twice_total', help: 'Twice.', labelNames: ['a'] as const };
  expect(counter(metrics, options)).toBe(counter(metrics, options));
});

test('an address that holds eight connections gets no further one, and others are answered', async () => {
  const { get, hold } = await start();
  await hold('127.0.0.2', 8);
  const [ninth] = (await hold('127.0.0.2', 1)) as [Socket];
  await once(ninth.resume(), 'close');
  expect((await get('/healthz')).status).toBe(200);
});

test('many addresses that send nothing keep nobody out: those with most connections lose their oldest', async () => {
  const { get, hold } = await start();
  const [prometheus] = (await hold('127.0.2.1', 1)) as [Socket];
  const [oldest] = (await hold('127.0.1.1', 8)) as [Socket];
  const ended = once(oldest.resume(), 'close');
  for (let pod = 2; pod < 18; pod++) await hold(`127.0.1.${pod}`, 8);
  await ended;
  expect((await get('/readyz')).status).toBe(200);
  // It was there before all of them.
  const answer = once(prometheus, 'data');
  prometheus.write('GET /healthz HTTP/1.1\r\nhost: n\r\n\r\n');
  expect(String((await answer)[0])).toContain('200 OK');
});

test('among many addresses with one connection each, the first to connect loses it', async () => {
  const { get, hold } = await start();
  const [first] = (await hold('127.0.1.1', 1)) as [Socket];
  const ended = once(first.resume(), 'close');
  for (let pod = 2; pod < 130; pod++) await hold(`127.0.1.${pod}`, 1);
  await ended;
  expect((await get('/readyz')).status).toBe(200);
});

test('hundreds of requests that come at once cost nothing: their connection ends', async () => {
  const { server: health, hold } = await start();
  let checks = 0;
  health.addLiveness('counted', () => void checks++);
  const [socket] = await hold('127.0.0.2', 1);
  socket?.on('error', () => undefined).write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(600));
  await once(socket as Socket, 'close');
  expect(checks).toBe(0);
});

test('without metrics the path of the metrics does not exist', async () => {
  server = new HealthServer();
  const port = await server.listen(0, '127.0.0.1');
  const statuses = ['/metrics', '/healthz'].map(
    async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});

test('metrics that many ask for at once are collected once', async () => {
  const metrics = createMetrics();
  let collected = 0;
  const collect = () => {
    collected += 1;
  };
  Object.assign(gauge(metrics, { name: 'collected', help: 'How often.' }), { collect });
  server = new HealthServer(metrics);
  const port = await server.listen(0, '127.0.0.1');
  const answers = Array.from({ length: 6 }, async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).status);
  expect(await Promise.all(answers)).toEqual(Array(6).fill(200));
  expect(collected).toBe(1);
});
