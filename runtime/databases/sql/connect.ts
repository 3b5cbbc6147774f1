import { once } from 'node:events';
import type { Socket } from 'node:net';
import type Driver from 'tedious';
import type { Connection as DriverConnection } from 'tedious';
import { hideSecrets } from '../../azure/arm/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { endOnAbort, limitAnswers, mostRows } from '../answer-limits.ts';
import { DatabaseError } from '../error.ts';
import { type Connect, type Connection, databaseTimeoutMs, type Login, type Row } from '../types.ts';

/** Opens one connection with the driver `tedious`, which is loaded with the first one. */
export const connect: Connect = async (login, given) => {
  const { default: tedious } = await import('tedious');
  const { host, port, user, password, database } = login;
  const { secrets, ca } = given;
  const { signal, socket, check } = limitAnswers(given, `${host}:${port}`);
  signal.throwIfAborted();
  const failure = (error: unknown, doing: 'connect' | 'query') => {
    if (signal.aborted) return signal.reason as unknown;
    return sqlFailure(error, doing, `${host}:${port}`, [...secrets, password]);
  };
  const opened = new tedious.Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: {
      port,
      database,
      encrypt: true,
      trustServerCertificate: false,
      connectTimeout: databaseTimeoutMs,
      requestTimeout: databaseTimeoutMs,
      maxRetriesOnTransientErrors: 0,
      appName: 'azimuth',
      useColumnNames: true,
      // The server may lead the driver to another address, as Azure SQL does.
      connector: async (to, _lookup, stop) => {
        checkRedirection(login, to);
        return connectedSocket(socket(), to, stop);
      },
      cryptoCredentialsDetails: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    },
  });
  // A connection that breaks while nothing is sent emits an error, which would end the process.
  opened.on('error', () => undefined);
  const { aborted, forget } = endOnAbort(signal, () => opened.close());
  const close = async () => {
    forget();
    opened.close();
  };
  try {
    await Promise.race([connected(opened), aborted]);
  } catch (error) {
    await close();
    throw failure(error, 'connect');
  }
  const connection: Connection = {
    query: async (statement, values = []) => {
      const answer = answerOf(tedious, opened, statement, values);
      try {
        const rows = await Promise.race([answer, aborted]);
        check();
        return rows;
      } catch (error) {
        throw failure(error, 'query');
      }
    },
    close,
  };
  return connection;
};

/** Logs in. Rejects with the error of the server, or of the socket. */
function connected(opened: DriverConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    opened.connect((error) => (error ? reject(error) : resolve()));
  });
}

/** The rows of a statement. Rejects with the error of the server, or when the connection ends. */
function answerOf(
  { Request, TYPES }: typeof Driver,
  opened: DriverConnection,
  statement: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
  const rows: Row[] = [];
  const request = new Request(statement, (error) => {
    if (error) reject(error);
    else resolve(rows);
  });
  request.on('row', (row) => {
    if (rows.length > mostRows) request.cancel();
    else rows.push(Object.fromEntries(columnsOf(row)));
  });
  // The n-th value is @p0, @p1 and so on in the statement.
  for (const [index, value] of values.entries()) {
    request.addParameter(`p${index}`, TYPES.NVarChar, String(value));
  }
  opened.on('end', () => reject(new Error('the connection ended')));
  opened.execSql(request);
  return promise;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Ports of the servers to which the gateway of Azure SQL leads. Source: its documentation of connection policies. */
const isWorkerPort = (port: number) => port >= 11_000 && port <= 11_999;

/** Throws where the server leads the login, and with it the password, out of its domain. */
function checkRedirection({ host, port, redirectDomain }: Login, to: Address): void {
  if (to.host === host && to.port === port) return;
  const isOwn = redirectDomain !== undefined && to.host.toLowerCase().endsWith(`.${redirectDomain}`);
  if (isOwn && (to.port === port || isWorkerPort(to.port))) return;
  const message = `${host} led the login to ${to.host.slice(0, 200)}:${to.port}: the operator sends no password there`;
  throw new DatabaseError({ cause: 'unreachable', message });
}

async function connectedSocket(socket: Socket, { host, port }: Address, signal: AbortSignal): Promise<Socket> {
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await once(socket.connect(port, host), 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const columnsOf = (row: Readonly<Record<string, { readonly value: unknown }>>) =>
  Object.entries(row).map(([name, { value }]): [string, unknown] => [name, value]);

/** Numbers of errors whose text repeats a part of the statement: wrong syntax, an unclosed quotation mark. */
const quotesStatement: ReadonlySet<number> = new Set([102, 105, 156]);

/** The driver's error as the server's own text, without secrets. `error` has the number of SQL Server. */
export function sqlFailure(error: unknown, doing: 'connect' | 'query', server: string, secrets: readonly string[]) {
  const { number, code } = error as { readonly number?: unknown; readonly code?: unknown };
  const errorNumber = typeof number === 'number' ? number : undefined;
  const hidden = errorNumber !== undefined && quotesStatement.has(errorNumber);
  const text = hidden ? 'its syntax' : hideSecrets(messageOf(error), secrets).slice(0, 1000);
  if (doing === 'connect' && (code === 'ELOGIN' || errorNumber === 18456)) {
    const message = `${server} refused to log in as the administrator: ${text}`;
    return new DatabaseError({ cause: 'login', message });
  }
  if (doing === 'query' && errorNumber !== undefined) {
    return new DatabaseError({ cause: 'refused', message: `SQL Server refused: ${text} (error ${errorNumber})` });
  }
  if (doing === 'query') return new DatabaseError({ cause: 'unknown', message: `${server} did not answer: ${text}` });
  const fix = 'check the firewall of the server, its network and that the database is online';
  return new DatabaseError({ cause: 'unreachable', message: `Cannot connect to ${server} with TLS: ${text}; ${fix}` });
}
