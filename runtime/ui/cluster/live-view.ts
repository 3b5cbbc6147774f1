import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { createMetrics } from '../../base/observability/metrics.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import { type Discovery, discover } from '../../view/read/discover.ts';
import type { StreamMessage } from '../messages.ts';
import { type MemoryShare, unlimited } from './page-memory.ts';
import { PageRows } from './page-rows.ts';
import type { MessageSource } from './send-stream.ts';
import { WatchedKind } from './watched-kind.ts';

/** Times and limits; every member has a default. */
export interface LiveViewOptions {
  readonly clock?: Clock;
  /** Milliseconds between two checks of the reader's rights. @default 60000 */
  readonly accessMs?: number;
  /** Milliseconds between two checks of the kinds' states. @default 1000 */
  readonly statusMs?: number;
  /** Rows of a view, shared by namespace; the page says that there are more. @default 20000 */
  readonly mostRows?: number;
}

/** The namespace and source of a view, and its signal and log. */
export interface LiveViewContext {
  /** All when undefined. */
  readonly namespace: string | undefined;
  /** Names the cluster to the reader. */
  readonly source: string;
  /** Address of the Azure portal. @default '', none */
  readonly portal?: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** @default no limit */
  readonly memory?: MemoryShare;
}

/** Kinds whose access is checked at a time. */
const checks = 8;

/**
 * Opens the live view of one reader: watches each kind that the API server has and that the reader may list. Throws the
 * errors of the discovery, a 401 too. It ends with the signal.
 */
export async function openLiveView(
  client: KubeClient,
  context: LiveViewContext,
  options: LiveViewOptions = {},
): Promise<MessageSource> {
  const first = await discover(client, context.signal);
  const { clock = systemClock } = options;
  const runtime = { client, clock, log: context.log, metrics: createMetrics() };
  const view = new LiveView(runtime, options.mostRows ?? 20_000, context);
  view.add(first);
  void view.keepChecking(clock, options.accessMs ?? 60_000);
  void view.keepReporting(clock, options.statusMs ?? 1000);
  return view;
}

class LiveView implements MessageSource {
  readonly #runtime: Runtime;
  readonly #rows: PageRows;
  readonly #memory: MemoryShare;
  readonly #context: LiveViewContext;
  /** By group and kind. */
  readonly #watched = new Map<string, WatchedKind>();
  #problems: readonly string[] = [];
  #waiting = Promise.withResolvers<void>();
  #begun = false;
  #end: string | undefined;
  ended = false;
  /** The states of the kinds that the page has. */
  #sent = '';

  constructor(runtime: Runtime, mostRows: number, context: LiveViewContext) {
    this.#runtime = runtime;
    this.#memory = context.memory ?? unlimited;
    this.#rows = new PageRows(mostRows, this.#memory);
    this.#context = context;
    this.#rows.onChange = () => this.#waiting.resolve();
    context.signal.addEventListener('abort', () => this.#waiting.reject(context.signal.reason), { once: true });
    // Prevents an unhandled rejection between two calls of `changed`.
    this.#waiting.promise.catch(() => undefined);
  }

  /** Adds the kinds that are not watched yet. A kind that is gone reports that by its own watch. */
  add({ kinds, problems }: Discovery): void {
    const { namespace } = this.#context;
    const page = { rows: this.#rows, memory: this.#memory };
    this.#problems = problems;
    for (const kind of kinds) {
      const { group, kind: name, namespaced } = kind.type;
      if (this.#watched.has(`${group}/${name}`) || (namespace !== undefined && !namespaced)) continue;
      this.#watched.set(`${group}/${name}`, new WatchedKind(this.#runtime, kind, namespace, page));
    }
  }

  changed(): Promise<void> {
    return this.#waiting.promise;
  }

  take(): string[] {
    const { signal, source, portal = '', namespace = '' } = this.#context;
    if (!signal.aborted) this.#waiting = Promise.withResolvers<void>();
    this.#waiting.promise.catch(() => undefined);
    const begin = this.#begun ? [] : [textOf({ type: 'begin', source, portal, namespace })];
    this.#begun = true;
    const rows = this.#rows.take();
    // A kind is listed once the page has its rows.
    const states = this.#rows.pending ? this.#sent : this.#report();
    const changed = states === this.#sent ? [] : [states];
    this.#sent = states;
    const end = this.#end === undefined ? [] : [textOf({ type: 'end', message: this.#end })];
    this.ended = end.length > 0;
    return [...begin, ...rows, ...changed, ...end];
  }

  #report(): string {
    const kinds = [...this.#watched.values()].map(({ status }) => status);
    return textOf({ type: 'kinds', kinds, problems: this.#problems });
  }

  /** Checks the rights to all kinds, now and after each period, in which kinds may have been defined. */
  async keepChecking(clock: Clock, periodMs: number): Promise<void> {
    const { signal } = this.#context;
    while (!signal.aborted) {
      const queue = [...this.#watched.values()];
      const work = async () => {
        for (let kind = queue.shift(); kind && !signal.aborted; kind = queue.shift()) await this.#check(kind);
      };
      await Promise.all(Array.from({ length: checks }, work));
      this.#waiting.resolve();
      await clock.sleep(periodMs, signal).catch(() => undefined);
      // Where the API server does not answer, the checks report it.
      await discover(this.#runtime.client, signal).then(
        (found) => this.add(found),
        () => undefined,
      );
    }
  }

  /** Wakes the stream when a kind has another state than the page knows. */
  async keepReporting(clock: Clock, periodMs: number): Promise<void> {
    const { signal } = this.#context;
    while (!signal.aborted) {
      await clock.sleep(periodMs, signal).catch(() => undefined);
      if (this.#report() !== this.#sent) this.#waiting.resolve();
    }
  }

  async #check(kind: WatchedKind): Promise<void> {
    try {
      await kind.checkAccess(this.#context.signal);
    } catch (error) {
      kind.failed(messageOf(error).slice(0, 500));
      if (error instanceof KubeStatusError && error.status === 401) this.#end = 'The token is no longer valid.';
    }
  }
}

const textOf = (message: StreamMessage) => JSON.stringify(message);
