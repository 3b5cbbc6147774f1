import type { Socket } from 'node:net';
import { canonicalAddress } from '../pods/pod-by-address.ts';

export interface LimitsOptions {
  /** Connections at a time. @default 4096 */
  readonly connections?: number;
  /** Connections of one address at a time. @default 256 */
  readonly connectionsPerAddress?: number;
  /** Requests being worked on at a time. @default 2048 */
  readonly requests?: number;
  /** Requests of one address at a time; they may wait for an assignment. @default 128 */
  readonly requestsPerAddress?: number;
}

export type Limit = 'connections' | 'connections_per_address' | 'requests' | 'requests_per_address';

/** Keeps one pod from taking what the others need, and all of them from exhausting the daemon. */
export class Limits {
  readonly #options: Required<LimitsOptions>;
  readonly #connections = new Tally();
  readonly #requests = new Tally();

  constructor(options: LimitsOptions = {}) {
    this.#options = {
      connections: 4096,
      connectionsPerAddress: 256,
      requests: 2048,
      requestsPerAddress: 128,
      ...options,
    };
  }

  /** Counts a connection until it closes; returns the bound that it breaks, and then does not count it. */
  connect(socket: Socket): Limit | undefined {
    const address = canonicalAddress(socket.remoteAddress);
    if (this.#connections.total >= this.#options.connections) return 'connections';
    if (this.#connections.of(address) >= this.#options.connectionsPerAddress) return 'connections_per_address';
    this.#connections.add(address, 1);
    socket.once('close', () => this.#connections.add(address, -1));
    return undefined;
  }

  /** Counts a request until the function that is returned is called; or returns the bound that it breaks. */
  begin(address: string): Limit | (() => void) {
    if (this.#requests.total >= this.#options.requests) return 'requests';
    if (this.#requests.of(address) >= this.#options.requestsPerAddress) return 'requests_per_address';
    this.#requests.add(address, 1);
    return () => this.#requests.add(address, -1);
  }
}

class Tally {
  total = 0;
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    this.total += change;
    const count = this.of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
