import { afterEach, expect, test } from '@jest/globals';
import { HealthServer } from '../../../runtime/base/observability/health.ts';
import { counter, createMetrics } from '../../../runtime/base/observability/metrics.ts';

let server: HealthServer | undefined;

afterEach(() => server?.close());

async function start(): Promise<{
  server: HealthServer;
  get: (path: string) => Promise<{ status: number; text: string }>;
}> {
  const metrics = createMetrics();
  counter(metrics, { name: 'example_total', help: 'An example.' }).inc(3);
  server = new HealthServer(metrics);
  const port = await server.listen(0, '127.0.0.1');
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  return { server, get };
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
