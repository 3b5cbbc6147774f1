import { unlessAborted } from '../../runtime/base/abort.ts';
import type { KubeClient, ResourceType, WatchOptions } from '../../runtime/kube/client/types.ts';
import { clientWith } from './client-with.ts';

/** Holds up the watch events of some kinds, as a slow connection does. */
export class LateWatch {
  readonly #held = new Map<string, PromiseWithResolvers<void>>();

  /** Holds up the events of a kind until the returned function or `close` is called. */
  hold(kind: string): () => void {
    const held = Promise.withResolvers<void>();
    this.#held.set(kind, held);
    return () => {
      this.#held.delete(kind);
      held.resolve();
    };
  }

  /** The client with late events; all else is as in `client`. */
  wrap = (client: KubeClient): KubeClient => {
    const held = this.#held;
    return clientWith(client, {
      async *watch(type: ResourceType, options: WatchOptions) {
        for await (const event of client.watch(type, options)) {
          const late = held.get(type.kind)?.promise;
          if (late) await (options.signal ? unlessAborted(late, options.signal) : late);
          yield event;
        }
      },
    });
  };

  /** Lets all events go on. */
  close(): void {
    for (const { resolve } of this.#held.values()) resolve();
    this.#held.clear();
  }
}
