import type { BareConnection, Connection as DriverConnection } from 'mysql2';
import { hideSecrets } from '../../azure/arm/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { endOnAbort, limitAnswers } from '../answer-limits.ts';
import { DatabaseError } from '../error.ts';
import { type Connect, type Connection, databaseTimeoutMs, type Login, type Row } from '../types.ts';
import { quoteText, sessionModes } from './quoting.ts';

/** Opens one connection with the driver `mysql2`, which is loaded with the first one. */
export const connect: Connect = async (login, options) => {
  const { default: mysql } = await import('mysql2');
  const { host, port, password } = login;
  const { signal, socket, check } = limitAnswers(options, `${host}:${port}`);
  signal.throwIfAborted();
  const failure = (error: unknown, doing: 'connect' | 'query') => {
    if (signal.aborted) return signal.reason as unknown;
    return failureOf(error, doing, `${host}:${port}`, [...options.secrets, password]);
  };
  const stream = socket();
  const cancel = () => stream.destroy();
  signal.addEventListener('abort', cancel, { once: true });
  const made = mysql.createConnection({
    ...settingsOf(login, options.ca),
    stream: () => stream.connect(port, host),
  });
  // An error without a listener would end the process: one while nothing is sent, or a second one of a lost connection.
  made.on('error', () => undefined);
  expectAnySequence(made);
  const opened = made.promise();
  await opened
    .connect()
    .catch((error: unknown) => {
      throw failure(error, 'connect');
    })
    .finally(() => signal.removeEventListener('abort', cancel));
  const { aborted, forget } = endOnAbort(signal, () => opened.destroy());
  const connection: Connection = {
    query: async (statement, values) => {
      try {
        const rows = await answerOf(opened, statement, values, aborted);
        check();
        return rows;
      } catch (error) {
        throw failure(error, 'query');
      }
    },
    close: async () => {
      forget();
      const late = new Promise((resolve) => setTimeout(resolve, 1000).unref());
      await Promise.race([opened.end(), late]).catch(() => undefined);
      opened.destroy();
    },
  };
  try {
    await connection.query(`SET SESSION sql_mode = ${quoteText(sessionModes)}`);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
};

/** Login, TLS and time limit of a connection, as the driver takes them. */
function settingsOf({ host, port, user, password, database, isToken }: Login, ca: string | undefined) {
  return {
    host,
    port,
    user,
    password,
    database,
    connectTimeout: databaseTimeoutMs,
    charset: 'utf8mb4',
    flags: ['-LOCAL_FILES'],
    ssl: { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    // For tokens alone, which go as clear text within TLS. A password goes by the methods that hash or encrypt it.
    enableCleartextPlugin: isToken === true,
  };
}

/** The rows of a statement. Rejects with `aborted`, and after the time that a statement may take. */
async function answerOf(
  opened: DriverConnection,
  statement: string,
  values: readonly unknown[] | undefined,
  aborted: Promise<never>,
): Promise<Row[]> {
  // The timer of the driver goes on after the end of its connection.
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`no answer within ${databaseTimeoutMs / 1000} s`));
    opened.destroy();
  }, databaseTimeoutMs).unref();
  try {
    // With values the server itself puts them in; it prepares no statement about accounts.
    const answer = values ? opened.execute(statement, [...values]) : opened.query(statement);
    const [rows] = await Promise.race([answer, aborted, late.promise]);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The driver takes messages out of sequence, but prints a line about each to standard error, where lines of the log are,
 * and a tenant's server chooses how many. What the message says counts as before.
 */
function expectAnySequence(made: BareConnection): void {
  const handle = made.handlePacket;
  made.handlePacket = (packet) => {
    if (packet) packet.sequenceId = made.sequenceId;
    handle.call(made, packet);
  };
}

/** Errors of MySQL whose text repeats a part of the statement. */
const quotesStatement: ReadonlySet<string> = new Set(['ER_PARSE_ERROR', 'ER_SYNTAX_ERROR']);
const loginRefused: ReadonlySet<string> = new Set(['ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR']);

/** The driver's error without the statement, which it carries along: only the server's own text, without secrets. */
function failureOf(error: unknown, doing: 'connect' | 'query', server: string, secrets: readonly string[]) {
  const { code, errno } = error as { readonly code?: unknown; readonly errno?: unknown };
  const word = typeof code === 'string' && /^[A-Z][A-Z_0-9]{0,60}$/.test(code) ? code : 'unknown error';
  const text = quotesStatement.has(word) ? 'its syntax' : hideSecrets(messageOf(error), secrets).slice(0, 1000);
  const answered = typeof errno === 'number' && errno >= 1000 && errno < 2000;
  if (doing === 'connect' && (loginRefused.has(word) || word.startsWith('AUTH_SWITCH'))) {
    const message = `${server} refused to log in as the administrator: ${text} (${word})`;
    return new DatabaseError({ cause: 'login', message });
  }
  if (doing === 'query') {
    if (answered) return new DatabaseError({ cause: 'refused', message: `MySQL refused: ${text} (${word})` });
    return new DatabaseError({ cause: 'unknown', message: `${server} did not answer: ${text} (${word})` });
  }
  const fix = 'check the firewall of the server, its network and that it is started';
  return new DatabaseError({ cause: 'unreachable', message: `Cannot connect to ${server} with TLS: ${text}; ${fix}` });
}
