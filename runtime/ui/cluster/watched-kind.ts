import { Reflector } from '../../kube/cache/reflector.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { Row } from '../../view/model/row.ts';
import type { ViewKind } from '../../view/model/view-kinds.ts';
import type { KindStatus } from '../messages.ts';
import { mayWatch } from './access-review.ts';

/** Takes the rows that changed. */
export interface RowSink {
  put(row: Row): void;
  remove(id: string): void;
}

/** An object as the cache holds it. */
interface RowsObject extends KubeObject {
  readonly rows: readonly Row[];
}

/** Holds the rows of one kind up to date for as long as the reader may watch it. */
export class WatchedKind {
  readonly #runtime: Runtime;
  readonly #kind: ViewKind;
  readonly #namespace: string | undefined;
  readonly #sink: RowSink;
  #reflector: Reflector<RowsObject> | undefined;
  #stop = new AbortController();
  #state: { readonly state: KindStatus['state']; readonly message: string } = { state: 'listing', message: '' };

  constructor(runtime: Runtime, kind: ViewKind, namespace: string | undefined, sink: RowSink) {
    this.#runtime = runtime;
    this.#kind = kind;
    this.#namespace = namespace;
    this.#sink = sink;
  }

  /** Asks the API server for the right; begins to watch, or drops all rows. Throws the error of the request. */
  async checkAccess(signal: AbortSignal): Promise<void> {
    const allowed = await mayWatch(this.#runtime.client, this.#kind.type, this.#namespace);
    if (signal.aborted) return;
    if (!allowed) this.#forbid();
    else if (!this.#reflector) this.#watch(signal);
  }

  /** Why the right could not be checked; the rows stay. */
  failed(message: string): void {
    if (!this.#reflector) this.#state = { state: 'failed', message };
  }

  get status(): KindStatus {
    const { group, kind } = this.#kind.type;
    const trouble = this.#reflector?.trouble();
    const listed = this.#reflector?.synced ? { state: 'listed' as const, message: '' } : this.#state;
    return { key: `${group}/${kind}`, kind, ...(trouble ? { state: 'failed' as const, message: trouble } : listed) };
  }

  #watch(signal: AbortSignal): void {
    this.#state = { state: 'listing', message: '' };
    this.#stop = new AbortController();
    const { type, rowsOf } = this.#kind;
    const reflector = new Reflector<RowsObject>(this.#runtime, {
      type,
      ...(this.#namespace !== undefined && { namespaces: [this.#namespace] }),
      project: (object) => {
        const { name, namespace, uid, resourceVersion } = object.metadata;
        const metadata = { name, namespace, uid, resourceVersion } as KubeObject['metadata'];
        return { apiVersion: object.apiVersion, kind: object.kind, metadata, rows: rowsOf(object) };
      },
    });
    reflector.onChange((change) => {
      const kept = new Set(change.type === 'deleted' ? [] : change.object.rows.map(({ id }) => id));
      const former = change.type === 'added' ? [] : change.old.rows;
      for (const { id } of former) if (!kept.has(id)) this.#sink.remove(id);
      if (change.type !== 'deleted') for (const row of change.object.rows) this.#sink.put(row);
    });
    this.#reflector = reflector;
    void reflector.run(AbortSignal.any([signal, this.#stop.signal]));
  }

  #forbid(): void {
    this.#state = { state: 'forbidden', message: '' };
    this.#stop.abort();
    for (const object of this.#reflector?.list() ?? []) for (const { id } of object.rows) this.#sink.remove(id);
    this.#reflector = undefined;
  }
}
