import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';

/** Serves a Unix socket by what listens on a port of loopback. Ends with the process. */
export async function startUnixProxy(path: string, port: number): Promise<string> {
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.unref();
  // As the daemon does it: nobody else may write there.
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
  } finally {
    process.umask(before);
  }
  return path;
}
