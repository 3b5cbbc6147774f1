import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Store } from '../model/store.ts';
import type { Selection } from '../storage/selection.ts';
import { Watch, type WatchEvent } from '../storage/watches.ts';
import { partial, tableOf } from '../tables/table.ts';
import type { Accepted } from './negotiation.ts';
import { flag } from './request-info.ts';

/** How a watch is streamed. */
export interface StreamOptions {
  readonly accepted: Accepted;
  readonly now: () => number;
  /** Milliseconds between bookmarks. @default 5000 */
  readonly bookmarkMs?: number | undefined;
  /** Aborts when the server shuts down. */
  readonly signal: AbortSignal;
}

/** Events that may wait for a slow client before its watch is ended; it then lists again. */
const maximumBacklog = 100_000;

/** Answers a WATCH: one JSON object a line until the timeout, the client's end or the server's. Throws 400 and 422. */
export function streamWatch(
  request: IncomingMessage,
  response: ServerResponse,
  store: Store,
  selected: Selection,
  query: URLSearchParams,
  options: StreamOptions,
): void {
  // The client may be gone since the request came; then no event of the response would end the watch.
  if (response.destroyed) return;
  const { accepted } = options;
  const backlog: WatchEvent[] = [];
  let open = false;
  let firstTable = true;
  const line = ({ type, object }: WatchEvent): string => {
    let shown = object;
    if (type !== 'ERROR' && accepted.as === 'Table') {
      const metadata = { resourceVersion: object['metadata'].resourceVersion };
      const table = tableOf(
        selected.resource,
        type === 'BOOKMARK' ? [] : [object],
        metadata,
        query.get('includeObject') ?? 'Metadata',
        options.now(),
      );
      // Only the first table of a watch carries the columns.
      if (!firstTable) table['columnDefinitions'] = null;
      firstTable = false;
      shown = table;
    } else if (type !== 'ERROR' && accepted.as) shown = partial(object);
    return `${JSON.stringify({ type, object: shown })}\n`;
  };
  let ended = false;
  const pump = () => {
    while (backlog.length > 0 && open && !response.writableNeedDrain) {
      // Several events a write: a burst costs few system calls.
      response.write(backlog.splice(0, 200).map(line).join(''));
    }
    if (ended && backlog.length === 0 && !response.writableEnded) response.end();
  };
  const watch = new Watch(store, selected, (event) => {
    backlog.push(event);
    if (backlog.length > maximumBacklog) response.destroy();
    else if (open) pump();
  });
  const wantsBookmarks = flag(query, 'allowWatchBookmarks');
  const { ended: failed } = watch.start({
    resourceVersion: query.get('resourceVersion') ?? '',
    allowWatchBookmarks: wantsBookmarks,
    sendInitialEvents: query.has('sendInitialEvents') ? flag(query, 'sendInitialEvents') : undefined,
  });
  const suffix = accepted.as ? `;as=${accepted.as};g=${accepted.group};v=${accepted.version}` : '';
  response.writeHead(200, {
    'Content-Type': `application/json${suffix}`,
    'Cache-Control': 'no-cache, private',
  });
  response.flushHeaders();
  open = true;
  const timers: NodeJS.Timeout[] = [];
  const finish = () => {
    watch.stop();
    ended = true;
    pump();
  };
  const cleanup = () => {
    watch.stop();
    for (const timer of timers) clearTimeout(timer);
    options.signal.removeEventListener('abort', finish);
  };
  response.on('drain', pump);
  response.on('close', cleanup);
  request.on('error', cleanup);
  options.signal.addEventListener('abort', finish, { once: true });
  if (wantsBookmarks) {
    const bookmark = () => {
      if (!ended) watch.bookmark();
    };
    timers.push(setTimeout(bookmark, 1000), setInterval(bookmark, options.bookmarkMs ?? 5000));
  }
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || 1800 + Math.random() * 1800;
  timers.push(setTimeout(finish, Math.min(seconds * 1000, 2 ** 31 - 1)));
  if (failed || options.signal.aborted) finish();
  else pump();
}
