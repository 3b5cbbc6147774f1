import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';

/** Objects of different names that a failed wait prints. */
const most = 3;

/**
 * The client, with a memory of the objects that were read last: a wait that fails prints their status and annotations,
 * where the journal of the operator is.
 */
export function rememberingReads(client: KubeClient): {
  readonly client: KubeClient;
  readonly lastReads: () => string;
} {
  const reads = new Map<string, KubeObject | undefined>();
  const remember = (name: string, object: KubeObject | undefined) => {
    reads.delete(name);
    reads.set(name, object);
    if (reads.size > most) reads.delete([...reads.keys()][0] ?? '');
  };
  const remembering = new Proxy(client, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if ((member !== 'get' && member !== 'tryGet') || typeof value !== 'function') {
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (type: { kind: string }, key: { namespace?: string; name: string }, ...rest: unknown[]) => {
        const object = (await value.call(target, type, key, ...rest)) as KubeObject | undefined;
        if (type.kind !== 'Secret') remember(`${type.kind} ${key.namespace ?? ''}/${key.name}`, object);
        return object;
      };
    },
  });
  const lastReads = () =>
    [...reads]
      .map(([name, object]) => {
        if (!object) return `${name}: absent`;
        const { annotations, generation, deletionTimestamp, finalizers } = object.metadata;
        return `${name}: ${JSON.stringify({ generation, deletionTimestamp, finalizers, annotations, status: object['status'] })}`;
      })
      .join('\n');
  return { client: remembering, lastReads };
}
