import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { lookupWithLocalhost } from './connect.ts';
import { Slots } from './slots.ts';
import { openTunnel, type TunnelTarget } from './tunnel.ts';

export interface PoolOptions {
  readonly proxy: URL | undefined;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly keepAliveMs: number;
  /** Asked for when the first connection opens. */
  readonly secureContext: () => SecureContext;
  readonly rejectUnauthorized: boolean | undefined;
  readonly servername: string | undefined;
}

/** As often as a quiet connection is looked after by the kernel: a watch may be silent for long. */
const probeMs = 60_000;

/** Connections to one origin, directly or through a proxy: so many at most, each made within a limit. */
export class HttpPool {
  /** To be held while a request is under way. */
  readonly slots: Slots;
  readonly #agent: HttpAgent;
  readonly #send: typeof httpRequest;
  readonly #target: RequestOptions;
  readonly #destroyed = new AbortController();

  constructor(origin: string, options: PoolOptions) {
    const url = new URL(origin);
    const secure = url.protocol === 'https:';
    const { connections, connectTimeoutMs, rejectUnauthorized, servername } = options;
    const common = {
      keepAlive: true,
      keepAliveMsecs: probeMs,
      timeout: options.keepAliveMs,
      lookup: lookupWithLocalhost,
    };
    this.#agent = secure
      ? new HttpsAgent({
          ...common,
          secureContext: options.secureContext(),
          ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
          ...(servername !== undefined && { servername }),
        })
      : new HttpAgent(common);
    this.#send = secure ? httpsRequest : httpRequest;
    this.#target = { ...urlToHttpOptions(url), agent: this.#agent };
    this.slots = new Slots(connections || Number.POSITIVE_INFINITY);

    const connect = this.#agent.createConnection.bind(this.#agent) as (to: object) => Socket;
    const ready = secure ? 'secureConnect' : 'connect';
    const late = () => new Error(`no connection within ${connectTimeoutMs} ms`);
    const throughProxy = async (to: TunnelTarget, signal: AbortSignal) => {
      const tunnel = await openTunnel(options.proxy as URL, to, signal);
      if (!secure) return tunnel;
      const socket = connect({ ...to, socket: tunnel });
      await once(socket, ready, { signal }).catch((error) => {
        socket.destroy();
        throw signal.aborted ? signal.reason : error;
      });
      return socket;
    };
    this.#agent.createConnection = (to, done) => {
      if (!options.proxy) {
        const socket = connect(to);
        const timer = setTimeout(() => socket.destroy(late()), connectTimeoutMs);
        const clear = () => clearTimeout(timer);
        return socket.once(ready, clear).once('close', clear);
      }
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(late()), connectTimeoutMs);
      throughProxy(to as TunnelTarget, AbortSignal.any([this.#destroyed.signal, limit.signal]))
        .finally(() => clearTimeout(timer))
        .then(
          (socket) => done?.(null, socket),
          (error) => done?.(error, undefined as never),
        );
      return undefined;
    };
  }

  send(options: Pick<RequestOptions, 'path' | 'method' | 'headers'>) {
    return this.#send({ ...this.#target, ...options });
  }

  /** Ends its connections, those in use or just made as well. */
  destroy(): void {
    this.#destroyed.abort(new Error('the HTTP client was closed'));
    this.#agent.destroy();
  }
}
