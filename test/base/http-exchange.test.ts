import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { request } from '../fakes/request.ts';
import { client, raw, serve } from './http-support.ts';

const answer = (body: string, ...headers: string[]) =>
  ['HTTP/1.1 200 OK', `content-length: ${body.length}`, ...headers, '', body].join('\r\n');

test.each(['GET', 'HEAD'])(
  'a %s on a kept connection that the server ends is sent again on a new one',
  async (method) => {
    const server = await raw((socket, _, connection) => {
      if (connection > 1) socket.end(answer(''));
      else if (socket.bytesWritten === 0) socket.write(answer(''));
      else socket.resetAndDestroy();
    });
    const dispatcher = client();
    for (const _ of 'ab') {
      const { statusCode, body } = await request(server.url, { dispatcher, method });
      expect([statusCode, await body.text()]).toEqual([200, '']);
    }
    expect(server.accepted()).toBe(2);
  },
);

test('a new connection that the server ends without a word is a failure, not tried again', async () => {
  const server = await raw((socket) => socket.end());
  await expect(request(server.url, { dispatcher: client() })).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
});

test('a server that keeps connections for less is heard', async () => {
  const server = await raw((socket) => socket.write(answer('', 'keep-alive: timeout=1')));
  const dispatcher = client({ keepAliveMs: 60_000 });
  for (const _ of 'ab') await (await request(server.url, { dispatcher })).body.dump();
  expect(server.accepted()).toBe(2);
});

test.each(['DELETE', 'POST', 'PUT', 'GET'])('the body of a %s goes with its length in bytes', async (method) => {
  const server = await serve((_, response) => response.end());
  const dispatcher = client();
  for (const body of ['grün', Buffer.from('grün')]) {
    await (await request(server.url, { dispatcher, method, body })).body.dump();
  }
  const seen = server.received.map(({ method: was, body, headers }) => [was, body, headers['content-length']]);
  expect(seen).toEqual(Array(2).fill([method, 'grün', '5']));
});

test('headers and path go out as they are given', async () => {
  const server = await serve((_, response) => response.end());
  const path = '/a/../b%2f?x=%27';
  const dispatcher = client();
  const headers = { host: 'other.test', 'x-many': ['a', 'b'] };
  await (await dispatcher.request({ origin: server.url, path, headers })).body.dump();
  expect(server.received[0]).toMatchObject({ url: path, headers: { host: 'other.test', 'x-many': 'a, b' } });
  await expect(dispatcher.request({ origin: server.url, path: '/ b' })).rejects.toThrow(/invalid request path/);
  await expect(dispatcher.request({ origin: server.url, path: '/', headers: { a: 'b\r\nc: d' } })).rejects.toThrow(
    /invalid a header/,
  );
  expect(server.received).toHaveLength(1);
});

test('a redirect is an answer', async () => {
  const server = await serve((_, response) => response.writeHead(302, { location: '/there' }).end('moved'));
  const { statusCode, headers, body } = await request(server.url, { dispatcher: client() });
  expect([statusCode, headers.location, await body.text()]).toEqual([302, '/there', 'moved']);
  expect(server.received).toHaveLength(1);
});

test('the answer to a HEAD has a length and no body', async () => {
  const server = await serve((_, response) => response.writeHead(200, { 'content-length': '5' }).end());
  const { statusCode, headers, body } = await request(server.url, { dispatcher: client(), method: 'HEAD' });
  expect([statusCode, headers['content-length'], await body.text()]).toEqual([200, '5', '']);
});

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', /HTTP\/1.1 protocol/],
  ['a protocol nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', /./],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', /content-length/],
  [
    'a length and pieces',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\na',
    /content-length/i,
  ],
  ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, /Headers Overflow/],
])('%s is a failure that shows no byte of it, and the connection ends', async (_, bytes, words) => {
  const server = await raw((socket) => socket.write(bytes));
  const failure = await request(server.url, { dispatcher: client() }).then(
    () => undefined,
    (error: Error) => error,
  );
  expect(failure?.message).toMatch(words);
  expect(JSON.stringify({ ...failure })).not.toContain('OpenSSH');
  expect(failure).not.toHaveProperty('data');
  await eventually('the connection ends', () => server.sockets.size === 0);
});

test('a second answer that nobody asked for ends the connection, and is taken for nobody', async () => {
  const server = await raw((socket) => socket.write(answer('mine') + answer('forged')));
  const dispatcher = client();
  for (const _ of 'ab') {
    const text = await request(server.url, { dispatcher }).then(
      ({ body }) => body.text(),
      () => 'failed',
    );
    expect(text).not.toBe('forged');
  }
  expect(server.accepted()).toBeGreaterThan(1);
});

test.each([
  ['by its length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', /ended in the middle of the answer/],
  ['in pieces', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf', /ended in the middle of the answer/],
])('an answer %s that is cut off fails where it is read', async (_, bytes, words) => {
  const server = await raw((socket) => socket.end(bytes));
  const dispatcher = client();
  const { body } = await request(server.url, { dispatcher });
  await expect(body.text()).rejects.toThrow(words);
  const second = await request(server.url, { dispatcher });
  await eventually('the rest does not come', () => server.sockets.size === 0);
  await expect(second.body.dump()).rejects.toThrow(words);
});

test('pieces that are no pieces fail where they are read, by their cause', async () => {
  const server = await raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    setImmediate(() => socket.write('zz\r\n'));
  });
  const { body } = await request(server.url, { dispatcher: client() });
  await expect(body.text()).rejects.toThrow(/chunk size/);
});

test('an answer without length lasts until the connection ends', async () => {
  const server = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
  const { body } = await request(server.url, { dispatcher: client() });
  expect(await body.text()).toBe('all of it');
});

test('the error names the cause: a host that does not exist, or a port on which nothing listens', async () => {
  const server = await serve(() => undefined);
  await server.close();
  const dispatcher = client();
  await expect(request(server.url, { dispatcher })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    message: `connect ECONNREFUSED 127.0.0.1:${server.port}`,
  });
  await expect(request('http://nowhere.invalid/', { dispatcher })).rejects.toMatchObject({
    message: expect.stringMatching(/^getaddrinfo E\w+ nowhere.invalid$/),
  });
});
