import type { Duplex } from 'node:stream';
import { hideSecrets } from '../../azure/arm/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { endOnAbort, limitAnswers } from '../answer-limits.ts';
import { DatabaseError } from '../error.ts';
import { type Connect, type Connection, databaseTimeoutMs, type Row } from '../types.ts';
import { MessageCheck } from './message-check.ts';

/** Opens one connection with the driver `pg`, which is loaded with the first one. */
export const connect: Connect = async (login, options) => {
  const { default: pg } = await import('pg');
  const { host, port, user, password, database } = login;
  const { secrets, ca } = options;
  const { signal, socket, check } = limitAnswers(options, `${host}:${port}`);
  signal.throwIfAborted();
  const stream = socket();
  const client = new pg.Client({
    host,
    port,
    user,
    password,
    database,
    ssl: { rejectUnauthorized: true, minVersion: 'TLSv1.2', servername: host, ...(ca !== undefined && { ca }) },
    application_name: 'azimuth',
    connectionTimeoutMillis: databaseTimeoutMs,
    query_timeout: databaseTimeoutMs,
    statement_timeout: databaseTimeoutMs,
    // A name in a statement means that of the server, whatever the database or the administrator has set.
    options: '-c search_path=pg_catalog',
    stream: () => stream,
  });
  // A connection that breaks while nothing is sent emits an error, which would end the process.
  client.on('error', () => undefined);
  client.connection.once('sslconnect', () => guardListeners(client.connection.stream));
  const { aborted, forget } = endOnAbort(signal, () => stream.destroy());
  const close = async () => {
    forget();
    const late = new Promise((resolve) => setTimeout(resolve, 1000).unref());
    await Promise.race([client.end(), late]).catch(() => undefined);
    stream.destroy();
  };
  const failure = (error: unknown, doing: 'connect' | 'query') => {
    if (signal.aborted) return signal.reason as unknown;
    return failureOf(error, doing, `${host}:${port}`, [...secrets, password]);
  };
  try {
    await Promise.race([client.connect(), aborted]);
  } catch (error) {
    await close();
    throw failure(error, 'connect');
  }
  const connection: Connection = {
    query: async (statement, values = []) => {
      try {
        const { rows } = await Promise.race([client.query<Row>(statement, [...values]), aborted]);
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

/** Makes the driver's error about a message that it cannot read one of the connection: thrown, it ends the process. */
function guardListeners(secure: Duplex): void {
  const messages = new MessageCheck();
  for (const listener of secure.listeners('data')) {
    secure.off('data', listener as (chunk: Buffer) => void);
    secure.on('data', (chunk: Buffer) => {
      try {
        messages.check(chunk);
        listener.call(secure, chunk);
      } catch (error) {
        secure.destroy(error as Error);
      }
    });
  }
}

/** The driver's error without statement and parameters: only the server's own message, with every secret cut out. */
function failureOf(error: unknown, doing: 'connect' | 'query', server: string, secrets: readonly string[]) {
  const { code } = error as { readonly code?: unknown };
  const state = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  const text = hideSecrets(messageOf(error), secrets).slice(0, 1000);
  if (state?.startsWith('28')) {
    const message = `${server} refused to log in as the administrator: ${text} (SQLSTATE ${state})`;
    return new DatabaseError({ cause: 'login', message });
  }
  if (state !== undefined && !/^(08|57|58|XX)/.test(state)) {
    return new DatabaseError({ cause: 'refused', message: `PostgreSQL refused: ${text} (SQLSTATE ${state})` });
  }
  if (doing === 'query') return new DatabaseError({ cause: 'unknown', message: `${server} did not answer: ${text}` });
  const fix = 'check the firewall of the server, its network and that it is started';
  return new DatabaseError({ cause: 'unreachable', message: `Cannot connect to ${server} with TLS: ${text}; ${fix}` });
}
