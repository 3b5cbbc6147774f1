import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy before the API server that holds connections until `open`. A program can start behind it and wait with its
 * first request, so that it is ready the moment the previous program is killed.
 */
export class HeldProxy {
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

  /** `kubeconfigFile` is for direct connections; the one for this proxy is written to `file`. */
  static async build(url: string, kubeconfigFile: string, file: string): Promise<HeldProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { hostname, port: target } = new URL(url);
    const behind = new URL(url);
    behind.port = String(port);
    behind.hostname = hostname;
    writeFileSync(file, readFileSync(kubeconfigFile, 'utf8').replaceAll(new URL(url).origin, behind.origin));
    return new HeldProxy(server, Number(target), file);
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
