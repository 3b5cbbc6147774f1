import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { FairLimit } from '../../base/fairness/fair-limit.ts';

/**
 * Heap for each connection. One takes 55 KB in all, 110 KB with headers of 32 KB, and 225 KB during a handshake with
 * the largest first message; values may take as much of the heap as connections.
 */
const heapBytes = 192 * 1024;
const mostConnections = 10_000;

/** The number of connections that fit into a program with a heap of so many bytes. @default this program's */
export function connectionsFor(heap = getHeapStatistics().heap_size_limit): number {
  return Math.min(mostConnections, Math.floor(heap / heapBytes));
}

/**
 * Limits of connections, of which one address has half, and a quarter may be in a handshake. Before a token is checked
 * an address is all that tells callers apart: the one with most connections loses its oldest to one with fewer.
 */
export class ConnectionLimits {
  readonly #connections: FairLimit<'connections'>;
  readonly #handshakes: FairLimit<'handshakes'>;
  /** Ends of handshakes, by address and port. */
  readonly #inHandshake = new Map<string, () => void>();
  readonly #onRefused: () => void;

  /** `onRefused` is called for each connection that a limit refuses or ends. */
  constructor(connections: number, onRefused: () => void) {
    this.#connections = new FairLimit('connections', sharesOf(connections));
    this.#handshakes = new FairLimit('handshakes', sharesOf(connections / 4));
    this.#onRefused = onRefused;
  }

  /** Counts a connection until it closes, or destroys it. */
  connected(socket: Socket): void {
    const address = socket.remoteAddress;
    // The caller has reset it before it was accepted: it has neither address nor port, by which its places end.
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const evict = () => {
      this.#onRefused();
      socket.destroy();
    };
    const key = keyOf(socket);
    const connection = this.#connections.admit(address, address, evict);
    if (typeof connection === 'function') socket.once('close', connection);
    const handshake = typeof connection === 'function' && this.#handshakes.admit(address, address, evict);
    if (typeof handshake !== 'function') {
      evict();
      return;
    }
    // A former connection with this address and port is gone, although its end may be noticed later.
    this.#handshakeEnded(key);
    this.#inHandshake.set(key, handshake);
    socket.once('close', () => {
      if (this.#inHandshake.get(key) === handshake) this.#handshakeEnded(key);
    });
  }

  /** The handshake of a connection has ended well. */
  secured(socket: Socket): void {
    this.#handshakeEnded(keyOf(socket));
  }

  #handshakeEnded(key: string): void {
    this.#inHandshake.get(key)?.();
    this.#inHandshake.delete(key);
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

function sharesOf(total: number) {
  const half = Math.ceil(total / 2);
  return { total: Math.ceil(total), perNamespace: half, perAddress: half };
}
