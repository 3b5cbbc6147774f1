/** Servers and clients of a test, closed when it ends. */
import { afterEach } from '@jest/globals';
import { createDispatcher, type Dispatcher, type HttpOptions } from '../../runtime/base/http/client.ts';
import { startRawServer } from '../fakes/raw-server.ts';
import { type Handler, startWebServer, type WebServer } from '../fakes/web-server.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

/** Calls this when the test ends, last come first served. */
export function afterwards(close: () => Promise<unknown>): void {
  cleanup.push(close);
}

export async function serve(handler: Handler, tls?: Parameters<typeof startWebServer>[1]): Promise<WebServer> {
  const server = await startWebServer(handler, tls);
  afterwards(() => server.close());
  return server;
}

/** A server that speaks no HTTP by itself. */
export async function raw(answer: Parameters<typeof startRawServer>[0]) {
  const server = await startRawServer(answer);
  afterwards(() => server.close());
  return { ...server, url: `http://${server.host}/` };
}

/** Without a proxy, unless it is asked for. */
export function client(options: HttpOptions = {}): Dispatcher {
  const dispatcher = createDispatcher({ proxy: 'none', ...options });
  afterwards(() => dispatcher.destroy());
  return dispatcher;
}
