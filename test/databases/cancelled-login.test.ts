import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { connect as connectMysql } from '../../runtime/databases/mysql/connect.ts';
import { connect as connectPostgresql } from '../../runtime/databases/postgresql/connect.ts';
import { connect as connectSql } from '../../runtime/databases/sql/connect.ts';
import type { Connect } from '../../runtime/databases/types.ts';
import { socketTo } from '../database-servers/postgres-server.ts';

test.each<[string, Connect]>([
  ['PostgreSQL', connectPostgresql],
  ['MySQL', connectMysql],
  ['SQL Server', connectSql],
])('a login to %s that gets no answer ends with its run', async (_, connect) => {
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer(accepted.resolve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = new AbortController();
  const { port } = server.address() as AddressInfo;
  const login = { host: 'srv.example.com', port: 1, database: 'db', user: 'boss', password: 'top-secret' };
  const opened = connect(login, { signal: stop.signal, secrets: [], socket: socketTo(port) });
  const left = once((await accepted.promise).resume(), 'close');
  stop.abort(new Error('the run is cancelled'));
  await expect(opened).rejects.toThrow('the run is cancelled');
  await left;
  server.close();
});
