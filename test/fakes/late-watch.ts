import { unlessAborted } from '../../runtime/base/abort.ts';
import type { KubeClient, ResourceType, WatchOptions } from '../../runtime/kube/client/types.ts';

/** Holds up the watch events of one kind, as a slow connection does. */
export class LateWatch {
  /** The kind whose events wait; '' for none. */
  kind = '';
  readonly #end = Promise.withResolvers<void>();

  /** The client with late events; all else is as in `client`. */
  wrap = (client: KubeClient): KubeClient => {
    const isLate = ({ kind }: ResourceType) => kind === this.kind;
    const end = this.#end.promise;
    return new Proxy(client, {
      get(target, member) {
        if (member === 'watch') {
          return async function* late(type: ResourceType, options: WatchOptions) {
            for await (const event of target.watch(type, options)) {
              if (isLate(type) && options.signal) await unlessAborted(end, options.signal);
              yield event;
            }
          };
        }
        const value: unknown = Reflect.get(target, member);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };

  /** Lets all events go on. */
  close(): void {
    this.#end.resolve();
  }
}
