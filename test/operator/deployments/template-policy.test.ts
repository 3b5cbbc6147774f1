/** The reconcile policy of an object whose detachment the API server refused, with the field managers of a real apply. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { WatchedCache } from '../../../runtime/kube/cache/types.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { TermCaches } from '../../../runtime/kube/controller/term-caches.ts';
import { Children } from '../../../runtime/operator/deployments/children.ts';
import type { ExpandedNode } from '../../../runtime/operator/deployments/expansion-program.ts';
import { KindCaches } from '../../../runtime/operator/objects/kind-caches.ts';
import { startWorld, types, type World } from '../support.ts';
import { deploymentType, networkSpec } from './deployment-world.ts';

const { signal } = new AbortController();
const policy = annotations.reconcilePolicy;
const former = 'azimuth.dev/former-reconcile-policy';
const apiVersion = `${types.group.group}/${types.group.version}`;

let world: World;
let children: Children;
let deployment: KubeObject;
beforeAll(async () => {
  world = await startWorld({ deployments: true, kinds: `${types.group.group}/${types.group.kind}` });
  // The garbage collector takes objects without an owner.
  deployment = await world.apply(deploymentType, 'shop', networkSpec(['westeurope']));
  const refuse = async () => {
    throw new Error('admission refuses');
  };
  const client = new Proxy(world.client, {
    get: (of, name: keyof KubeClient) => (name === 'delete' ? refuse : (of[name] as () => unknown).bind(of)),
  });
  const cache = { type: types.group, byIndex: () => [], get: () => undefined } as unknown as WatchedCache;
  const access = { check: async () => undefined };
  children = new Children(client, new KindCaches([cache]), new TermCaches(), access as never);
});
afterAll(() => world.close());

const read = (name: string) => world.client.get(types.group, { namespace: 'default', name });
const policyOf = async (name: string) => (await read(name)).metadata.annotations?.[policy];
const apply = async (name: string, given?: string) => {
  const own = given === undefined ? {} : { [policy]: given };
  const manifest = { apiVersion, kind: 'ResourceGroup', metadata: { name, annotations: own }, spec: { location: 'x' } };
  const node = {
    ...types.group,
    name,
    key: name,
    hash: `${given}`,
    location: 'x',
    manifestText: JSON.stringify(manifest),
  };
  await children.apply(node as unknown as ExpandedNode, deployment, undefined, signal);
  expect((await read(name)).metadata.annotations).not.toHaveProperty([former]);
};
const detach = async (name: string) => {
  const { deletion } = children;
  await expect(deletion.detach(await read(name), deployment, signal)).rejects.toThrow('admission refuses');
  expect(await policyOf(name)).toBe('detach-on-delete');
};

test.each(['skip', 'detach-on-delete'])('a policy %s that the template drops meanwhile goes', async (given) => {
  const name = `dropped-${given}`;
  await apply(name, given);
  await detach(name);
  await detach(name);
  await apply(name);
  expect(await policyOf(name)).toBeUndefined();
});

test.each(['skip', 'detach-on-delete'])('a policy %s that returns and is dropped later goes', async (given) => {
  const name = `later-${given}`;
  await apply(name, given);
  await detach(name);
  await apply(name, given);
  expect(await policyOf(name)).toBe(given);
  await apply(name);
  expect(await policyOf(name)).toBeUndefined();
});

test('a policy of the template stays until the object is deleted', async () => {
  await apply('deleted', 'skip');
  await detach('deleted');
  const deleted = children.deletion.delete(await read('deleted'), deployment, signal);
  await expect(deleted).rejects.toThrow('admission refuses');
  expect(await policyOf('deleted')).toBe('skip');
});

test('a policy that somebody else wrote comes back', async () => {
  await apply('theirs');
  const body = { metadata: { annotations: { [policy]: 'skip' } } };
  await world.client.patch(types.group, { namespace: 'default', name: 'theirs' }, { type: 'merge', body });
  await detach('theirs');
  await apply('theirs');
  expect(await policyOf('theirs')).toBe('skip');
});
