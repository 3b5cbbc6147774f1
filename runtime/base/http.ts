import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { lookupWithLocalhost, sharedTlsContext, type TlsIdentity } from './connect.ts';
import { proxyFromEnv } from './proxy-env.ts';

export interface HttpOptions extends TlsIdentity {
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
  const context = sharedTlsContext(options);
  const { rejectUnauthorized, servername, connectTimeoutMs: timeout = 10_000 } = options;
  const plain = { timeout, lookup: lookupWithLocalhost };
  const secure = () => ({ ...plain, rejectUnauthorized, servername, secureContext: context() });
  const agent = {
    connections: options.connections === 0 ? null : (options.connections ?? 16),
    // Go servers would pick HTTP/2, where one dead connection stalls every stream that shares it.
    allowH2: false,
    headersTimeout: options.headersTimeoutMs ?? 60_000,
    bodyTimeout: options.bodyTimeoutMs ?? 60_000,
    keepAliveTimeout: options.keepAliveMs ?? 4000,
  };
  const through = (uri: string) => new ProxyAgent({ ...agent, uri, connect: secure(), requestTls: secure() });
  const { proxy = 'env' } = options;
  if (proxy !== 'env' && proxy !== 'none') return through(proxy);
  const factory = (origin: string | URL, poolOptions: object) => {
    const url = new URL(origin);
    const uri = proxy === 'none' ? undefined : proxyFromEnv(url);
    if (uri !== undefined) return through(uri);
    return new Pool(origin, { ...poolOptions, connect: url.protocol === 'https:' ? secure() : plain });
  };
  return new Agent({ ...agent, factory });
}
