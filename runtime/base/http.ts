import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { lookupWithLocalhost, trustedRoots } from './connect.ts';
import { proxyFromEnv } from './proxy-env.ts';

export interface HttpOptions {
  /** Certificates to trust in place of the built-in roots (PEM). @default the built-in roots and NODE_EXTRA_CA_CERTS */
  readonly ca?: string | readonly string[];
  /** Client certificate and key (PEM). */
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
  /** A proxy's URL, 'env' (by `proxyFromEnv` for each origin) or 'none'. @default 'env' */
  readonly proxy?: string;
  /** Connections per origin; 0 = no limit, for streams that each hold one. @default 16 */
  readonly connections?: number;
  /** Milliseconds to establish a connection. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** Milliseconds until the response's headers; 0 = never. @default 60000 */
  readonly headersTimeoutMs?: number;
  /** Milliseconds between two pieces of the response's body; 0 = never. @default 60000 */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds an unused connection is kept, unless the server asks for less. @default 4000 */
  readonly keepAliveMs?: number;
}

/** A pooled undici dispatcher. The caller owns it and closes it. */
export function createDispatcher(options: HttpOptions = {}): Dispatcher {
  const tls = {
    ca: options.ca === undefined ? trustedRoots() : [options.ca].flat(),
    cert: options.cert,
    key: options.key,
    rejectUnauthorized: options.rejectUnauthorized,
    servername: options.servername,
  };
  const connect = { ...tls, timeout: options.connectTimeoutMs ?? 10_000, lookup: lookupWithLocalhost };
  const agent = {
    connections: options.connections === 0 ? null : (options.connections ?? 16),
    // Go servers would pick HTTP/2, where one dead connection stalls every stream that shares it.
    allowH2: false,
    headersTimeout: options.headersTimeoutMs ?? 60_000,
    bodyTimeout: options.bodyTimeoutMs ?? 60_000,
    keepAliveTimeout: options.keepAliveMs ?? 4000,
  };
  const through = (uri: string) => new ProxyAgent({ ...agent, uri, connect, requestTls: connect });
  const proxy = options.proxy ?? 'env';
  if (proxy === 'none') return new Agent({ ...agent, connect });
  if (proxy !== 'env') return through(proxy);
  const factory = (origin: string | URL, poolOptions: object) => {
    const uri = proxyFromEnv(new URL(origin));
    return uri === undefined ? new Pool(origin, poolOptions) : through(uri);
  };
  return new Agent({ ...agent, connect, factory });
}
