/** Servers that have the right certificate, or none, and do not keep to their protocol. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { connect as connectMysql } from '../../runtime/databases/mysql/connect.ts';
import { connect as connectPostgresql } from '../../runtime/databases/postgresql/connect.ts';
import { connect as connectSql } from '../../runtime/databases/sql/connect.ts';
import type { Connect } from '../../runtime/databases/types.ts';
import { serverCertificate, socketTo } from '../database-servers/postgres-server.ts';
import { routing, startSqlServer } from './fake-sql-server.ts';

const host = 'srv.database.windows.net';
const login = {
  host,
  port: 1433,
  database: 'db',
  user: 'boss',
  password: 'top-secret',
  redirectDomain: 'database.windows.net',
};
let tls: Awaited<ReturnType<typeof serverCertificate>>;
const servers: Server[] = [];

beforeAll(async () => {
  tls = await serverCertificate(host);
});
/** A server closes once its clients are gone: the operator leaves no connection, however a login ends. */
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** How many connections a login to SQL Server opens that is led to another address, and its error. */
async function redirected(to: string, port: number) {
  const started = await startSqlServer(tls, () => routing(to, port));
  servers.push(started.server);
  const open = socketTo(started.port);
  let sockets = 0;
  const socket = () => {
    sockets++;
    if (sockets > 2) throw new Error('enough');
    return open();
  };
  const error = await connectSql(login, { signal: AbortSignal.timeout(10_000), secrets: [], ca: tls.ca, socket }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { sockets, error };
}

test('SQL Server may lead a login to its own domain, and to no other address or port', async () => {
  const own = await redirected('node7.tr1.westeurope1-a.worker.database.windows.net', 11_003);
  expect(own.sockets).toBe(2);
  for (const [to, port] of [
    ['evil.example.com', 11_003],
    ['169.254.169.254', 1433],
    ['evildatabase.windows.net', 1433],
    ['node7.database.windows.net', 22],
    ['node7.database.windows.net.example.com', 1433],
  ] as const) {
    const { sockets, error } = await redirected(to, port);
    expect([to, sockets, (error as { message?: string }).message]).toEqual([
      to,
      1,
      expect.stringMatching(/led the login to .*: the operator sends no password there/),
    ]);
  }
});

/** Serves one connection, and keeps what the client sends without TLS. */
async function serve(connection: (socket: Socket) => void) {
  const clear: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => clear.push(chunk));
    connection(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connect = (by: Connect) =>
    by(login, { signal: AbortSignal.timeout(10_000), secrets: [], ca: tls.ca, socket: socketTo(port) });
  return { connect, sent: () => Buffer.concat(clear).toString('latin1') };
}

/** TLS on a socket, from `first` on, the bytes that came before. */
function secured(socket: Socket, first: Buffer): TLSSocket {
  const duplex = new Duplex({ read() {}, write: (chunk: Buffer, _, done) => void socket.write(chunk, done) });
  duplex.on('error', () => undefined);
  if (first.length > 0) duplex.push(first);
  socket.on('data', (chunk) => duplex.push(chunk));
  socket.on('close', () => duplex.push(null));
  const secureContext = createSecureContext({ key: tls.keyPem, cert: tls.certPem });
  const secure = new TLSSocket(duplex, { isServer: true, secureContext });
  return secure.on('error', () => undefined);
}

/** A message of MySQL. */
function mysqlPacket(sequence: number, body: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, sequence]);
  header.writeUIntLE(body.length, 0, 3);
  return Buffer.concat([header, body]);
}

const greeting = (withTls: boolean) => {
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE((0x0a_0a_82_05 | (withTls ? 0x8_00 : 0)) >>> 0);
  return mysqlPacket(
    0,
    Buffer.concat([
      Buffer.from('\n8.0.21\0\x01\0\0\x0012345678\0', 'latin1'),
      flags.subarray(0, 2),
      Buffer.from([33, 2, 0]),
      flags.subarray(2),
      Buffer.from([21]),
      Buffer.alloc(10),
      Buffer.from('123456789012\0mysql_native_password\0'),
    ]),
  );
};
const ok = (sequence: number) => mysqlPacket(sequence, Buffer.from([0, 0, 0, 2, 0, 0, 0]));

/** A MySQL server with TLS that gives these answers, one for each message of the client; it keeps the messages. */
async function mysqlWith(...answers: readonly Buffer[]) {
  const received: Buffer[] = [];
  const { connect } = await serve((socket) => {
    socket.write(greeting(true));
    // The request for TLS has 36 bytes; the first bytes of TLS may come with it.
    socket.once('data', (chunk) => {
      secured(socket, chunk.subarray(36)).on('data', function reply(this: TLSSocket, message: Buffer) {
        this.write(answers[received.length] ?? Buffer.alloc(0));
        received.push(message);
      });
    });
  });
  return { connect, received };
}

test('a MySQL server without TLS gets no user and no password', async () => {
  const { connect, sent } = await serve((socket) => void socket.write(greeting(false)));
  await expect(connect(connectMysql)).rejects.toMatchObject({ failure: 'unreachable' });
  expect(sent()).toBe('');
});

test('an OK of MySQL before TLS is no login, and no statement leaves in the clear', async () => {
  const { connect, sent } = await serve((socket) => {
    socket.write(Buffer.concat([greeting(true), ok(2)]));
    socket.once('data', () => setTimeout(() => socket.destroy(), 50));
  });
  await expect(connect(connectMysql)).rejects.toMatchObject({ code: 'AZ_DATABASE' });
  expect(sent()).not.toMatch(/sql_mode|boss|top-secret/);
});

test('a MySQL server that asks for the password as clear text does not get it', async () => {
  const switched = mysqlPacket(3, Buffer.from('\xfemysql_clear_password\0', 'latin1'));
  const { connect, received } = await mysqlWith(switched);
  await expect(connect(connectMysql)).rejects.toMatchObject({ code: 'AZ_DATABASE' });
  expect(Buffer.concat(received).toString('latin1')).not.toContain('top-secret');
});

test('a MySQL server that asks for a file of the operator gets an empty packet', async () => {
  const file = mysqlPacket(1, Buffer.from('\xfb/etc/hostname', 'latin1'));
  const { connect, received } = await mysqlWith(ok(3), file, ok(3));
  await expect(connect(connectMysql)).rejects.toMatchObject({ failure: 'unknown' });
  expect(received[2]?.subarray(0, 4)).toEqual(Buffer.from([0, 0, 0, 2]));
});

/** A PostgreSQL server with TLS that answers the login with these messages; it keeps what it receives. */
const postgresqlWith = async (...toLogin: readonly Buffer[]) => {
  const received: Buffer[] = [];
  const { connect } = await serve((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secure = secured(socket, Buffer.alloc(0));
      secure.on('data', (chunk) => received.push(chunk));
      secure.once('data', async () => {
        for (const part of toLogin) {
          secure.write(part);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
    });
  });
  return { connect, received };
};

test.each(['N', 'E', 'SS', '\0'])(
  'a PostgreSQL server that answers %j to the request for TLS gets nothing more',
  async (answer) => {
    const { connect, sent } = await serve((socket) => socket.once('data', () => socket.write(answer)));
    await expect(connect(connectPostgresql)).rejects.toMatchObject({ failure: 'unreachable' });
    expect(sent()).toHaveLength(8);
  },
);

test.each([
  ['an unknown request for authentication', '520000000800000b0b'],
  ['a message that is longer than its fields', '440000000700034141'],
  ['an error without its end', '450000000643414100'],
  ['a notice whose last field has no end', '4e000000074341413f'],
  ['an error without fields', '4500000004'],
  ['a negative length', '45ffffffff'],
])('%s of a PostgreSQL server ends the connection, not the operator', async (_, hex) => {
  const { connect } = await postgresqlWith(Buffer.from(hex, 'hex'));
  await expect(connect(connectPostgresql)).rejects.toMatchObject({ failure: 'unreachable' });
});

test.each([
  ['in one piece', ['520000000800000003']],
  ['byte by byte', ['520000', '0008', '000000', '03']],
])('a PostgreSQL server that asks for the password as clear text, %s, does not get it', async (_, pieces) => {
  const { connect, received } = await postgresqlWith(...pieces.map((hex) => Buffer.from(hex, 'hex')));
  await expect(connect(connectPostgresql)).rejects.toMatchObject({
    failure: 'unreachable',
    message: expect.stringContaining('asks for the password as clear text'),
  });
  expect(Buffer.concat(received).toString('latin1')).not.toContain('top-secret');
});

test('messages of MySQL out of sequence are no line of the log that nobody can read', async () => {
  const printed: unknown[] = [];
  const { error } = console;
  console.error = (...args: unknown[]) => void printed.push(args);
  try {
    const { connect } = await mysqlWith(ok(9), ok(5));
    await (await connect(connectMysql)).close();
  } finally {
    console.error = error;
  }
  expect(printed).toEqual([]);
});
