import type { KubeClient } from '../client/types.ts';

/** Every verb that changes something on the server. */
const writes = ['create', 'replace', 'patch', 'apply', 'delete', 'createSubresource'] as const;

/**
 * A client whose writes first call `check`, which throws when they may no longer be sent. It stops writes that an abort
 * does not: after a stall of the event loop, work may continue for a moment before the timers that end it fire.
 */
export function leasedClient(client: KubeClient, check: () => void): KubeClient {
  const guarded = Object.fromEntries(
    writes.map((verb) => [
      verb,
      async (...args: unknown[]) => {
        check();
        return (client[verb] as (...args: unknown[]) => Promise<unknown>).apply(client, args);
      },
    ]),
  );
  return new Proxy(client, {
    get: (target, member) => {
      if (typeof member === 'string' && Object.hasOwn(guarded, member)) return guarded[member];
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
