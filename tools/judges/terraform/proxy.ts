import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A proxy that leads `*.localhost` to the loopback address and refuses every other host. */
export interface LocalProxy {
  readonly url: string;
  /** Hosts that were asked for and refused. */
  readonly refused: ReadonlySet<string>;
  close(): void;
}

/** Starts one: Go resolves no name below `localhost`, and asks a proxy for them. */
export async function startLocalProxy(): Promise<LocalProxy> {
  const refused = new Set<string>();
  const server = createServer((_, response) => response.writeHead(502).end());
  server.on('connect', ({ url }, client, head) => {
    const [host = '', port] = (url ?? '').split(':');
    client.on('error', () => client.destroy());
    if (!host.endsWith('.localhost')) {
      refused.add(host);
      client.end('HTTP/1.1 502 This host is not here\r\n\r\n');
      return;
    }
    const upstream = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
