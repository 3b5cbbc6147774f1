import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { operatorPermissions } from '../../runtime/api/permissions.ts';
import type { KubeClient, ResourceType } from '../../runtime/kube/types.ts';
import { configMaps, gone, secrets, settled, startWorld, types, until, type World } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world?.close(), 60_000);

/** Notes every permission that a call needs. */
function recording(used: Set<string>) {
  const verbs: Record<string, string> = {
    tryGet: 'get',
    replace: 'update',
    apply: 'patch',
    createSubresource: 'create',
  };
  return (client: KubeClient): KubeClient =>
    new Proxy(client, {
      get(target, property, receiver) {
        const member: unknown = Reflect.get(target, property, receiver);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const [type, , , options] = args as [ResourceType | undefined, unknown, unknown, { subresource?: string }?];
          if (type?.plural) {
            const resource = options?.subresource ? `${type.plural}/${options.subresource}` : type.plural;
            used.add(`${verbs[String(property)] ?? String(property)} ${resource}.${type.group}`);
          }
          return (member as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
}

test('the operator uses exactly the permissions that it declares', async () => {
  const used = new Set<string>();
  await world.startOperator({}, { wrap: recording(used) });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const identity = (value: string) => ({
    location: 'westeurope',
    owner: { name: 'rg' },
    operatorSpec: {
      secretExpressions: [{ name: 'out', key: 'k', value: `"${value}"` }],
      configMapExpressions: [{ name: 'out', key: 'k', value: `"${value}"` }],
    },
  });
  await world.apply(types.identity, 'one', identity('a'));
  await settled(world, types.identity, 'one');
  await world.apply(types.identity, 'one', identity('b'));
  await until('both are changed', async () => {
    const [secret, map] = [await world.get(secrets, 'out'), await world.get(configMaps, 'out')];
    return secret['data'].k === Buffer.from('b').toString('base64') && map['data'].k === 'b';
  });
  await world.apply(types.federated, 'fed', {
    owner: { name: 'one' },
    audiences: ['x'],
    subject: 's',
    issuerFromConfig: { name: 'nowhere', key: 'k' },
  });
  await settled(world, types.federated, 'fed', 'ConfigMapNotFound');
  await world.client.delete(types.group, { namespace: 'default', name: 'rg' }, { propagationPolicy: 'Background' });
  await gone(world, types.identity, 'one');
  await until('an event is written', async () => used.has('create events.events.k8s.io'));

  const declared = operatorPermissions(operatorKinds).cluster.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`))),
  );
  expect([...used].filter((each) => !declared.includes(each))).toEqual([]);
  // Kinds are handled alike; one of them stands for all. An event is patched when it recurs, half a minute later.
  const representative = declared.filter((each) =>
    !each.includes('azure.com') && !each.includes('azimuth.dev') ? true : each.includes('userassignedidentities'),
  );
  expect(representative.filter((each) => !used.has(each))).toEqual(['patch events.events.k8s.io']);
}, 60_000);
