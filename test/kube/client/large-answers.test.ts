/** Answers of an API server that need a place, as a program of many readers gives them. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { paginate } from '../../../runtime/kube/client/paginate.ts';
import type { KubeClient, ResourceType } from '../../../runtime/kube/client/types.ts';
import { anonymous } from '../../../runtime/kube/config/connection.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type Handler, startWebServer, type WebServer } from '../../fakes/web-server.ts';

const pods: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const KIB = 1024;

let server: WebServer;
let client: KubeClient;
let handler: Handler;
/** Calls that wait for a place; each is given one by its function. */
let waiting: (() => void)[];
let places: number;

beforeEach(async () => {
  [waiting, places] = [[], 0];
  server = await startWebServer((request, response) => handler(request, response));
  const enter = (signal: AbortSignal | undefined) =>
    new Promise<() => void>((resolve, reject) => {
      let given = false;
      signal?.addEventListener('abort', () => given || reject(signal.reason), { once: true });
      waiting.push(() => {
        if (signal?.aborted) return;
        given = true;
        places++;
        resolve(() => places--);
      });
    });
  const answers = { listBytes: 64 * KIB, largeBytes: 16 * KIB, enter };
  const connection = { source: 'test', server: server.url, namespace: 'default', credential: anonymous };
  client = createKubeClient(connection, { answers });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' });
const pod = (name: string, bytes: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'demo', name, resourceVersion: '3' },
  text: 'x'.repeat(bytes),
});

async function firstOf<T>(events: AsyncIterable<T>): Promise<T | undefined> {
  for await (const event of events) return event;
  return undefined;
}

test('a short answer needs no place, and a long one is read to its end with a place alone', async () => {
  handler = ({ url }, response) =>
    begin(response).end(JSON.stringify(url.endsWith('long') ? pod('long', 400_000) : pod('short', 10)));
  await client.get(pods, { namespace: 'demo', name: 'short' });
  expect(waiting).toHaveLength(0);
  let read = false;
  const long = client.get(pods, { namespace: 'demo', name: 'long' }).then(() => {
    read = true;
  });
  await eventually('it waits', () => waiting.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(read).toBe(false);
  waiting[0]?.();
  await long;
  expect(places).toBe(0);
});

test('a long event of a watch is read with a place, and further events are read without it', async () => {
  const line = (name: string, bytes: number) => `${JSON.stringify({ type: 'ADDED', object: pod(name, bytes) })}\n`;
  let sent: ServerResponse | undefined;
  handler = (_, response) => {
    sent = response;
    begin(response).write(line('a', 10) + line('b', 200_000).slice(0, 100_000));
  };
  const names: string[] = [];
  const stop = new AbortController();
  const watch = async () => {
    for await (const event of client.watch(pods, { resourceVersion: '1', signal: stop.signal })) {
      if (event.type !== 'BOOKMARK') names.push(event.object.metadata.name);
    }
  };
  const ended = watch().catch(() => undefined);
  await eventually('it waits', () => waiting.length === 1);
  expect(names).toEqual(['a']);
  waiting[0]?.();
  sent?.write(line('b', 200_000).slice(100_000));
  await eventually('the event is there', () => names.length === 2);
  await eventually('the place is free', () => places === 0);
  sent?.write(line('c', 10));
  await eventually('the next event is there', () => names.length === 3);
  expect(waiting).toHaveLength(1);
  stop.abort();
  await ended;
});

test('a request or watch that ends while it waits, or with a place, keeps no place', async () => {
  handler = (_, response) => begin(response).write(`{"text":"${'x'.repeat(400_000)}`);
  const stop = new AbortController();
  const { signal } = stop;
  const requests = [
    client.get(pods, { namespace: 'demo', name: 'a' }, signal),
    client.get(pods, { namespace: 'demo', name: 'b' }, signal),
    firstOf(client.watch(pods, { resourceVersion: '1', signal })),
    firstOf(client.watch(pods, { resourceVersion: '1', signal })),
  ].map((each) => each.catch(() => 'failed'));
  await eventually('all wait', () => waiting.length === 4);
  waiting[0]?.();
  waiting[3]?.();
  await eventually('two have places', () => places === 2);
  stop.abort(new Error('the page is closed'));
  expect(await Promise.all(requests)).toEqual(Array(4).fill('failed'));
  await eventually('no place is in use', () => places === 0);
});

test('a list that is longer than the limit of its client comes in smaller pages, and one object whatever its length', async () => {
  const items = [pod('a', 10), pod('b', 90_000), pod('c', 10)];
  const limits: number[] = [];
  handler = ({ url }, response) => {
    const query = new URL(url, 'http://x').searchParams;
    const [first, limit] = [Number(query.get('continue') ?? 0), Number(query.get('limit'))];
    limits.push(limit);
    const next = first + limit < items.length ? { continue: `${first + limit}` } : {};
    begin(response).end(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'PodList',
        metadata: { resourceVersion: '9', ...next },
        items: items.slice(first, first + limit),
      }),
    );
  };
  const names: string[] = [];
  const read = async () => {
    for await (const page of paginate(client, pods, { limit: 3 })) {
      if (page.fresh) names.length = 0;
      names.push(...page.items.map(({ metadata }) => metadata.name));
    }
  };
  const done = read();
  const timer = setInterval(() => waiting.shift()?.(), 5);
  await done;
  clearInterval(timer);
  expect(names).toEqual(['a', 'b', 'c']);
  expect(limits).toEqual([3, 1, 1, 1]);
});
