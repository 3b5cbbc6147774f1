import { get, type IncomingHttpHeaders } from 'node:http';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { type Access, localAccess } from '../../runtime/ui/cluster/access.ts';
import type { LiveViewOptions } from '../../runtime/ui/cluster/live-view.ts';
import { loadPageFiles } from '../../runtime/ui/http/page-files.ts';
import { UiServer, type UiServerDeps } from '../../runtime/ui/http/server.ts';
import type { KindStatus, StreamMessage } from '../../runtime/ui/messages.ts';
import type { Row } from '../../runtime/view/model/row.ts';
import { eventually } from '../fakes/eventually.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What a page has received from a stream. */
export class Stream {
  readonly rows = new Map<string, Row>();
  readonly messages: StreamMessage[] = [];
  kinds: readonly KindStatus[] = [];
  text = '';
  status: number | undefined;
  ended = false;
  readonly close: () => void;

  constructor(url: string, headers: Record<string, string>) {
    const request = get(url, { headers }, (response) => {
      this.status = response.statusCode;
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        this.text += chunk;
        const events = (rest + chunk).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) if (event.startsWith('data: ')) this.#take(JSON.parse(event.slice(6)));
      });
      response.on('close', () => {
        this.ended = true;
      });
    });
    request.on('error', () => {
      this.ended = true;
    });
    this.close = () => void request.destroy();
  }

  stateOf(kind: string): string | undefined {
    return this.kinds.find((each) => each.kind === kind)?.state;
  }

  names(): string[] {
    return [...this.rows.values()].map(({ namespace, kind, name }) => `${namespace}/${kind}/${name}`).sort();
  }

  /** Until each kind is listed, forbidden or failed. */
  async complete(limitMs?: number): Promise<void> {
    const known = () => this.kinds.length > 0 && this.kinds.every(({ state }) => state !== 'listing');
    await eventually('the stream is complete', () => this.ended || known(), limitMs);
  }

  #take(message: StreamMessage): void {
    this.messages.push(message);
    if (message.type === 'rows') for (const row of message.rows) this.rows.set(row.id, row);
    if (message.type === 'gone') for (const id of message.ids) this.rows.delete(id);
    if (message.type === 'kinds') this.kinds = message.kinds;
  }
}

export interface RunningUi {
  readonly port: number;
  readonly url: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  stream(token: string, query?: string): Stream;
  close(): Promise<void>;
}

/** GET with these headers, which may have another Host. */
export function getText(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    }).on('error', reject);
  });
}

/** A server of the page in this process. */
export async function startUi(
  access: Access,
  {
    hosts = [],
    portal = '',
    ...limits
  }: Partial<Pick<UiServerDeps, 'hosts' | 'portal' | 'view' | 'memoryBytes' | 'connections'>> = {},
): Promise<RunningUi> {
  const server = new UiServer({ access, page: await loadPageFiles(), hosts, portal, log: silentLogger, ...limits });
  const port = await server.listen(0);
  const url = `http://127.0.0.1:${port}`;
  const streams: Stream[] = [];
  return {
    port,
    url,
    get: (path, headers = {}) => getText(`${url}${path}`, headers),
    stream(token, query = '') {
      const stream = new Stream(`${url}/api/stream${query}`, { authorization: `Bearer ${token}` });
      streams.push(stream);
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
      await server.close();
    },
  };
}

/** A server for the user of a kubeconfig, and its token. */
export async function startLocalUi(kubeconfig: string, view?: LiveViewOptions, portal = '') {
  const access = localAccess(loadKubeConnection({ kubeconfig }));
  return { ...(await startUi(access, { portal, ...(view && { view }) })), token: access.token };
}
