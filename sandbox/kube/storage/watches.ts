import { groupVersion, present } from '../model/resource.ts';
import { badRequest, expired, futureVersion, type StatusError } from '../model/status.ts';
import { type Change, HistoryExpired, type Store } from '../model/store.ts';
import type { Unstructured } from '../model/types.ts';
import { parseRevision } from './lists.ts';
import type { Selection } from './selection.ts';

/** An event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Unstructured;
}

/** The parameters of a WATCH. */
export interface WatchQuery {
  readonly resourceVersion: string;
  readonly allowWatchBookmarks: boolean;
  /** Begin with the present state and mark its end with a bookmark (`sendInitialEvents`). */
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * The events of one watch: first those since the position asked for, then live ones through `emit`. Everything happens
 * in the same tick as the writes, so nothing is lost in between. `stop` must be called.
 */
export class Watch {
  readonly #store: Store;
  readonly #selected: Selection;
  readonly #emit: (event: WatchEvent) => void;
  #unsubscribe: () => void = () => undefined;

  constructor(store: Store, selected: Selection, emit: (event: WatchEvent) => void) {
    this.#store = store;
    this.#selected = selected;
    this.#emit = emit;
  }

  /** A position too old or too new becomes one ERROR event; with `ended` the caller closes. Throws 400 and 422. */
  start(query: WatchQuery): { ended: boolean } {
    const from = parseRevision(query.resourceVersion);
    const initial = query.sendInitialEvents ?? (from === undefined || from === 0);
    if (query.sendInitialEvents && !query.allowWatchBookmarks)
      throw badRequest('sendInitialEvents is forbidden unless allowWatchBookmarks is set');
    if (from !== undefined && from > this.#store.revision) return this.#fail(futureVersion(from, this.#store.revision));
    if (initial) {
      for (const [, object] of this.#store.entries(this.#selected.resource.bucket)) {
        if (this.#selected.matches(object)) this.#send('ADDED', object);
      }
      if (query.sendInitialEvents) this.bookmark({ 'k8s.io/initial-events-end': 'true' });
    } else {
      try {
        for (const change of this.#store.changesSince(from ?? this.#store.revision)) this.#deliver(change);
      } catch (error) {
        if (!(error instanceof HistoryExpired)) throw error;
        return this.#fail(expired(`too old resource version: ${from} (${error.oldest})`));
      }
    }
    this.#unsubscribe = this.#store.subscribe((change) => this.#deliver(change));
    return { ended: false };
  }

  /** Sends the client the present revision. */
  bookmark(annotations?: Readonly<Record<string, string>>): void {
    const { resource } = this.#selected;
    this.#emit({
      type: 'BOOKMARK',
      object: {
        kind: resource.kind,
        apiVersion: groupVersion(resource),
        metadata: { resourceVersion: String(this.#store.revision), creationTimestamp: null, annotations },
      },
    });
  }

  stop(): void {
    this.#unsubscribe();
  }

  /** An object that begins or ceases to match a selector is added to or deleted from this watch. */
  #deliver({ bucket, type, object, previous, revision }: Change): void {
    if (bucket !== this.#selected.resource.bucket) return;
    const is = type !== 'DELETED' && this.#selected.matches(object);
    const was = previous !== undefined && this.#selected.matches(previous);
    if (is) this.#send(was ? 'MODIFIED' : 'ADDED', object);
    if (is || !was) return;
    const last = type === 'DELETED' ? object : (previous as Unstructured);
    this.#send('DELETED', { ...last, metadata: { ...last['metadata'], resourceVersion: String(revision) } });
  }

  #send(type: WatchEvent['type'], object: Unstructured): void {
    this.#emit({ type, object: present(this.#selected.resource, object) });
  }

  #fail(error: StatusError): { ended: boolean } {
    this.#emit({ type: 'ERROR', object: error.status });
    return { ended: true };
  }
}
