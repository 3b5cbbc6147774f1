import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { startConnectProxy } from '../../fakes/connect-proxy.ts';
import { eventually } from '../../fakes/eventually.ts';
import { startSocksProxy } from '../../fakes/socks-proxy.ts';
import { sendJson, startWebServer } from '../../fakes/web-server.ts';
import { authority, changing, client, ok, pair, serve } from './transport-server.ts';

test('a path in the server URL is kept in front of every request', async () => {
  const server = await serve(ok);
  await client({ url: `${server.url}/k8s/clusters/c-1` }).raw('/version');
  expect(server.received[0]?.url).toBe('/k8s/clusters/c-1/version');
});

test('a proxy-url carries the connection, with its user and password, and TLS ends at the server', async () => {
  const server = await serve(ok);
  const proxy = await startConnectProxy();
  afterwards(() => proxy.close());
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
  afterwards(() => proxy.close());
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
    response.write('{"type":"ADDED","object":{"kind":"Pod","metadata":{"namespace":"x","name":"a"}}}\n');
    setTimeout(
      () => response.write('{"type":"ADDED","object":{"kind":"Pod","metadata":{"namespace":"x","name":"b"}}}\n'),
      300,
    );
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

test('requests are counted by verb, resource and code, and by verb with the time until their answer', async () => {
  const metrics = createMetrics();
  const server = await serve((request, response) => {
    const body = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { namespace: 'a', name: 'b' } };
    const status = request.url?.includes('missing') ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
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
