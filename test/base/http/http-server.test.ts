import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { HttpServer } from '../../../runtime/base/http/http-server.ts';

const limits = { maxHeaderSize: 1024, requestTimeout: 5000, connectionsCheckingInterval: 1000 };
const servers: HttpServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close(0))));

async function listening(serve: ConstructorParameters<typeof HttpServer>[1]) {
  const server = new HttpServer(limits, serve);
  servers.push(server);
  return { server, port: await server.listen(0, '127.0.0.1') };
}

test('a server refuses headers that are larger than its limit, with 431', async () => {
  const { port } = await listening((_, response) => response.end('never'));
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET / HTTP/1.1\r\nhost: a\r\nlong: ${'x'.repeat(2000)}\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 431 /);
});

test('a server whose port another program has rejects', async () => {
  const { port } = await listening((_, response) => response.end());
  const second = new HttpServer(limits, () => undefined);
  await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('the end of a server waits for the answers under way, and closes at once without a grace', async () => {
  const begun = Promise.withResolvers<() => void>();
  const { server, port } = await listening((_, response) => begun.resolve(() => response.end('late')));
  const request = get({ port, host: '127.0.0.1' });
  const answer = once(request, 'response');
  const finish = await begun.promise;
  const closed = server.close(60_000);
  finish();
  const [response] = await answer;
  expect(await text(response)).toBe('late');
  await closed;

  const { server: other, port: otherPort } = await listening(() => undefined);
  const cut = once(get({ port: otherPort, host: '127.0.0.1' }), 'response');
  await once(other.node, 'request');
  const refused = expect(cut).rejects.toThrow('socket hang up');
  await other.close(0);
  await refused;
});
