/** Servers and clients for the tests of the transport. */

import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { TransportOptions } from '../../../runtime/kube/client/transport.ts';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { anonymous, type KubeConnection, type TextSource } from '../../../runtime/kube/config/connection.ts';
import { fixedText } from '../../../runtime/kube/config/text-source.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { type Handler, sendJson, startWebServer, type WebServer } from '../../fakes/web-server.ts';

export const authority = issueCertificate({ commonName: 'authority', ca: true });
export const pair = issueCertificate({ commonName: 'kube', hosts: ['127.0.0.1', 'inner.example'], issuer: authority });
/** A server that closes after the test. */
export async function serve(handler: Handler, tls: object = pair): Promise<WebServer> {
  const server = await startWebServer(handler, tls);
  afterwards(() => server.close());
  return server;
}

/** A client of the server that closes after the test. */
export function client(
  server: { readonly url: string },
  more: Partial<KubeConnection> = {},
  options?: TransportOptions,
): KubeClient {
  const connection: KubeConnection = {
    source: 'test',
    server: server.url,
    namespace: 'default',
    ca: fixedText(authority.cert),
    credential: anonymous,
    ...more,
  };
  const created = createKubeClient(connection, options);
  afterwards(() => created.close());
  return created;
}

export const ok: Handler = (_, response) => sendJson(response, { ok: true });

/** A text source that a test changes; counts as stale only after `refresh`. */
export function changing(first: string): TextSource & { next: string } {
  let shown = first;
  const source = {
    next: first,
    read: () => shown,
    refresh: () => {
      shown = source.next;
    },
  };
  return source;
}
