import type { IncomingMessage } from 'node:http';

/** Characters of the longest text of an IPv6 address with a zone. */
const longest = 64;

/**
 * The address of the client as the nearest proxy saw it: the last entry of X-Forwarded-For, which that proxy writes. Those
 * before it may be invented. Without the header the peer's own. The server listens on the loopback address, so that
 * only the proxy of its pod, or a user of its machine, can be the peer.
 */
export function clientAddress({ headers, socket }: IncomingMessage): string {
  const entries = [headers['x-forwarded-for'] ?? []].flat().join(',');
  const last = entries.slice(entries.lastIndexOf(',') + 1).trim();
  return (last || (socket.remoteAddress ?? '')).slice(0, longest);
}
