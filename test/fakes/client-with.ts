import type { KubeClient } from '../../runtime/kube/client/types.ts';

type Methods = Readonly<Partial<Record<keyof KubeClient, (...args: never[]) => unknown>>>;

/** The client with some of its methods replaced; all else is as in `client`. */
export function clientWith(client: KubeClient, replaced: Methods): KubeClient {
  return new Proxy(client, {
    get(target, member) {
      const value: unknown = Reflect.get(member in replaced ? replaced : target, member);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
