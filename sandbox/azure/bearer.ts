import type { Exchange } from './exchange.ts';

/** The bearer token of a request, if it has one. */
export function bearer(exchange: Exchange): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(exchange.headers['authorization'] ?? '')?.[1];
}
