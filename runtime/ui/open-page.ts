import { silentLogger } from '../base/observability/log.ts';
import type { KubeConnection } from '../kube/config/connection.ts';
import { type Access, localAccess } from './cluster/access.ts';
import { loadPageFiles } from './http/page-files.ts';
import { UiServer } from './http/server.ts';

/** A page that is served. */
export interface OpenPage {
  /** The page's URL. For a local page its fragment is a token, which browsers send to no server. */
  readonly address: string;
  close(): Promise<void>;
}

/** Where to serve. */
export interface OpenPageOptions {
  /** @default 0, a free one */
  readonly port?: number;
  /** Host names beside the loopback ones. @default none */
  readonly hosts?: readonly string[];
  /** Address of the Azure portal to link to. @default none */
  readonly portal?: string;
}

/** Serves the page on 127.0.0.1 to readers that `access` knows. */
export async function openPage(
  access: Access,
  { port = 0, hosts = [], portal = '' }: OpenPageOptions = {},
): Promise<OpenPage> {
  const server = new UiServer({ access, page: await loadPageFiles(), hosts, portal, log: silentLogger });
  const used = await server.listen(port);
  return { address: `http://127.0.0.1:${used}/`, close: () => server.close() };
}

/** Serves the page with the rights of a connection to anyone who has the address. */
export async function openLocalPage(connection: KubeConnection, options: OpenPageOptions = {}): Promise<OpenPage> {
  const access = localAccess(connection);
  const page = await openPage(access, options);
  return { ...page, address: `${page.address}#token=${access.token}` };
}
