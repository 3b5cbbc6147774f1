import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { checkRowCount, limitAnswers, mostBytes, mostRows } from '../../runtime/databases/answer-limits.ts';
import { connect as connectMysql } from '../../runtime/databases/mysql/connect.ts';
import { connect as connectSql } from '../../runtime/databases/sql/connect.ts';
import type { Connect } from '../../runtime/databases/types.ts';
import { serverCertificate, socketTo } from '../database-servers/postgres-server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The port of a server of TCP or TLS that sends `unit` until the client goes; `sent` counts the bytes. */
async function flood(unit: Buffer, tls?: { readonly keyPem: string; readonly certPem: string }) {
  const sent = { bytes: 0 };
  const serve = (socket: Socket) => {
    socket.on('error', () => undefined);
    const more = () => {
      if (socket.destroyed) return;
      sent.bytes += unit.length;
      if (socket.write(unit)) setImmediate(more);
      else socket.once('drain', more);
    };
    more();
  };
  const server = tls ? createTlsServer({ key: tls.keyPem, cert: tls.certPem }, serve) : createServer(serve);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, sent };
}
const login = { host: 'srv.example.com', port: 1, database: 'db', user: 'boss', password: 'top-secret' };

/** The first packet of a message whose end never comes, in the frames of MySQL and of SQL Server. */
const endless: Readonly<Record<string, readonly [Connect, Buffer]>> = {
  MySQL: [connectMysql, Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0]), Buffer.alloc(65_536, 10)])],
  'SQL Server': [connectSql, Buffer.concat([Buffer.from([4, 0, 0x80, 0, 0, 0, 0, 0]), Buffer.alloc(0x8000 - 8)])],
};

test.each(Object.keys(endless))('%s that sends without an end costs the operator one connection', async (name) => {
  const [connect, unit] = endless[name] as readonly [Connect, Buffer];
  const { port, sent } = await flood(unit);
  const { signal } = new AbortController();
  const refused = connect(login, { signal, secrets: [], socket: socketTo(port) });
  await expect(refused).rejects.toMatchObject({ code: 'AZ_DATABASE', message: expect.stringContaining('MiB') });
  expect(sent.bytes).toBeGreaterThan(mostBytes);
});

test('a lost connection to MySQL that fails a second time does not end the operator', async () => {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const open = socketTo((server.address() as AddressInfo).port);
  const again = Promise.withResolvers<void>();
  const socket = () => {
    const made = open();
    // The system refuses to shut a socket down that the server has closed in the meantime.
    made.once('close', () =>
      setImmediate(() => {
        made.emit('error', Object.assign(new Error('shutdown EINVAL'), { code: 'EINVAL' }));
        again.resolve();
      }),
    );
    return made;
  };
  const refused = connectMysql(login, { signal: new AbortController().signal, secrets: [], socket });
  await expect(refused).rejects.toMatchObject({ code: 'AZ_DATABASE' });
  await again.promise;
});

test('the bytes within TLS count, and the socket ends with the reason', async () => {
  const { ca, ...tls } = await serverCertificate('srv.example.com');
  const { port } = await flood(Buffer.alloc(65_536), tls);
  const { signal, socket } = limitAnswers({ signal: new AbortController().signal, secrets: [] }, 'srv:1');
  const raw = socket().connect(port, '127.0.0.1');
  const secure = connectTls({ socket: raw, ca, servername: 'srv.example.com' });
  secure.on('error', () => undefined).resume();
  await once(secure, 'close');
  expect(signal.reason).toMatchObject({ code: 'AZ_DATABASE', failure: 'unknown' });
  expect(raw.bytesRead).toBeGreaterThan(mostBytes);
});

test('an answer that came between two counts is too large as well', async () => {
  const { port } = await flood(Buffer.alloc(65_536));
  const options = { signal: new AbortController().signal, secrets: [] };
  const { socket, check } = limitAnswers(options, 'srv:1');
  const raw = socket().connect(port, '127.0.0.1');
  check();
  await new Promise<void>((resolve) => {
    raw.on('data', () => {
      if (raw.bytesRead > mostBytes) resolve();
    });
  });
  expect(check).toThrow('sent more than 2 MiB');
  expect(raw.destroyed).toBe(true);
});

test('an answer with one row more than the limit is an error that says what there is too much of', () => {
  const rows = (count: number) => Array.from({ length: count }, () => ({}));
  expect(checkRowCount(rows(mostRows), 'roles')).toHaveLength(mostRows);
  expect(() => checkRowCount(rows(mostRows + 1), 'roles')).toThrow('more than 10000 roles');
});
