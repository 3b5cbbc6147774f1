import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { HttpBody } from './body.ts';
import { onAbort } from './on-abort.ts';

export interface ExchangeLimits {
  /** From the connection to the headers of the answer; 0 = none. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of its body; 0 = none. */
  readonly bodyTimeoutMs: number;
}

/** The server ended a kept connection in the moment it was taken: it may not have seen the request. */
export class StaleConnection extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * Sends a request of node:http with its body. Gives the answer, and what resolves when the connection is free of it. A signal or
 * a limit ends the connection at any time, and what is read then fails with its reason.
 */
export function exchange(
  request: ClientRequest,
  body: string | Uint8Array | null,
  { headersTimeoutMs, bodyTimeoutMs }: ExchangeLimits,
  signals: readonly AbortSignal[],
) {
  const answer = Promise.withResolvers<IncomingMessage>();
  const ended = Promise.withResolvers<void>();
  let response: IncomingMessage | undefined;
  let timer: NodeJS.Timeout | undefined;

  const fail = (error: Error) => {
    answer.reject(error);
    response?.destroy(error);
    request.destroy(error);
    // A connection on its way ends where it would be handed over.
    if (!request.socket) ended.resolve();
  };
  const silent = (ms: number) => fail(new Error(`nothing was received for ${ms} ms`));
  const forget = onAbort(signals, fail);

  request.once('socket', (socket: Socket) => {
    const wait = () => {
      if (headersTimeoutMs > 0 && !request.destroyed) {
        timer = setTimeout(() => silent(headersTimeoutMs), headersTimeoutMs);
      }
    };
    if (!socket.connecting) wait();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', wait);
  });
  request.once('response', (incoming: IncomingMessage) => {
    clearTimeout(timer);
    response = incoming;
    if (bodyTimeoutMs > 0) {
      const { socket } = incoming;
      socket.setTimeout(bodyTimeoutMs);
      incoming.on('timeout', () => {
        // Where the reader is slow, the server has nothing to send.
        if (incoming.readableLength > 0) socket.setTimeout(bodyTimeoutMs);
        else silent(bodyTimeoutMs);
      });
    }
    answer.resolve(incoming);
  });
  request.on('error', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }) => {
    // Of an answer that is no HTTP; whoever logs errors would show what may be a secret.
    delete error.rawPacket;
    const stale = request.reusedSocket && !response && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    fail(stale ? new StaleConnection(error) : error);
  });
  request.once('close', () => {
    clearTimeout(timer);
    forget();
    if (!response) answer.reject(new Error('the connection was closed without an answer'));
    ended.resolve();
  });
  request.end(body ?? undefined);
  const received = answer.promise.then((incoming) => {
    const { statusCode = 0, headers } = incoming;
    return { statusCode, headers, body: new HttpBody(incoming) };
  });
  return { answer: received, ended: ended.promise };
}
