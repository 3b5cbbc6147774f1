import { ListWatch } from '../../kube/cache/list-watch.ts';
import type { ObjectSink, Runtime } from '../../kube/cache/types.ts';
import type { KubeObject, ObjectKey } from '../../kube/client/types.ts';
import type { ViewKind } from '../../view/model/view-kinds.ts';
import type { KindStatus } from '../messages.ts';
import { mayWatch } from './access-review.ts';
import type { MemoryShare } from './page-memory.ts';
import type { PageRows, RowSource } from './page-rows.ts';

/** Bytes of a connection with TLS, and of what waits on it. */
const watchBytes = 64 * 1024;

/** The page has no registry of metrics: a page for each of hundreds of readers would have its own counters. */
const noMetrics = { list: () => undefined, watch: () => undefined, event: () => undefined };

/** Holds the rows of one kind up to date for as long as the reader may watch it. */
export class WatchedKind implements ObjectSink {
  readonly #runtime: Runtime;
  readonly #kind: ViewKind;
  readonly #namespace: string | undefined;
  readonly #rows: PageRows;
  readonly #memory: MemoryShare;
  #watch: ListWatch<KubeObject> | undefined;
  #stop = new AbortController();
  #state: { readonly state: KindStatus['state']; readonly message: string } = { state: 'listing', message: '' };

  constructor(
    runtime: Runtime,
    kind: ViewKind,
    namespace: string | undefined,
    page: { readonly rows: PageRows; readonly memory: MemoryShare },
  ) {
    this.#runtime = runtime;
    this.#kind = kind;
    this.#namespace = namespace;
    this.#rows = page.rows;
    this.#memory = page.memory;
  }

  /** Asks the API server for the right; begins to watch, or drops all rows. Throws the error of the request. */
  async checkAccess(signal: AbortSignal): Promise<void> {
    const allowed = await mayWatch(this.#runtime.client, this.#kind.type, this.#namespace);
    if (signal.aborted) return;
    if (!allowed) this.#forbid();
    else if (!this.#watch) this.#begin(signal);
  }

  /** Why the right could not be checked; the rows stay. */
  failed(message: string): void {
    if (!this.#watch) this.#state = { state: 'failed', message };
  }

  get status(): KindStatus {
    const { group, kind } = this.#kind.type;
    const trouble = this.#watch?.health.trouble;
    const listed = this.#watch?.listed ? { state: 'listed' as const, message: '' } : this.#state;
    return { key: `${group}/${kind}`, kind, ...(trouble ? { state: 'failed' as const, message: trouble } : listed) };
  }

  put(object: KubeObject): boolean {
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const source = { kind: this, metadata: { name, namespace, uid, resourceVersion } as RowSource['metadata'] };
    const kept = this.#kind.rowsOf(object).filter((row) => this.#rows.put(row, source)).length > 0;
    empty(object);
    return kept;
  }

  remove(_: ObjectKey, last: KubeObject): void {
    for (const { id } of this.#kind.rowsOf(last)) this.#rows.remove(id);
    empty(last);
  }

  retain(_: string | undefined, listed: { has(object: Pick<KubeObject, 'metadata'>): boolean }): void {
    for (const [id, metadata] of this.#rows.of(this)) if (!listed.has({ metadata })) this.#rows.remove(id);
  }

  #begin(signal: AbortSignal): void {
    if (!this.#memory.take(watchBytes)) {
      this.failed('Your open pages have all the memory of one reader: name a namespace, or close other pages.');
      return;
    }
    this.#state = { state: 'listing', message: '' };
    this.#stop = new AbortController();
    this.#watch = new ListWatch(
      this.#runtime,
      { type: this.#kind.type, project: (object) => object },
      { namespace: this.#namespace, cache: this, metrics: noMetrics, onListed: () => undefined },
    );
    void this.#watch.run(AbortSignal.any([signal, this.#stop.signal]));
  }

  #forbid(): void {
    this.#state = { state: 'forbidden', message: '' };
    this.#stop.abort();
    for (const [id] of this.#rows.of(this)) this.#rows.remove(id);
    if (this.#watch) this.#memory.give(watchBytes);
    this.#watch = undefined;
  }
}

/**
 * Leaves an object its names and versions alone. The loop of a list or watch keeps its last page or event while it waits
 * for the next one, and a page has hundreds of loops.
 */
function empty(object: KubeObject): void {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  for (const member of Object.keys(object)) delete object[member];
  object.metadata = { name, namespace, uid, resourceVersion } as KubeObject['metadata'];
}
