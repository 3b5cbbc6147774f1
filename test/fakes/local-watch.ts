import type { StatusBody } from '../../runtime/kube/client/status-error.ts';
import type { KubeObject, WatchEvent } from '../../runtime/kube/client/types.ts';
import type { Store } from '../../sandbox/kube/model/store.ts';
import type { Selection } from '../../sandbox/kube/storage/selection.ts';
import { type WatchEvent as StoredEvent, Watch } from '../../sandbox/kube/storage/watches.ts';

/** One watch of a `LocalKube`, which a test may end. */
export class LocalWatch {
  /** Why the storage refuses the watch: its position is too old. */
  readonly refused: StatusBody | undefined;
  readonly #events: StoredEvent[] = [];
  readonly #watch: Watch;
  #ended: { readonly error: Error | undefined } | undefined;
  #wake = () => {};

  constructor(store: Store, selected: Selection, resourceVersion: string) {
    this.#watch = new Watch(store, selected, (event) => {
      this.#events.push(event);
      this.#wake();
    });
    const { ended } = this.#watch.start({ resourceVersion, allowWatchBookmarks: true, sendInitialEvents: false });
    if (ended) this.refused = this.#events[0]?.object ?? {};
  }

  /** Ends it, without an error or with this one. */
  end(error?: Error): void {
    this.#ended = { error };
    this.#wake();
  }

  /** Its events, with a bookmark after each group of them. */
  async *events<T extends KubeObject>(
    signal: AbortSignal | undefined,
    view: (object: KubeObject) => KubeObject,
  ): AsyncGenerator<WatchEvent<T>> {
    const abort = () => this.#wake();
    signal?.addEventListener('abort', abort);
    try {
      for (let position = ''; ; ) {
        if (this.#ended?.error) throw this.#ended.error;
        if (this.#ended) return;
        signal?.throwIfAborted();
        const event = this.#events.shift();
        if (event && event.type !== 'BOOKMARK' && event.type !== 'ERROR') {
          position = event.object['metadata'].resourceVersion;
          yield { type: event.type, object: view(event.object as KubeObject) as T };
        } else if (position !== '') {
          yield { type: 'BOOKMARK', resourceVersion: position };
          position = '';
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#watch.stop();
      signal?.removeEventListener('abort', abort);
    }
  }
}
