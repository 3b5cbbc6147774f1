import { Socket } from 'node:net';
import { DatabaseError } from './error.ts';
import type { ConnectOptions, Row } from './types.ts';

/** Bytes that one connection reads at most, its TLS included: rows take about twenty times as much memory. */
export const mostBytes = 2 * 1024 * 1024;

/** Rows of an answer that the operator takes at most. */
export const mostRows = 10_000;

/** The end of a SELECT that shows by one more row that there are too many. */
export const limitClause = `LIMIT ${mostRows + 1}`;

/** Milliseconds between two counts of the bytes: a socket that is destroyed has read little more by then. */
const countMs = 20;

/** The rows as they are. Throws DatabaseError for too many; `what` names them, such as `memberships of app`. */
export function checkRowCount(rows: readonly Row[], what: string): readonly Row[] {
  if (rows.length <= mostRows) return rows;
  const message = `The server has more than ${mostRows} ${what}: remove some`;
  throw new DatabaseError({ cause: 'refused', message });
}

/** How one connection is kept from reading too much. */
export interface AnswerLimits {
  /** The given signal, aborted too with a DatabaseError as its reason once the sockets have read too much. */
  readonly signal: AbortSignal;
  /** Makes a socket that counts: one that has read more than `mostBytes` is destroyed. */
  readonly socket: () => Socket;
  /** Counts now, and throws the reason of the signal if it is aborted. */
  readonly check: () => void;
}

/** A connection that ends when its signal aborts. */
export interface EndedOnAbort {
  /** Rejects with the reason of the signal: the drivers leave a call without an answer when its connection is ended. */
  readonly aborted: Promise<never>;
  /** Ends nothing any more. */
  readonly forget: () => void;
}

/** Calls `end` once the signal aborts. */
export function endOnAbort(signal: AbortSignal, end: () => void): EndedOnAbort {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  const abort = () => {
    end();
    reject(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  return { aborted, forget: () => signal.removeEventListener('abort', abort) };
}

/** Limits a connection whose server may belong to a tenant. */
export function limitAnswers(
  { signal: given, socket = () => new Socket() }: ConnectOptions,
  server: string,
): AnswerLimits {
  const tooMuch = new AbortController();
  const signal = AbortSignal.any([given, tooMuch.signal]);
  const sockets = new Set<Socket>();
  const count = () => {
    for (const each of sockets) {
      if (each.bytesRead <= mostBytes) continue;
      const message = `${server} sent more than ${mostBytes / 1024 / 1024} MiB: the operator ended the connection`;
      tooMuch.abort(new DatabaseError({ cause: 'unknown', message }));
      each.destroy();
    }
  };
  const counted = () => {
    const made = socket();
    sockets.add(made);
    const timer = setInterval(count, countMs).unref();
    made.once('close', () => {
      clearInterval(timer);
      count();
      sockets.delete(made);
    });
    return made;
  };
  const check = () => {
    count();
    signal.throwIfAborted();
  };
  return { signal, socket: counted, check };
}
