import { afterAll, expect, test } from '@jest/globals';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import type { KubeClient, ListOptions, ResourceType } from '../../runtime/kube/client/types.ts';
import { startWorld, until, type World } from './support.ts';

let world: World;
afterAll(() => world?.close());

test('whatever is large is listed in small pages, and of Secrets and ConfigMaps only the metadata is asked for', async () => {
  world = await startWorld({ kinds: '*' });
  const lists = new Map<string, ListOptions | undefined>();
  const listening = (client: KubeClient) =>
    new Proxy(client, {
      get(target, name: keyof KubeClient) {
        if (name !== 'list') return target[name].bind(target);
        return (type: ResourceType, options?: ListOptions) => {
          lists.set(`${type.group}/${type.plural}`, options);
          return target.list(type, options);
        };
      },
    });
  await world.startOperator({}, { wrap: listening });
  const own = operatorKinds.map((kind) => `${kind.group}/${kind.plural}`);
  const foreign = ['/secrets', '/configmaps'];
  await until('everything is listed', async () => [...own, ...foreign].every((each) => lists.has(each)));
  for (const each of own) expect(lists.get(each)).toMatchObject({ limit: 100 });
  for (const each of foreign) expect(lists.get(each)).toMatchObject({ metadataOnly: true });
});
