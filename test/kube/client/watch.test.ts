import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, ResourceType, WatchEvent, WatchOptions } from '../../../runtime/kube/client/types.ts';
import { anonymous } from '../../../runtime/kube/config/connection.ts';
import { bearerToken } from '../../../runtime/kube/config/credentials.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type Handler, sendJson, startWebServer, type WebServer } from '../../fakes/web-server.ts';

const pods: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

let server: WebServer;
let client: KubeClient;
let handler: Handler;

beforeEach(async () => {
  server = await startWebServer((request, response) => handler(request, response));
  client = createKubeClient({ source: 'test', server: server.url, namespace: 'default', credential: anonymous });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' });
const pod = { apiVersion: 'v1', kind: 'Pod' };
const event = (type: string, name: string, more: object = {}) =>
  `${JSON.stringify({ type, object: { ...pod, metadata: { namespace: 'demo', name, resourceVersion: '3' }, ...more } })}\n`;

/** Everything that a watch yields, and how it ended. */
async function collect(options: Partial<WatchOptions> = {}): Promise<{ events: WatchEvent[]; error: unknown }> {
  const events: WatchEvent[] = [];
  try {
    for await (const one of client.watch(pods, { resourceVersion: '1', ...options })) events.push(one);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}
const named = (events: WatchEvent[]) =>
  events.map((one) =>
    one.type === 'BOOKMARK' ? `BOOKMARK ${one.resourceVersion}` : `${one.type} ${one.object.metadata.name}`,
  );

test('events come in order until the server ends the watch', async () => {
  handler = (_, response) =>
    begin(response).end(
      event('ADDED', 'a') + event('MODIFIED', 'ü') + event('BOOKMARK', '') + event('DELETED', 'a').trimEnd(),
    );
  const { events, error } = await collect({ namespace: 'demo', labelSelector: 'a=b', timeoutSeconds: 7 });
  expect(error).toBeUndefined();
  expect(named(events)).toEqual(['ADDED a', 'MODIFIED ü', 'BOOKMARK 3', 'DELETED a']);
  expect(server.received[0]?.url).toBe(
    '/api/v1/namespaces/demo/pods?watch=true&allowWatchBookmarks=true&labelSelector=a%3Db&resourceVersion=1&timeoutSeconds=7',
  );
});

test('a watch reports that the server has accepted it, with or without an event', async () => {
  let opened = 0;
  const onOpen = () => {
    opened++;
  };
  handler = (_, response) => begin(response).end();
  await collect({ onOpen });
  expect(opened).toBe(1);
  handler = (_, response) => sendJson(response, { kind: 'Status', code: 403, reason: 'Forbidden' }, 403);
  expect((await collect({ onOpen })).error).toMatchObject({ status: 403 });
  expect(opened).toBe(1);
});

test('an event is delivered as soon as its line is complete, however the bytes are cut', async () => {
  let send: (bytes: Buffer) => void = () => undefined;
  handler = (_, response) => {
    begin(response).flushHeaders();
    send = (bytes) => response.write(bytes);
  };
  const bytes = Buffer.from(event('ADDED', 'zwölf'));
  const stream = client.watch(pods, { resourceVersion: '1' })[Symbol.asyncIterator]();
  const first = stream.next();
  await eventually('the watch is open', () => server.received.length === 1);
  for (const byte of bytes) {
    send(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await first).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'zwölf' } } });
  await stream.return?.();
});

test('20,000 events and one of several megabytes arrive without a loss', async () => {
  const count = 20_000;
  handler = (_, response) => {
    begin(response);
    for (let i = 0; i < count; i++) response.write(event('MODIFIED', `p${i}`, { filler: 'x'.repeat(200) }));
    response.end(event('ADDED', 'large', { filler: 'é'.repeat(2_000_000) }));
  };
  const { events, error } = await collect();
  expect(error).toBeUndefined();
  expect(events).toHaveLength(count + 1);
  expect(
    events.slice(0, count).every((one, i) => one.type === 'MODIFIED' && one.object.metadata.name === `p${i}`),
  ).toBe(true);
  expect(events.at(-1)).toMatchObject({ object: { filler: 'é'.repeat(2_000_000) } });
});

test('an ERROR event is thrown, 410 with the code for a new list', async () => {
  const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 1 (9)' };
  handler = (_, response) => begin(response).end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
  expect((await collect()).error).toMatchObject({
    code: 'AZ_WATCH_EXPIRED',
    status: 410,
    message: 'watch pods: 410 Expired: too old resource version: 1 (9)',
  });
  handler = (_, response) =>
    begin(response).end(
      `${JSON.stringify({ type: 'ERROR', object: { ...status, code: 500, details: { retryAfterSeconds: 1 } } })}\n`,
    );
  expect((await collect()).error).toMatchObject({ code: 'AZ_KUBE_STATUS', status: 500, retryAfterMs: 1000 });
});

test('a refused watch is a status error', async () => {
  handler = (_, response) => sendJson(response, { kind: 'Status', reason: 'Forbidden', message: 'no' }, 403);
  expect((await collect({ namespace: 'demo' })).error).toMatchObject({
    status: 403,
    message: 'watch pods demo: 403 Forbidden: no',
  });
  handler = (_, response) => sendJson(response, {}, 503, { 'retry-after': '4' });
  expect((await collect()).error).toMatchObject({ status: 503, retryable: true, retryAfterMs: 4000 });
});

test('a 401 opens the watch once more with a fresh token', async () => {
  let token = 'old';
  const credential = bearerToken({
    read: () => token,
    refresh: () => {
      token = 'new';
    },
  });
  const watcher = createKubeClient({ source: 'test', server: server.url, namespace: 'default', credential });
  handler = ({ headers }, response) =>
    headers.authorization === 'Bearer new' ? begin(response).end(event('ADDED', 'a')) : sendJson(response, {}, 401);
  const events: WatchEvent[] = [];
  for await (const one of watcher.watch(pods, { resourceVersion: '1' })) events.push(one);
  expect(named(events)).toEqual(['ADDED a']);
  await watcher.close();
});

test.each([
  ['text that is not JSON', 'hidden-text\n', /11 characters that are not JSON/],
  ['a line that was cut', event('ADDED', 'hidden').slice(0, 30), /30 characters that are not JSON/],
  ['an event without an object', '{"type":"ADDED"}\n', /without an object/],
  ['null', 'null\n', /without an object/],
  ['an unknown type', '{"type":"MOVED","object":{}}\n', /unknown type "MOVED"/],
])('%s is thrown as AZ_KUBE_ANSWER after the events before it, without quoting it', async (_, bytes, message) => {
  handler = (_request, response) => begin(response).end(event('ADDED', 'good') + bytes);
  const { events, error } = await collect();
  expect(named(events)).toEqual(['ADDED good']);
  expect(error).toMatchObject({ code: 'AZ_KUBE_ANSWER', retryable: true, message: expect.stringMatching(message) });
  expect(String(error)).not.toContain('hidden');
});

test('a connection that breaks is AZ_KUBE_UNREACHABLE', async () => {
  handler = (_, response) => {
    begin(response).write(event('ADDED', 'a'));
    setImmediate(() => response.destroy());
  };
  const { error } = await collect();
  expect(error).toMatchObject({ code: 'AZ_KUBE_UNREACHABLE', retryable: true });
});

test('a silent connection is closed after the idle time', async () => {
  handler = (_, response) => {
    begin(response).write(event('ADDED', 'a'));
  };
  const { events, error } = await collect({ idleTimeoutMs: 300 });
  expect(named(events)).toEqual(['ADDED a']);
  expect(error).toMatchObject({
    code: 'AZ_KUBE_UNREACHABLE',
    retryable: true,
    message: 'watch pods: no byte for 300 ms, the connection counts as dead',
  });
  await eventually('the socket is freed', () => server.sockets.size === 0);
});

test('a half-open connection, accepted and never answered, is noticed within the idle time', async () => {
  const sockets = new Set<Socket>();
  const deaf = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
  const watcher = createKubeClient({ source: 'test', server: url, namespace: 'default', credential: anonymous });
  const next = watcher.watch(pods, { resourceVersion: '1', idleTimeoutMs: 200 })[Symbol.asyncIterator]().next();
  await expect(next).rejects.toMatchObject({ code: 'AZ_KUBE_UNREACHABLE', message: expect.stringMatching(/no byte/) });
  await eventually('the socket is freed', () => sockets.size === 0);
  await watcher.close();
  await new Promise<void>((resolve) => deaf.close(() => resolve()));
});

test('bytes keep a quiet watch alive, and a slow consumer is not silence', async () => {
  handler = (_, response) => {
    begin(response).flushHeaders();
    let beats = 0;
    const timer = setInterval(() => {
      beats++;
      response.write(event('BOOKMARK', ''));
      if (beats === 6) {
        clearInterval(timer);
        response.end(event('ADDED', 'end'));
      }
    }, 400);
  };
  const seen: WatchEvent[] = [];
  for await (const one of client.watch(pods, { resourceVersion: '1', idleTimeoutMs: 2000 })) {
    seen.push(one);
    if (seen.length === 1) await new Promise((resolve) => setTimeout(resolve, 2500));
  }
  expect(seen).toHaveLength(7);
});

test('an abort ends the watch with the signal reason and frees the socket', async () => {
  handler = (_, response) => begin(response).flushHeaders();
  const controller = new AbortController();
  const pending = collect({ signal: controller.signal });
  await eventually('the watch is open', () => server.received.length === 1);
  const reason = new Error('shutting down');
  controller.abort(reason);
  expect((await pending).error).toBe(reason);
  await eventually('the socket is freed', () => server.sockets.size === 0);
  expect((await collect({ signal: controller.signal })).error).toBe(reason);
});

test('leaving the loop frees the socket at once', async () => {
  handler = (_, response) => {
    begin(response).write(event('ADDED', 'a') + event('ADDED', 'b'));
  };
  for await (const one of client.watch(pods, { resourceVersion: '1' })) {
    expect(named([one])).toEqual(['ADDED a']);
    break;
  }
  await eventually('the socket is freed', () => server.sockets.size === 0);
});

test('many watches leave room for requests, and closing the client ends them all', async () => {
  handler = ({ url }, response) => {
    if (url.includes('watch=true')) begin(response).flushHeaders();
    else sendJson(response, { kind: 'Pod', metadata: {} });
  };
  const watches = Array.from({ length: 40 }, () => collect());
  await eventually('all watches are open', () => server.received.length === 40);
  expect(await client.raw('/version')).toBeDefined();
  await client.close();
  for (const { error } of await Promise.all(watches)) expect(error).toMatchObject({ code: 'AZ_KUBE_UNREACHABLE' });
  await eventually('no socket is left', () => server.sockets.size === 0);
});
