import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a TCP port that can be cut, as an API server that is away. */
export interface CutProxy {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Ends all connections, and accepts no other until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startCutProxy(host: string, port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    const outgoing = connect(port, host);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      end();
    },
    restore() {
      isCut = false;
    },
    async close() {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
