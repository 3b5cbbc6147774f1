import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 without a listener. It is below the range that systems assign automatically (from 32768 on
 * Linux, from 49152 elsewhere), so that it stays free while a slow program starts.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(10_000, 30_000);
    if (await isFree(port)) return port;
  }
  throw new Error('Expected a free port of 127.0.0.1 from 10000 to 29999, found none in 100 tries');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}
