import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { messageOf } from '../../../runtime/base/errors.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { listAll, paginate } from '../../../runtime/kube/client/paginate.ts';
import { isConflict, isNotFound } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient, ResourceType } from '../../../runtime/kube/client/types.ts';
import { anonymous } from '../../../runtime/kube/config/connection.ts';
import { type Handler, sendJson, startWebServer, type WebServer } from '../../fakes/web-server.ts';

const pods: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const nodes: ResourceType = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false };
const widgets: ResourceType = {
  group: 'example.com',
  version: 'v1beta1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
};
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'demo', name: 'web' } };
const key = { namespace: 'demo', name: 'web' };

let server: WebServer;
let client: KubeClient;
let handler: Handler;

beforeAll(async () => {
  server = await startWebServer((request, response) => handler(request, response));
  client = createKubeClient({ source: 'test', server: server.url, namespace: 'default', credential: anonymous });
});
beforeEach(() => {
  server.received.length = 0;
  handler = ({ method, url }, response) => sendJson(response, answerTo(method, url));
});
afterAll(async () => {
  await client.close();
  await server.close();
});

/** What an API server answers to a request for an object or a list of these types. */
function answerTo(method: string, url: string): object {
  const [path = ''] = url.split('?');
  if (method === 'DELETE') return { kind: 'Status', apiVersion: 'v1', status: 'Success' };
  const parts = path.split('/').slice(2);
  const group = path.startsWith('/apis/') ? parts.splice(0, 2).join('/') : String(parts.shift());
  const namespace = parts[0] === 'namespaces' ? parts.splice(0, 2)[1] : undefined;
  const [plural, name] = parts;
  const { kind } = [pods, nodes, widgets].find((type) => type.plural === plural) ?? pods;
  if (name === undefined && method === 'GET') {
    return { apiVersion: group, kind: `${kind}List`, metadata: { resourceVersion: '5' }, items: [] };
  }
  const metadata = { name: decodeURIComponent(name ?? 'web'), ...(namespace !== undefined && { namespace }) };
  return { apiVersion: group, kind, metadata };
}

const last = () => {
  const request = server.received.at(-1);
  return { ...request, json: request?.body ? JSON.parse(request.body) : undefined };
};
const failure = async (action: Promise<unknown>): Promise<unknown> =>
  action.then(
    () => new Error('no error'),
    (error) => error,
  );

test('paths follow group, version, scope and subresource', async () => {
  await client.get(pods, key);
  await client.get(nodes, { name: 'n1' });
  await client.get(nodes, { name: 'n1', namespace: 'ignored' });
  await client.get(widgets, { namespace: 'demo', name: 'a:b' });
  await client.list(pods);
  await client.list(widgets, { namespace: 'demo', limit: 0 });
  await client.createSubresource(pods, key, 'eviction', {});
  await client.replace(widgets, { ...pod, metadata: key }, { subresource: 'status' });
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v1/namespaces/demo/pods/web',
    'GET /api/v1/nodes/n1',
    'GET /api/v1/nodes/n1',
    'GET /apis/example.com/v1beta1/namespaces/demo/widgets/a%3Ab',
    'GET /api/v1/pods?limit=500',
    'GET /apis/example.com/v1beta1/namespaces/demo/widgets?limit=0',
    'POST /api/v1/namespaces/demo/pods/web/eviction',
    'PUT /apis/example.com/v1beta1/namespaces/demo/widgets/web/status',
  ]);
});

test.each(['', '.', '..', 'a/b', 'a%2fb'])('the name %j is refused before anything is sent', async (name) => {
  expect(await failure(client.delete(pods, { namespace: 'demo', name }))).toMatchObject({ code: 'AZ_CONFIG_INVALID' });
  expect(server.received).toEqual([]);
});

test('a namespaced object without a namespace is refused before anything is sent', async () => {
  expect(await failure(client.get(pods, { name: 'web' }))).toMatchObject({
    message: expect.stringMatching(/namespace/),
  });
  expect(await failure(client.create(pods, { ...pod, metadata: { name: 'web' } }))).toMatchObject({
    code: 'AZ_CONFIG_INVALID',
  });
  expect(server.received).toEqual([]);
});

test('each kind of patch has its content type, and options become parameters', async () => {
  const options = { fieldManager: 'azimuth test', dryRun: true };
  const operations = [{ op: 'add', path: '/a', value: 1 }] as const;
  await client.patch(pods, key, { type: 'json', operations }, options);
  expect(last()).toMatchObject({
    method: 'PATCH',
    url: '/api/v1/namespaces/demo/pods/web?dryRun=All&fieldManager=azimuth%20test',
    headers: { 'content-type': 'application/json-patch+json' },
    json: operations,
  });
  await client.patch(pods, key, { type: 'merge', body: { a: null } }, { subresource: 'status' });
  expect(last()).toMatchObject({
    url: '/api/v1/namespaces/demo/pods/web/status',
    headers: { 'content-type': 'application/merge-patch+json' },
    json: { a: null },
  });
  await client.patch(pods, key, { type: 'strategic', body: { b: 1 } });
  expect(last().headers).toMatchObject({ 'content-type': 'application/strategic-merge-patch+json' });
});

test('apply omits managedFields and passes force', async () => {
  const object = { ...pod, metadata: { ...pod.metadata, managedFields: [{}] } };
  await client.apply(pods, object, { fieldManager: 'me', force: true, subresource: 'status' });
  expect(last()).toMatchObject({
    url: '/api/v1/namespaces/demo/pods/web/status?fieldManager=me&force=true',
    headers: { 'content-type': 'application/apply-patch+yaml' },
  });
  expect(last().json).toEqual(pod);
  await client.apply(pods, object, { fieldManager: 'me' });
  expect(last().url).toMatch(/force=false$/);
});

test('delete sends its preconditions, policy and grace period', async () => {
  const options = {
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u', resourceVersion: '7' },
  } as const;
  await client.delete(pods, key, options);
  expect(last()).toMatchObject({ method: 'DELETE', json: { apiVersion: 'v1', kind: 'DeleteOptions', ...options } });
});

test('a list has kind and apiVersion in its items, which the server leaves out of built-in types', async () => {
  handler = (_, response) =>
    sendJson(response, {
      apiVersion: 'v1',
      kind: 'PodList',
      metadata: { resourceVersion: '9', continue: '' },
      items: [{ metadata: { namespace: 'demo', name: 'a' } }],
    });
  expect(await client.list(pods)).toEqual({
    items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'demo', name: 'a' } }],
    resourceVersion: '9',
    continue: undefined,
  });
});

test('list parameters are sent, and a continue token goes without the resourceVersion', async () => {
  await client.list(pods, {
    labelSelector: 'a in (b,c)',
    fieldSelector: 'spec.nodeName=n',
    limit: 5,
    resourceVersion: '0',
  });
  expect(last().url).toBe(
    '/api/v1/pods?labelSelector=a%20in%20(b%2Cc)&fieldSelector=spec.nodeName%3Dn&limit=5&resourceVersion=0',
  );
  await client.list(pods, { limit: 5, resourceVersion: '0', continue: 'tok/en=' });
  expect(last().url).toBe('/api/v1/pods?limit=5&continue=tok%2Fen%3D');
});

test('tryGet gives undefined for NotFound only, not for a 404 of a proxy', async () => {
  handler = (_, response) => sendJson(response, { kind: 'Status', reason: 'NotFound', message: 'gone' }, 404);
  expect(await client.tryGet(pods, key)).toBeUndefined();
  expect(isNotFound(await failure(client.get(pods, key)))).toBe(true);
  handler = (_, response) => sendJson(response, { kind: 'Status', reason: 'Forbidden' }, 403);
  expect(await failure(client.tryGet(pods, key))).toMatchObject({ status: 403 });
  handler = (_, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<title>no such route</title>');
  expect(await failure(client.tryGet(pods, key))).toMatchObject({ status: 404 });
});

test('a refusal is an error with all members of the answer', async () => {
  handler = (_, response) =>
    sendJson(response, { kind: 'Status', code: 409, reason: 'Conflict', message: 'object was modified' }, 409, {
      'retry-after': '2',
    });
  const error = await failure(client.replace(pods, pod));
  expect(isConflict(error)).toBe(true);
  expect(error).toMatchObject({
    message: 'replace pods demo/web: 409 Conflict: object was modified',
    retryable: true,
    retryAfterMs: 2000,
  });
});

test.each([
  [
    502,
    'text/html',
    '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
    /502: 502 Bad Gateway$/,
  ],
  [503, 'text/plain', 'upstream\n connect error', /503: upstream connect error$/],
  [500, 'application/json', '{"error":"x"}', /500: {"error":"x"}$/],
  [429, '', '', /429: an empty body$/],
])('a %d of %s from a proxy is a status error with its text', async (status, type, body, message) => {
  handler = (_, response) => response.writeHead(status, { 'content-type': type }).end(body);
  expect(await failure(client.get(pods, key))).toMatchObject({
    code: 'AZ_KUBE_STATUS',
    status,
    reason: '',
    retryable: true,
    message: expect.stringMatching(message),
  });
});

test.each([
  [200, 'text/html', '<title>Sign in</title><script>var a = "b"</script>', /got 200 text\/html: Sign in$/],
  [302, 'text/html', '<p>Moved to <b>login</b></p>', /got 302 text\/html: Moved to login$/],
  [200, 'application/json', '{"data":{"password":"c2Vj', /got 200 application\/json: 25 characters that are not all/],
  [200, 'application/json', '"c2Vj"', /got 200 application\/json: 6 characters that are not all of it$/],
  [200, '', '', /got 200 without a content type: an empty body/],
])('a %d of %s that is no Kubernetes answer is AZ_KUBE_ANSWER', async (status, type, body, message) => {
  handler = (_, response) => response.writeHead(status, { 'content-type': type }).end(body);
  expect(await failure(client.get(pods, key))).toMatchObject({
    code: 'AZ_KUBE_ANSWER',
    retryable: true,
    message: expect.stringMatching(message),
  });
  expect(messageOf(await failure(client.get(pods, key)))).not.toContain('c2Vj');
});

test('raw gives JSON parsed and plain text as it is', async () => {
  handler = (_, response) => response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ok');
  expect(await client.raw('/healthz')).toBe('ok');
  expect(last().url).toBe('/healthz');
});

test('an answer of several megabytes in UTF-8 arrives whole', async () => {
  const name = 'ü'.repeat(3_000_000);
  handler = (_, response) => sendJson(response, { ...pod, name });
  expect((await client.get(pods, key))['name']).toBe(name);
});

const page = (names: string[], token = '') => ({
  apiVersion: 'v1',
  kind: 'PodList',
  metadata: { resourceVersion: '5', continue: token },
  items: names.map((name) => ({ metadata: { namespace: 'demo', name } })),
});
const names = (items: { metadata: { name: string } }[]) => items.map(({ metadata }) => metadata.name);

test('paginate follows the continue tokens', async () => {
  const pages: Record<string, object> = { '': page(['a', 'b'], '1'), '1': page(['c', 'd'], '2'), '2': page(['e']) };
  handler = ({ url }, response) =>
    sendJson(response, pages[new URL(url, server.url).searchParams.get('continue') ?? ''] ?? {});
  const seen: unknown[] = [];
  for await (const { items, fresh } of paginate(client, pods, { limit: 2 })) seen.push([fresh, ...names(items)]);
  expect(seen).toEqual([
    [true, 'a', 'b'],
    [false, 'c', 'd'],
    [false, 'e'],
  ]);
});

test('an expired continue token starts the list again, without pages', async () => {
  handler = ({ url }, response) => {
    const query = new URL(url, server.url).searchParams;
    if (query.get('continue')) sendJson(response, { kind: 'Status', reason: 'Expired' }, 410);
    else sendJson(response, query.get('limit') === '0' ? page(['a', 'c', 'd']) : page(['a', 'b'], 'old'));
  };
  const { items, resourceVersion } = await listAll(client, pods, { limit: 2 });
  expect(names(items)).toEqual(['a', 'c', 'd']);
  expect(resourceVersion).toBe('5');
});

test('a first page that is refused with 410 is an error', async () => {
  handler = (_, response) => sendJson(response, { kind: 'Status', reason: 'Expired' }, 410);
  expect(await failure(listAll(client, pods, { resourceVersion: '1' }))).toMatchObject({ code: 'AZ_WATCH_EXPIRED' });
  expect(server.received).toHaveLength(1);
});

test('a list that is too long to be read comes in smaller pages', async () => {
  const items = Array.from({ length: 7 }, (_, index) => ({ ...pod, metadata: { ...pod.metadata, name: `p${index}` } }));
  const filler = 'x'.repeat(40 * 1024 * 1024);
  handler = ({ url }, response) => {
    const query = new URL(url, 'http://x').searchParams;
    const limit = Number(query.get('limit') ?? 0);
    // More than two such objects are longer than what the client reads.
    if (limit === 0 || limit > 2) return void response.end(filler);
    const start = Number(query.get('continue') ?? 0);
    const next = start + limit < items.length ? String(start + limit) : undefined;
    sendJson(response, {
      apiVersion: 'v1',
      kind: 'PodList',
      items: items.slice(start, start + limit),
      metadata: { resourceVersion: '5', continue: next },
    });
  };
  for (const limit of [8, 0]) {
    const { items: found } = await listAll(client, pods, { limit, ...(limit === 0 && { resourceVersion: '0' }) });
    expect(found.map(({ metadata }) => metadata.name)).toEqual(items.map(({ metadata }) => metadata.name));
  }
});

test('one object that is too long to be read is an error that names the request', async () => {
  handler = (_, response) => void response.end('x'.repeat(33 * 1024 * 1024));
  expect(await failure(client.get(pods, key))).toMatchObject({
    code: 'AZ_KUBE_ANSWER',
    message: expect.stringMatching(/^get pods demo\/web: the answer is longer than 32 MiB/),
  });
});
