import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { lookupWithLocalhost, sharedTlsContext } from '../base/connect.ts';
import type { HttpOptions } from '../base/http.ts';
import type { Answer } from './answer.ts';

export interface GetRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly signal?: AbortSignal;
}

/**
 * GETs over Node's own HTTP client, directly and never through a proxy. Receiving a list takes it two thirds of undici's
 * processor time, as bodies do not pass through WebAssembly and nothing has to be compiled before the first one.
 */
export class GetAgent {
  readonly #agent: HttpAgent;
  readonly #timeoutMs: number;
  readonly #connectTimeoutMs: number;
  readonly #open = new Set<Promise<unknown>>();

  /** Takes the options of `createDispatcher` but for the proxy; both timeouts of an answer are `headersTimeoutMs`. */
  constructor(origin: string, options: HttpOptions) {
    const common = {
      keepAlive: true,
      maxSockets: options.connections ?? 16,
      timeout: options.keepAliveMs ?? 4000,
      lookup: lookupWithLocalhost,
    };
    const { rejectUnauthorized, servername } = options;
    this.#agent = origin.startsWith('https:')
      ? new HttpsAgent({
          ...common,
          secureContext: sharedTlsContext(options)(),
          ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
          ...(servername !== undefined && { servername }),
        })
      : new HttpAgent(common);
    this.#timeoutMs = options.headersTimeoutMs ?? 60_000;
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  }

  /** Resolves when the answer begins; rejects with the failure of the connection, or once the signal aborts. */
  async send(request: GetRequest): Promise<Answer> {
    try {
      return await this.#once(request);
    } catch (error) {
      // The server ended an idle connection at the moment it was taken.
      if (!(error instanceof StaleConnection)) throw error;
      return this.#once(request);
    }
  }

  /** Waits for answers under way, then frees the sockets. */
  async close(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
    this.#agent.destroy();
  }

  #once({ origin, path, headers, signal }: GetRequest): Promise<Answer> {
    const send = origin.startsWith('https:') ? httpsRequest : httpRequest;
    const ended = Promise.withResolvers<void>();
    this.#open.add(ended.promise);
    return new Promise((resolve, reject) => {
      const request = send({
        ...urlToHttpOptions(new URL(origin)),
        path,
        headers,
        agent: this.#agent,
        ...(signal && { signal }),
      });
      let connecting: NodeJS.Timeout | undefined;
      const fail = (text: string) => request.destroy(new Error(text));
      request.setTimeout(this.#timeoutMs, () => fail(`nothing was received for ${this.#timeoutMs} ms`));
      request.once('socket', (socket) => {
        if (!socket.connecting) return;
        connecting = setTimeout(
          () => fail(`no connection within ${this.#connectTimeoutMs} ms`),
          this.#connectTimeoutMs,
        );
        socket.once(origin.startsWith('https:') ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection(error) : error);
      });
      request.once('close', () => {
        clearTimeout(connecting);
        this.#open.delete(ended.promise);
        ended.resolve();
      });
      request.once('response', (response) => resolve(answerOf(response)));
      request.end();
    });
  }
}

class StaleConnection extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

function answerOf(response: IncomingMessage): Answer {
  // Until somebody reads it, a failure of the body has no listener.
  response.on('error', () => undefined);
  return {
    statusCode: response.statusCode ?? 0,
    headers: response.headers,
    body: {
      text: () => read(response),
      dump: async () => {
        await read(response);
      },
    },
  };
}

function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    if (response.errored) reject(response.errored);
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    response.once('end', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
      // The connection keeps the answer until its next one, and with it this listener.
      chunks = [];
    });
  });
}
