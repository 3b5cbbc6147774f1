import { beforeAll, expect, test } from '@jest/globals';
import { createDispatcher, type HttpOptions } from '../../../runtime/base/http/client.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { type Issued, issueCertificate } from '../../fakes/certificates.ts';
import { startConnectProxy } from '../../fakes/connect-proxy.ts';
import { eventually } from '../../fakes/eventually.ts';
import { startRawServer } from '../../fakes/raw-server.ts';
import { request } from '../../fakes/request.ts';
import { startSocksProxy } from '../../fakes/socks-proxy.ts';
import { serve } from '../http-support.ts';

let pair: Issued;
beforeAll(() => {
  pair = issueCertificate({ commonName: 'server', hosts: ['127.0.0.1'] });
});

const target = (tls?: Issued) => serve((_, response) => response.end('here'), tls);

function client(proxy: string, options: HttpOptions = {}) {
  const dispatcher = createDispatcher({ proxy, ca: pair.cert, ...options });
  afterwards(() => dispatcher.destroy());
  return dispatcher;
}

const failureOf = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => new Error('none'),
    (error: Error) => error,
  );

/** A proxy that answers each piece that it gets with the next of these, and lists what it got. */
async function scripted(scheme: string, ...answers: (string | Uint8Array)[]) {
  const got: Buffer[] = [];
  const server = await startRawServer((socket, bytes) => {
    const answer = answers[got.push(bytes) - 1];
    if (answer !== undefined) socket.write(answer);
  });
  afterwards(() => server.close());
  return { ...server, url: `${scheme}://jo%40x:hi%3Adden@${server.host}`, got };
}

test.each([
  ['http', () => startConnectProxy()],
  ['socks5', () => startSocksProxy()],
])('%s proxies carry plain and TLS connections', async (_, start) => {
  const proxy = await start();
  afterwards(() => proxy.close());
  const dispatcher = client(proxy.url);
  const [plain, secure] = [await target(), await target(pair)];
  for (const { url } of [plain, plain, secure, secure]) {
    const { body } = await request(url, { dispatcher });
    expect(await body.text()).toBe('here');
  }
  const asked = 'tunnels' in proxy ? proxy.tunnels.map((tunnel) => tunnel.target) : proxy.targets;
  expect(new Set(asked)).toEqual(new Set([plain, secure].map(({ port }) => `127.0.0.1:${port}`)));
});

test('behind a proxy no more connections are made than are allowed', async () => {
  const proxy = await startConnectProxy();
  afterwards(() => proxy.close());
  const dispatcher = client(proxy.url, { connections: 2 });
  const { url } = await target(pair);
  const texts = Array.from({ length: 8 }, () => request(url, { dispatcher }).then(({ body }) => body.text()));
  expect(await Promise.all(texts)).toEqual(Array(8).fill('here'));
  expect(proxy.tunnels).toHaveLength(2);
});

test.each([
  ['http', ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'], 'Proxy response (407)'],
  ['http', ['SSH-2.0\r\n'], 'HTTP/1.1 protocol'],
  ['socks5', ['HTTP/1.1 400 Bad Request\r\n\r\n'], 'Invalid SOCKS version'],
  ['socks5', [Uint8Array.of(5, 255)], 'No acceptable authentication method'],
  ['socks5', [Uint8Array.of(5, 2), Uint8Array.of(1, 1)], 'Authentication failed'],
  ['ftp', [], 'Expected `proxy` to be a URL of http, https or socks5'],
])('what is wrong with a %s proxy is reported without its password: %#', async (scheme, answers, words) => {
  const proxy = await scripted(scheme, ...answers);
  const error = await failureOf(request('https://inner.example/', { dispatcher: client(proxy.url) }));
  expect(error.message).toContain(words);
  expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/hi(:|%3A)dden/);
});

test('a handshake behind a proxy that never finishes fails', async () => {
  const proxy = await scripted('http', 'HTTP/1.1 200 OK\r\n\r\n');
  const dispatcher = client(proxy.url, { connectTimeoutMs: 200, headersTimeoutMs: 0 });
  await expect(request('https://inner.example/', { dispatcher })).rejects.toThrow(/Connect Timeout/);
  await eventually('the connection ends', () => proxy.sockets.size === 0);
});

test('a request that is cancelled while its proxy connects ends at once, and destroy ends the connection', async () => {
  const proxy = await scripted('http');
  const dispatcher = client(proxy.url, { connectTimeoutMs: 60_000 });
  const stop = new AbortController();
  const asked = request('https://inner.example/', { dispatcher, signal: stop.signal });
  await eventually('the proxy is asked', () => proxy.got.length === 1);
  stop.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await dispatcher.destroy();
  await eventually('the connection ends', () => proxy.sockets.size === 0);
});

test("a server behind a proxy must prove its name, not the proxy's", async () => {
  const proxy = await startConnectProxy();
  afterwards(() => proxy.close());
  const other = issueCertificate({ commonName: 'other', hosts: ['other.example'] });
  const { url } = await target(other);
  const dispatcher = client(proxy.url, { ca: other.cert });
  await expect(request(url, { dispatcher })).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  const named = client(proxy.url, { ca: other.cert, servername: 'other.example' });
  const { body } = await request(url, { dispatcher: named });
  expect(await body.text()).toBe('here');
});
