import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ReversePathCheck } from '../pods/reverse-path-check.ts';

/** A connection whose address is being checked. */
interface Check {
  /** What waits for the result. */
  serve: (() => void) | undefined;
}

/** Checks the address of each connection once: a connection belongs to one pod for its whole life. */
export class AddressChecks {
  readonly #reversePath: ReversePathCheck;
  readonly #flush: () => void;
  readonly #running = new WeakMap<Socket, Check>();
  /** Connections from a pod's address that arrived over another interface (possible address reuse). */
  readonly #reused = new WeakSet<Socket>();

  /** `flush` sends the answers that wait for the end of the iteration. */
  constructor(reversePath: ReversePathCheck, flush: () => void) {
    this.#reversePath = reversePath;
    this.#flush = flush;
  }

  /** Starts the check of a new connection. */
  start(socket: Socket, address: string): void {
    const result = this.#reversePath.addressReused(address);
    if (result === false) return;
    this.#running.set(socket, { serve: undefined });
    void result.then((reused) => this.#finish(socket, reused));
    // A caller may half-close after its request: Node's own listener, between these two, would end the connection before
    // the check and the answer.
    const { server } = socket as Socket & { readonly server: Server & { httpAllowHalfOpen: boolean } };
    socket.prependListener('end', () => {
      this.#flush();
      server.httpAllowHalfOpen = this.#running.has(socket);
    });
    socket.on('end', () => {
      server.httpAllowHalfOpen = false;
    });
  }

  /** Whether the check still runs: `serve` is called at its end then. */
  waits(socket: Socket, serve: () => void): boolean {
    const check = this.#running.get(socket);
    if (check) check.serve = serve;
    return check !== undefined;
  }

  /** The result of a check that has ended. */
  isReused(socket: Socket): boolean {
    return this.#reused.has(socket);
  }

  #finish(socket: Socket, reused: boolean): void {
    const check = this.#running.get(socket);
    if (!check) return;
    this.#running.delete(socket);
    if (reused) this.#reused.add(socket);
    check.serve?.();
  }
}
