import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SocksProxy {
  readonly url: string;
  /** `host:port` of every connection asked for. */
  readonly targets: string[];
  close(): Promise<void>;
}

/** A SOCKS5 proxy (RFC 1928) on loopback without authentication. */
export async function startSocksProxy(): Promise<SocksProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    client.once('data', () => {
      client.write(Buffer.from([5, 0]));
      client.once('data', (request: Buffer) => {
        const byName = request[3] === 3;
        const length = byName ? (request[4] ?? 0) : 4;
        const start = byName ? 5 : 4;
        const address = request.subarray(start, start + length);
        const host = byName ? address.toString() : [...address].join('.');
        const port = request.readUInt16BE(start + length);
        targets.push(`${host}:${port}`);
        const upstream = connect(port, host, () => {
          client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          upstream.pipe(client).pipe(upstream);
        });
        keep(upstream);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    async close() {
      const done = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await done;
    },
  };
}
