import { beforeAll, expect, test } from '@jest/globals';
import { createDispatcher, type HttpOptions } from '../../../runtime/base/http/client.ts';
import { type Issued, issueCertificate } from '../../fakes/certificates.ts';
import { startConnectProxy } from '../../fakes/connect-proxy.ts';
import { eventually } from '../../fakes/eventually.ts';
import { startRawServer } from '../../fakes/raw-server.ts';
import { request } from '../../fakes/request.ts';
import { startSocksProxy } from '../../fakes/socks-proxy.ts';
import { afterwards, serve } from '../http-support.ts';

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
])('%s proxies carry plain and TLS connections, which are used again', async (_, start) => {
  const proxy = await start();
  afterwards(() => proxy.close());
  const dispatcher = client(proxy.url);
  const [plain, secure] = [await target(), await target(pair)];
  for (const { url } of [plain, plain, secure, secure]) {
    const { body } = await request(url, { dispatcher });
    expect(await body.text()).toBe('here');
  }
  const asked = 'tunnels' in proxy ? proxy.tunnels.map((tunnel) => tunnel.target) : proxy.targets;
  expect(asked).toEqual([plain, secure].map(({ port }) => `127.0.0.1:${port}`));
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

test('user and password of the URL go to a SOCKS proxy, and names unresolved', async () => {
  const proxy = await scripted(
    'socks5',
    Uint8Array.of(5, 2),
    Uint8Array.of(1, 0),
    Uint8Array.of(5, 0, 0, 3, 1, 97, 0, 0),
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
  );
  const { body } = await request('http://inner.example:8080/a', { dispatcher: client(proxy.url) });
  expect(await body.text()).toBe('ok');
  const bytes = (text: string) => [text.length, ...Buffer.from(text)];
  expect(proxy.got.slice(0, 3).map((got) => [...got])).toEqual([
    [5, 2, 0, 2],
    [1, ...bytes('jo@x'), ...bytes('hi:dden')],
    [5, 1, 0, 3, ...bytes('inner.example'), 31, 144],
  ]);
});

test.each([
  ['127.1.2.3', [1, 127, 1, 2, 3]],
  ['[2001:db8::7:10]', [4, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0x10]],
])('a SOCKS proxy is asked for the address %s as an address', async (host, address) => {
  const proxy = await scripted('socks5', Uint8Array.of(5, 0), Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0));
  const error = await failureOf(request(`http://${host}:80/`, { dispatcher: client(proxy.url) }));
  expect(error.message).toContain(`the proxy ${proxy.host}: answered for`);
  expect([...(proxy.got[1] ?? [])]).toEqual([5, 1, 0, ...address, 0, 80]);
});

test('an address of version 6 is bracketed for CONNECT', async () => {
  const proxy = await scripted('http', 'HTTP/1.1 502 Bad Gateway\r\n\r\n');
  await failureOf(request('https://[2001:db8::1]/', { dispatcher: client(proxy.url) }));
  expect(String(proxy.got[0])).toMatch(/^CONNECT \[2001:db8::1\]:443 HTTP\/1.1\r\nhost: \[2001:db8::1\]:443\r\n/i);
});

test.each([
  ['http', ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'], 'answered CONNECT inner.example:443 with 407'],
  ['http', ['SSH-2.0\r\n'], 'Parse Error'],
  ['socks5', ['HTTP/1.1 400 Bad Request\r\n\r\n'], 'does not speak SOCKS 5'],
  ['socks5', [Uint8Array.of(5, 255)], 'takes no user and password'],
  ['socks5', [Uint8Array.of(5, 2), Uint8Array.of(1, 1)], 'refused user and password'],
  ['ftp', [], 'expected http, https or socks5, got ftp'],
])(
  'what is wrong with a %s proxy is told with its host and without its password: %#',
  async (scheme, answers, words) => {
    const proxy = await scripted(scheme, ...answers);
    const error = await failureOf(request('https://inner.example/', { dispatcher: client(proxy.url) }));
    expect(error.message).toContain(`the proxy ${proxy.host}: `);
    expect(error.message).toContain(words);
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/hi(:|%3A)dden/);
    await eventually('the connection ends', () => proxy.sockets.size === 0);
  },
);

test.each(['http', 'socks5'])(
  'a %s proxy that says nothing is given up after the limit of connecting',
  async (scheme) => {
    const proxy = await scripted(scheme);
    const dispatcher = client(proxy.url, { connectTimeoutMs: 200, headersTimeoutMs: 0 });
    const error = await failureOf(request('https://inner.example/', { dispatcher }));
    expect(error.message).toBe(`the proxy ${proxy.host}: no connection within 200 ms`);
    await eventually('the connection ends', () => proxy.sockets.size === 0);
  },
);

test('a server that never finishes the handshake behind a proxy is given up too', async () => {
  const proxy = await scripted('http', 'HTTP/1.1 200 OK\r\n\r\n');
  const dispatcher = client(proxy.url, { connectTimeoutMs: 200, headersTimeoutMs: 0 });
  await expect(request('https://inner.example/', { dispatcher })).rejects.toThrow('no connection within 200 ms');
  await eventually('the connection ends', () => proxy.sockets.size === 0);
});

test('who gives up while the proxy is asked waits no longer, and destroy ends the asking', async () => {
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
