import type { Socket } from 'node:net';
import { SharedBuckets } from '../fairness/shared-buckets.ts';
import type { HttpServer } from '../http/http-server.ts';
import { UnansweredRequests } from '../http/unanswered-requests.ts';
import type { BucketSize } from '../scheduling/token-bucket.ts';

/** Most connections of one address: kubelet and Prometheus use one or two. */
const perAddress = 8;
/** Most connections in all. */
const total = 128;
/** Addresses whose rate is known; others begin with a full bucket. */
const ratedAddresses = 4096;

/**
 * Limits the connections of a server that every pod of the cluster reaches. An address gets no more than its share. Beyond
 * the total the address with most connections loses its oldest one, so that many addresses cannot keep out one that needs
 * little, such as kubelet's or Prometheus's. Connections with many requests at once end. `rate` limits how often an
 * address may connect. @default any rate
 *
 * Returns a function that ends all connections, those without a finished handshake too, and stops listening.
 */
export function limitConnections(server: HttpServer, rate?: BucketSize): () => Promise<void> {
  const mayConnect = rate ? rateByAddress(rate) : () => true;
  /** Oldest first. */
  const byAddress = new Map<string, Set<Socket>>();
  const unanswered = new UnansweredRequests();
  let count = 0;
  const remove = (address: string, socket: Socket) => {
    const connections = byAddress.get(address);
    if (!connections?.delete(socket)) return;
    count -= 1;
    if (connections.size === 0) byAddress.delete(address);
  };
  server.onReady((socket) => unanswered.watch(socket));
  server.node.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const connections = byAddress.get(address) ?? new Set();
    if (connections.size >= perAddress || !mayConnect(address)) {
      socket.destroy();
      return;
    }
    byAddress.set(address, connections.add(socket));
    count += 1;
    socket.once('close', () => remove(address, socket));
    if (count <= total) return;
    let most: readonly [address: string, sockets: ReadonlySet<Socket>] | undefined;
    // Of equal ones the first to connect.
    for (const entry of byAddress) if (entry[1].size > (most?.[1].size ?? 0)) most = entry;
    const [oldest] = most?.[1] ?? [];
    if (!most || !oldest) return;
    // Not at its `close`, which comes later: another connection may begin before.
    remove(most[0], oldest);
    oldest.destroy();
  });
  return () => {
    for (const sockets of byAddress.values()) for (const socket of sockets) socket.destroy();
    return server.close(0);
  };
}

function rateByAddress(rate: BucketSize): (address: string) => boolean {
  const buckets = new SharedBuckets(ratedAddresses);
  return (address) => buckets.take({ key: address, size: rate }, performance.now());
}
