import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A way to the API server that is shut at first: a program behind it can load and start, and has to wait with its first
 * request until it is opened. So the next program is ready the moment that the one before it is killed.
 */
export class Doorway {
  readonly kubeconfigFile: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<Socket>();
  #open = false;

  private constructor(server: Server, port: number, kubeconfigFile: string) {
    this.#server = server;
    this.#port = port;
    this.kubeconfigFile = kubeconfigFile;
    server.on('connection', (socket) => {
      this.#hold(socket);
      if (this.#open) this.#join(socket);
      else this.#waiting.add(socket);
    });
  }

  /** `kubeconfigFile` of the way without a door; the one of this way is written to `file`. */
  static async build(url: string, kubeconfigFile: string, file: string): Promise<Doorway> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { hostname, port: target } = new URL(url);
    const behind = new URL(url);
    behind.port = String(port);
    behind.hostname = hostname;
    writeFileSync(file, readFileSync(kubeconfigFile, 'utf8').replaceAll(new URL(url).origin, behind.origin));
    return new Doorway(server, Number(target), file);
  }

  open(): void {
    this.#open = true;
    for (const socket of this.#waiting) this.#join(socket);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(socket: Socket): void {
    const other = connect(this.#port, '127.0.0.1');
    this.#hold(other);
    socket.pipe(other).pipe(socket);
    socket.on('close', () => other.destroy());
    other.on('close', () => socket.destroy());
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#waiting.delete(socket);
    });
    // A killed program resets its connections.
    socket.on('error', () => socket.destroy());
  }
}
