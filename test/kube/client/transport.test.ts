import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { TransportOptions } from '../../../runtime/kube/client/transport.ts';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import {
  anonymous,
  type Credential,
  type KubeConnection,
  type TextSource,
} from '../../../runtime/kube/config/connection.ts';
import { bearerToken, withCertificate } from '../../../runtime/kube/config/credentials.ts';
import { fixedText } from '../../../runtime/kube/config/text-source.ts';
import { type Issued, issueCertificate } from '../../fakes/certificates.ts';
import { startConnectProxy } from '../../fakes/connect-proxy.ts';
import { eventually } from '../../fakes/eventually.ts';
import { startSocksProxy } from '../../fakes/socks-proxy.ts';
import { type Handler, sendJson, startWebServer, type WebServer } from '../../fakes/web-server.ts';

let authority: Issued;
let pair: Issued;
const open: { close(): Promise<void> }[] = [];

beforeAll(() => {
  authority = issueCertificate({ commonName: 'authority', ca: true });
  pair = issueCertificate({ commonName: 'kube', hosts: ['127.0.0.1', 'inner.example'], issuer: authority });
});
const cleanUp = async () => {
  for (const one of open.splice(0).reverse()) await one.close();
};
afterEach(cleanUp);
afterAll(cleanUp);

async function serve(handler: Handler, tls: object = pair): Promise<WebServer> {
  const server = await startWebServer(handler, tls);
  open.push(server);
  return server;
}

function client(
  server: { readonly url: string },
  more: Partial<KubeConnection> = {},
  options?: TransportOptions,
): KubeClient {
  const connection: KubeConnection = {
    source: 'test',
    server: server.url,
    namespace: 'default',
    ca: fixedText(authority.cert),
    credential: anonymous,
    ...more,
  };
  const created = createKubeClient(connection, options);
  open.push(created);
  return created;
}

const ok: Handler = (_, response) => sendJson(response, { ok: true });

/** A text source that a test changes; counts as stale only after `refresh`. */
function changing(first: string): TextSource & { next: string } {
  let shown = first;
  const source = {
    next: first,
    read: () => shown,
    refresh: () => {
      shown = source.next;
    },
  };
  return source;
}

test('requests carry the token, the user agent and the impersonation', async () => {
  const server = await serve(ok);
  const impersonate = {
    user: 'jane',
    uid: '7',
    groups: ['dev', 'ops'],
    extra: { 'Example.com/scope': ['a', 'b'] },
  };
  await client(server, { credential: bearerToken(fixedText('t')), impersonate }, { userAgent: 'azimuth-operator' }).raw(
    '/version',
  );
  expect(server.received[0]?.headers).toMatchObject({
    authorization: 'Bearer t',
    accept: 'application/json',
    'user-agent': expect.stringMatching(/^azimuth-operator \(linux\/|^azimuth-operator \(/),
    'impersonate-user': 'jane',
    'impersonate-uid': '7',
    'impersonate-group': 'dev, ops',
    'impersonate-extra-example.com%2fscope': 'a, b',
  });
});

test('a path in the server URL is kept in front of every request', async () => {
  const server = await serve(ok);
  await client({ url: `${server.url}/k8s/clusters/c-1` }).raw('/version');
  expect(server.received[0]?.url).toBe('/k8s/clusters/c-1/version');
});

test('after a 401 the request is sent once more with a fresh token', async () => {
  const token = changing('old');
  token.next = 'new';
  const server = await serve(({ headers }, response) =>
    headers.authorization === 'Bearer new' ? sendJson(response, { ok: true }) : sendJson(response, {}, 401),
  );
  expect(await client(server, { credential: bearerToken(token) }).raw('/version')).toEqual({ ok: true });
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
});

test('a 401 with nothing fresh to offer is not repeated, and the token is not in the error', async () => {
  const server = await serve((_, response) =>
    sendJson(response, { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' }, 401),
  );
  const error = await client(server, { credential: bearerToken(fixedText('hidden')) })
    .raw<Error>('/version')
    .catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ status: 401, reason: 'Unauthorized', retryable: true });
  expect(JSON.stringify(error) + error.stack).not.toContain('hidden');
  expect(server.received).toHaveLength(1);
});

test('a fresh token that is refused too ends as the second 401', async () => {
  const token = changing('a');
  token.next = 'b';
  const server = await serve((_, response) => sendJson(response, {}, 401));
  await expect(client(server, { credential: bearerToken(token) }).raw('/version')).rejects.toMatchObject({
    status: 401,
  });
  expect(server.received).toHaveLength(2);
});

test('a client certificate is shown, and a renewed one is used without restart', async () => {
  const names: unknown[] = [];
  const server = await serve(
    ({ socket }, response) => {
      names.push(
        (socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }).getPeerCertificate().subject.CN,
      );
      sendJson(response, { ok: true });
    },
    { ...pair, ca: authority.cert, requestCert: true },
  );
  const [first, second] = [
    issueCertificate({ commonName: 'first', issuer: authority }),
    issueCertificate({ commonName: 'second', issuer: authority }),
  ];
  const [cert, key] = [changing(first.cert), changing(first.key)];
  const kube = client(server, { credential: withCertificate(anonymous, { cert, key }) });
  await kube.raw('/version');
  cert.next = second.cert;
  cert.refresh();
  // The key lags behind: a pair that does not fit must not break what works.
  await kube.raw('/version');
  key.next = second.key;
  key.refresh();
  await kube.raw('/version');
  expect(names).toEqual(['first', 'first', 'second']);
});

test('a CA that is replaced is picked up: the first request fails, the next one works', async () => {
  const other = issueCertificate({ commonName: 'other', ca: true });
  const server = await serve(ok);
  const ca = changing(authority.cert);
  const kube = client(server, { ca });
  await kube.raw('/version');
  server.renew(issueCertificate({ commonName: 'kube', hosts: ['127.0.0.1'], issuer: other }));
  ca.next = other.cert;
  for (const socket of server.sockets) socket.destroy();
  await expect(kube.raw('/version')).rejects.toMatchObject({ code: 'AZ_KUBE_UNREACHABLE' });
  expect(await kube.raw('/version')).toEqual({ ok: true });
});

test('a server without a certificate of the CA is refused, unless verification is off', async () => {
  const server = await serve(ok);
  const ca = fixedText(issueCertificate({ commonName: 'other', ca: true }).cert);
  await expect(client(server, { ca }).raw('/version')).rejects.toMatchObject({
    code: 'AZ_KUBE_UNREACHABLE',
    message: expect.stringMatching(/certificate/),
  });
  const { ca: _, ...insecure } = { ca, insecureSkipTlsVerify: true };
  const connection = { source: 'test', server: server.url, namespace: 'default', credential: anonymous, ...insecure };
  const kube = createKubeClient(connection);
  open.push(kube);
  expect(await kube.raw('/version')).toEqual({ ok: true });
});

test('tls-server-name is what the certificate must hold', async () => {
  const server = await serve(ok, issueCertificate({ commonName: 'kube', hosts: ['inner.example'], issuer: authority }));
  await expect(client(server).raw('/version')).rejects.toMatchObject({ code: 'AZ_KUBE_UNREACHABLE' });
  expect(await client(server, { tlsServerName: 'inner.example' }).raw('/version')).toEqual({ ok: true });
});

test('a CA that is no certificate is a configuration error that names the source', async () => {
  const ca = fixedText('-----BEGIN CERTIFICATE-----\nhidden\n-----END CERTIFICATE-----');
  await expect(client({ url: 'https://127.0.0.1:1' }, { ca }).raw('/version')).rejects.toMatchObject({
    code: 'AZ_KUBECONFIG_INVALID',
    message: expect.stringMatching(/^test: unusable certificate or key/),
  });
});

test('a proxy-url carries the connection, with its user and password, and TLS ends at the server', async () => {
  const server = await serve(ok);
  const proxy = await startConnectProxy();
  open.push(proxy);
  const withUser = proxy.url.replace('http://', 'http://jo:hidden@');
  const kube = client(server, { proxy: withUser, tlsServerName: 'inner.example' });
  expect(await kube.raw('/version')).toEqual({ ok: true });
  expect(proxy.tunnels[0]).toEqual({
    target: `127.0.0.1:${server.port}`,
    authorization: `Basic ${Buffer.from('jo:hidden').toString('base64')}`,
  });
  await proxy.close();
  const error = await client(server, { proxy: withUser })
    .raw<Error>('/version')
    .catch((thrown: Error) => thrown);
  expect(error.message).toMatch(/no answer from https:\/\/127.0.0.1:\d+ through the proxy 127.0.0.1:\d+/);
  expect(error.message).not.toContain('hidden');
});

test('a proxy-url may be a SOCKS5 proxy', async () => {
  const server = await serve(ok);
  const proxy = await startSocksProxy();
  open.push(proxy);
  expect(await client(server, { proxy: proxy.url }).raw('/version')).toEqual({ ok: true });
  expect(proxy.targets).toEqual([`127.0.0.1:${server.port}`]);
});

test('loopback is reached directly although the environment names a proxy', async () => {
  const server = await serve(ok);
  const before = process.env['HTTPS_PROXY'];
  process.env['HTTPS_PROXY'] = 'http://127.0.0.1:1';
  try {
    expect(await client(server).raw('/version')).toEqual({ ok: true });
  } finally {
    if (before === undefined) delete process.env['HTTPS_PROXY'];
    else process.env['HTTPS_PROXY'] = before;
  }
});

test('a refused connection is AZ_KUBE_UNREACHABLE with the cause, and the next request works once the server is there', async () => {
  const { port, close } = await startWebServer(ok, pair);
  await close();
  const kube = client({ url: `https://127.0.0.1:${port}` });
  await expect(kube.raw('/version')).rejects.toMatchObject({
    code: 'AZ_KUBE_UNREACHABLE',
    retryable: true,
    message: `get /version: no answer from https://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
  });
  // The very same port cannot be promised, so a relay takes it over.
  const server = await serve(ok);
  const relay = createServer((socket: Socket) => socket.pipe(connect(server.port, '127.0.0.1')).pipe(socket));
  await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve));
  expect((relay.address() as AddressInfo).port).toBe(port);
  expect(await kube.raw('/version')).toEqual({ ok: true });
  await kube.close();
  relay.close();
});

test('a request to a server that accepts and never answers fails after the time limit', async () => {
  const server = await serve(() => undefined);
  await expect(client(server, {}, { timeoutMs: 300 }).raw('/version')).rejects.toMatchObject({
    code: 'AZ_KUBE_UNREACHABLE',
    message: expect.stringMatching(/Headers Timeout/),
  });
});

test('an answer that breaks off in the middle is AZ_KUBE_UNREACHABLE', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"items":[');
    setImmediate(() => response.destroy());
  });
  await expect(client(server).raw('/version')).rejects.toMatchObject({ code: 'AZ_KUBE_UNREACHABLE' });
});

test('an abort rejects with the signal reason and closes the connection', async () => {
  const server = await serve(() => undefined);
  const controller = new AbortController();
  const reason = new Error('enough');
  const pending = client(server).raw('/version', controller.signal);
  pending.catch(() => undefined);
  await eventually('the request has arrived', () => server.received.length === 1);
  controller.abort(reason);
  await expect(pending).rejects.toBe(reason);
  await eventually('the connection is closed', () => server.sockets.size === 0);
  await expect(client(server).raw('/version', controller.signal)).rejects.toBe(reason);
});

test('close ends every connection, and later requests fail with the reason', async () => {
  const server = await serve(ok);
  const kube = client(server);
  await kube.raw('/version');
  expect(server.sockets.size).toBe(1);
  await kube.close();
  await eventually('no connection is left', () => server.sockets.size === 0);
  await expect(kube.raw('/version')).rejects.toThrow(/the client is closed/);
});

test('a watch begun before a rotation goes on, and ends with the client', async () => {
  const server = await serve(({ url }, response) => {
    if (!url.includes('watch=true')) return sendJson(response, { ok: true });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
    setTimeout(() => response.write('{"type":"ADDED","object":{"metadata":{"name":"b"}}}\n'), 300);
  });
  const ca = changing(authority.cert);
  const kube = client(server, { ca });
  const type = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
  const events = kube.watch(type, { resourceVersion: '1' })[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ object: { metadata: { name: 'a' } } });
  ca.next = `${authority.cert}\n${issueCertificate({ commonName: 'next', ca: true }).cert}`;
  ca.refresh();
  await kube.raw('/version');
  expect(server.accepted()).toBe(2);
  expect((await events.next()).value).toMatchObject({ object: { metadata: { name: 'b' } } });
  const next = events.next();
  next.catch(() => undefined);
  await kube.close();
  await expect(next).rejects.toMatchObject({ code: 'AZ_KUBE_UNREACHABLE' });
  await eventually('no connection is left', () => server.sockets.size === 0);
});

test('a credential that cannot be obtained is the error of the request', async () => {
  const server = await serve(ok);
  const credential: Credential = { current: () => Promise.reject(new Error('no plugin')), refused: () => undefined };
  await expect(client(server, { credential }).raw('/version')).rejects.toThrow('no plugin');
});

test('a broken credential is retryable, since its fix is outside of the reconciled object', async () => {
  const server = await serve(ok);
  const broken = new AzimuthError('AZ_KUBECONFIG_INVALID', 'the plugin printed something that is not JSON');
  const credential: Credential = { current: () => Promise.reject(broken), refused: () => undefined };
  const text = (value: string) => ({ read: () => value, refresh: () => undefined });
  expect(broken.retryable).toBe(false);
  for (const change of [{ credential }, { ca: text('nothing') }]) {
    await expect(client(server, change).raw('/version')).rejects.toMatchObject({
      code: 'AZ_KUBECONFIG_INVALID',
      retryable: true,
    });
  }
});

test('requests are counted by verb, resource and code, and by verb with the time until their answer', async () => {
  const metrics = createMetrics();
  const server = await serve((request, response) => {
    response.writeHead(request.url?.includes('missing') ? 404 : 200, { 'content-type': 'application/json' }).end('{}');
  });
  const kube = client(server, {}, { metrics });
  const type = { group: 'example.org', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
  await kube.get(type, { namespace: 'a', name: 'b' });
  await kube.get(type, { namespace: 'a', name: 'missing' }).catch(() => undefined);
  await kube.raw('/version');
  await kube.raw('/apis');
  await server.close();
  await kube.raw('/version').catch(() => undefined);
  const text = await metrics.metrics();
  expect(text).toContain('azimuth_kube_requests_total{verb="get",resource="widgets.example.org",code="200"} 1');
  expect(text).toContain('azimuth_kube_requests_total{verb="get",resource="widgets.example.org",code="404"} 1');
  expect(text).toContain('azimuth_kube_requests_total{verb="get",resource="path",code="200"} 2');
  expect(text).toContain('azimuth_kube_requests_total{verb="get",resource="path",code="unreachable"} 1');
  expect(text).toContain('azimuth_kube_request_duration_seconds_count{verb="get"} 5');
});
