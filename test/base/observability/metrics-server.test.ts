import { Agent } from 'node:https';
import { connect } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { counter, createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { type DecideReader, MetricsServer } from '../../../runtime/base/observability/metrics-server.ts';
import { type MetricsRequest, readMetrics } from '../../fakes/metrics-reader.ts';

let server: MetricsServer | undefined;
afterEach(() => server?.close());

const asked: string[] = [];
const prometheus: DecideReader = async (token) => {
  asked.push(token);
  return token === 'prometheus' ? { status: 200, message: '' } : { status: 401, message: 'The token is unknown.' };
};

async function start(decide: DecideReader = prometheus) {
  asked.length = 0;
  const metrics = createMetrics();
  counter(metrics, { name: 'example_total', help: 'An example.' }).inc(3);
  server = new MetricsServer(metrics, decide);
  const port = await server.listen(0, '127.0.0.1');
  return { port, read: (options?: MetricsRequest) => readMetrics(port, options) };
}

test('the metrics are for readers whose token is accepted', async () => {
  const { read } = await start();
  const answer = await read({ token: 'prometheus' });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('example_total 3')]);
  expect(await read({ token: 'invented' })).toMatchObject({
    status: 401,
    text: 'The token is unknown.\n',
    headers: { 'www-authenticate': 'Bearer' },
  });
});

test('a reader without a token, or with something that cannot be one, is refused without a question', async () => {
  const { read } = await start();
  for (const token of [undefined, '', 'two words', 'a"quote', 'x'.repeat(13_000)]) {
    const { status, text } = await read({ token });
    expect([status, text]).toEqual([401, expect.stringMatching(/^Send the token/)]);
  }
  expect(asked).toEqual([]);
});

test('there is nothing but GET /metrics', async () => {
  const { read } = await start();
  expect((await read({ token: 'prometheus', path: '/readyz' })).status).toBe(404);
  expect(await read({ token: 'prometheus', method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  expect(asked).toEqual([]);
});

test('a decision that fails shows nothing of the metrics', async () => {
  const { read } = await start(() => Promise.reject(new Error('no answer')));
  const { status, text } = await read({ token: 'prometheus' });
  expect([status, text]).toEqual([500, '']);
});

test('plain HTTP gets no answer, and neither does a TLS before 1.3', async () => {
  const { port } = await start();
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('fetch failed');
  const old = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
  const ended = await new Promise((resolve) => old.on('error', (error) => resolve(error.message)));
  expect(ended).toMatch(/protocol version|ECONNRESET/);
});

test('a connection has one request: a second token costs a second handshake', async () => {
  const { read } = await start();
  const agent = new Agent({ keepAlive: true });
  const first = await read({ token: 'prometheus', agent });
  expect(first.headers.connection).toBe('close');
  expect((await read({ token: 'prometheus', agent })).status).toBe(200);
  agent.destroy();
});

test('requests that follow on one connection without waiting reach nobody', async () => {
  const { port } = await start();
  const request = (token: string) => `GET /metrics HTTP/1.1\r\nhost: n\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  socket.on('error', () => undefined).write(['a', 'b', 'c', 'd'].map(request).join(''));
  await new Promise((resolve) => socket.resume().once('close', resolve));
  expect(asked).toEqual([]);
});

test('an address that sends invented tokens is slowed down, and Prometheus is not', async () => {
  const { read } = await start();
  const pod = '127.0.0.66';
  const answers = await Promise.allSettled(
    Array.from({ length: 100 }, (_, i) => read({ token: `invented-${i}`, localAddress: pod })),
  );
  const answered = answers.filter(({ status }) => status === 'fulfilled').length;
  expect(answered).toBeGreaterThan(0);
  expect(asked.length).toBeLessThan(20);
  expect((await read({ token: 'prometheus', localAddress: '127.0.0.67' })).status).toBe(200);
});
