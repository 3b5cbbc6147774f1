import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { connect } from '../../runtime/databases/postgresql/connect.ts';
import { serverCertificate, socketTo } from '../database-servers/postgres-server.ts';

const host = 'srv.postgres.database.azure.com';
/** AuthenticationOk, then ReadyForQuery. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** A server that lets anybody in, and never ends a connection. */
async function stubborn(tls: { readonly keyPem: string; readonly certPem: string }) {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, key: tls.keyPem, cert: tls.certPem });
      Object.assign(secure, { allowHalfOpen: true });
      secure.on('error', () => undefined);
      secure.once('data', () => {
        secure.write(welcome);
        secure.resume();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

test('a closed connection leaves no socket, whatever the server does', async () => {
  const { ca, ...tls } = await serverCertificate(host);
  const { port, stop } = await stubborn(tls);
  const sockets: Socket[] = [];
  const socket = () => {
    const made = socketTo(port)();
    sockets.push(made);
    return made;
  };
  const login = { host, port: 5432, database: 'postgres', user: 'boss', password: 'top-secret' };
  const connection = await connect(login, { signal: new AbortController().signal, secrets: [], ca, socket });
  await connection.close();
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  stop();
});
