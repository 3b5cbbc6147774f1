/** Servers and clients of a test, closed when it ends. */

import { createDispatcher, type Dispatcher, type HttpOptions } from '../../runtime/base/http/client.ts';
import { afterwards } from '../fakes/afterwards.ts';
import { startRawServer } from '../fakes/raw-server.ts';
import { type Handler, startWebServer, type WebServer } from '../fakes/web-server.ts';

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
