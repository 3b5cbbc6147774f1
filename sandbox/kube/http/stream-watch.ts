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
  const backlog: WatchEvent[] = [];
  let open = false;
  const line = lineWriter(selected, query, options);
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
  sendHeaders(response, options.accepted);
  open = true;
  const finish = () => {
    watch.stop();
    ended = true;
    pump();
  };
  const bookmark = () => {
    if (!ended) watch.bookmark();
  };
  const timers = startTimers(query, finish, wantsBookmarks ? bookmark : undefined, options.bookmarkMs);
  const cleanup = () => {
    watch.stop();
    for (const timer of timers) clearTimeout(timer);
    options.signal.removeEventListener('abort', finish);
  };
  response.on('drain', pump);
  response.on('close', cleanup);
  request.on('error', cleanup);
  options.signal.addEventListener('abort', finish, { once: true });
  if (failed || options.signal.aborted) finish();
  else pump();
}

function sendHeaders(response: ServerResponse, { as, group, version }: Accepted): void {
  const suffix = as ? `;as=${as};g=${group};v=${version}` : '';
  response.writeHead(200, { 'Content-Type': `application/json${suffix}`, 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
}

/** Writes events as lines, in the form that the client accepts. */
function lineWriter(selected: Selection, query: URLSearchParams, { accepted, now }: StreamOptions) {
  let firstTable = true;
  const shownAs = ({ type, object }: WatchEvent) => {
    if (type === 'ERROR' || !accepted.as) return object;
    if (accepted.as !== 'Table') return partial(object);
    const metadata = { resourceVersion: object['metadata'].resourceVersion };
    const rows = type === 'BOOKMARK' ? [] : [object];
    const table = tableOf(selected.resource, rows, metadata, query.get('includeObject') ?? 'Metadata', now());
    // Only the first table of a watch carries the columns.
    if (!firstTable) table['columnDefinitions'] = null;
    firstTable = false;
    return table;
  };
  return (event: WatchEvent): string => `${JSON.stringify({ type: event.type, object: shownAs(event) })}\n`;
}

/** The timers of bookmarks, where the client wants them, and of the end of the watch. */
function startTimers(
  query: URLSearchParams,
  finish: () => void,
  bookmark: (() => void) | undefined,
  bookmarkMs = 5000,
): NodeJS.Timeout[] {
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || 1800 + Math.random() * 1800;
  const bookmarks = bookmark ? [setTimeout(bookmark, 1000), setInterval(bookmark, bookmarkMs)] : [];
  return [...bookmarks, setTimeout(finish, Math.min(seconds * 1000, 2 ** 31 - 1))];
}
