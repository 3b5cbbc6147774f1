import type { KubeClient, ListOptions, ResourceType } from '../../runtime/kube/client/types.ts';
import { secretsType, type World } from './support.ts';

/** The data of a Secret, in base64. */
export type Data = Readonly<Record<string, string>>;

export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** An AzureIdentity with a Secret of the namespace app. */
export async function identity(world: World, name: string, type: 1 | 2, secret = name): Promise<void> {
  await world.identity(name, { type, tenantID: 't', clientPassword: { namespace: 'app', name: secret } });
}

/** Creates a Secret in the namespace app. */
export async function create(world: World, name: string, data: Data): Promise<void> {
  const metadata = { namespace: 'app', name };
  await world.client.create(secretsType, { apiVersion: 'v1', kind: 'Secret', metadata, data });
}

/** Replaces the data of a Secret in the namespace app. */
export async function put(world: World, name: string, data: Data): Promise<void> {
  const operations = [{ op: 'add', path: '/data', value: data }] as const;
  await world.client.patch(secretsType, { namespace: 'app', name }, { type: 'json', operations });
}

/** A client whose LISTs of whole Secrets, by which contents come, go through `list`. */
export function reading(
  world: World,
  list: (options: ListOptions, go: () => Promise<never>) => Promise<never>,
): KubeClient {
  return new Proxy(world.newClient(), {
    get: (client, name) => {
      const member = Reflect.get(client, name);
      if (typeof member !== 'function') return member;
      if (name !== 'list') return member.bind(client);
      return (type: ResourceType, options: ListOptions = {}) => {
        const go = () => client.list(type, options) as Promise<never>;
        return type.plural === 'secrets' && !options.metadataOnly ? list(options, go) : go();
      };
    },
  });
}
