/** What a detachment whose deletion was refused leaves on an object. */
import { expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { WatchedCache } from '../../../runtime/kube/cache/types.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { TermCaches } from '../../../runtime/kube/controller/term-caches.ts';
import type { ChildRequest } from '../../../runtime/operator/deployments/child-access.ts';
import { Children } from '../../../runtime/operator/deployments/children.ts';
import type { ExpandedNode } from '../../../runtime/operator/deployments/expansion-program.ts';
import { KindCaches } from '../../../runtime/operator/objects/kind-caches.ts';
import { types } from '../support.ts';

const { signal } = new AbortController();
const policy = annotations.reconcilePolicy;
const apiVersion = `${types.network.group}/${types.network.version}`;
const manifest = { apiVersion, kind: 'VirtualNetwork', metadata: { name: 'net' }, spec: {} };
const node = { ...types.network, name: 'net', key: 'net', hash: 'hash', location: 'westeurope' };
const deployment = {
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ComputeDeployment',
  metadata: { namespace: 'team', name: 'shop', uid: 'deployment' },
} as KubeObject;

/** An object of the deployment, on an API server whose admission refuses to delete it. */
function place(own: Record<string, string> = {}) {
  const ownerReferences = [{ apiVersion: 'v', kind: 'ComputeDeployment', name: 'shop', uid: 'deployment' }];
  const metadata = {
    namespace: 'team',
    name: 'net',
    uid: 'net',
    generation: 1,
    annotations: { 'azimuth.dev/goal': 'hash', ...own } as Record<string, string>,
    ownerReferences: ownerReferences.map((owner) => ({ ...owner, controller: true })),
  };
  const object = { apiVersion, kind: 'VirtualNetwork', metadata } as KubeObject;
  const verbs: string[] = [];
  let policyWhenDeleted: string | undefined;
  const client = {
    tryGet: async () => object,
    patch: async (_type: unknown, _key: unknown, { body }: { body: { metadata: { annotations: object } } }) => {
      for (const [name, value] of Object.entries(body.metadata.annotations)) {
        if (value === null) delete metadata.annotations[name];
        else metadata.annotations[name] = value;
      }
      return object;
    },
    apply: async (_type: unknown, applied: KubeObject) => {
      Object.assign(metadata.annotations, applied.metadata.annotations);
      return object;
    },
    delete: async () => {
      policyWhenDeleted = metadata.annotations[policy];
      throw new Error('admission refuses');
    },
  } as unknown as KubeClient;
  const cache = { type: types.network, byIndex: () => [object], get: () => object } as unknown as WatchedCache;
  const access = { check: async (_: KubeObject, { verb }: ChildRequest) => void verbs.push(verb) };
  const children = new Children(client, new KindCaches([cache]), new TermCaches(), access);
  return { object, metadata, verbs, children, policyWhenDeleted: () => policyWhenDeleted };
}

const refused = 'admission refuses';
const apply = ({ children }: ReturnType<typeof place>, own: object = {}) => {
  const manifestText = JSON.stringify({ ...manifest, metadata: { name: 'net', annotations: own } });
  return children.apply({ ...node, manifestText } as unknown as ExpandedNode, deployment, undefined, signal);
};
const observe = ({ children }: ReturnType<typeof place>) =>
  children.observe({ namespace: 'team', name: 'net' }, types.network, 'hash', 'deployment', { generation: 1 }, 1e6);

test('a detachment needs the right to change the object, and to delete it', async () => {
  const { children, object, verbs } = place();
  await expect(children.deletion.detach(object, deployment, signal)).rejects.toThrow(refused);
  expect(verbs.sort()).toEqual(['delete', 'patch']);
});

test.each([undefined, 'manage', 'skip'])(
  'an object that returns has its policy of before again: %s',
  async (former) => {
    const world = place(former === undefined ? {} : { [policy]: former });
    const before = { ...world.metadata.annotations };
    for (let tries = 0; tries < 2; tries++)
      await expect(world.children.deletion.detach(world.object, deployment, signal)).rejects.toThrow(refused);
    expect(world.policyWhenDeleted()).toBe('detach-on-delete');
    expect(observe(world).state).toBe('Changed');
    await apply(world);
    expect(world.metadata.annotations).toEqual(expect.objectContaining(before));
    expect(world.metadata.annotations[policy]).toBe(former);
    expect(observe(world).state).not.toBe('Changed');
  },
);

test('a later deletion deletes the resource too', async () => {
  const world = place();
  await expect(world.children.deletion.detach(world.object, deployment, signal)).rejects.toThrow(refused);
  await expect(world.children.deletion.delete(world.object, deployment, signal)).rejects.toThrow(refused);
  expect(world.policyWhenDeleted()).toBeUndefined();
});

test('a policy that somebody else wrote stays', async () => {
  const skipped = place();
  await expect(skipped.children.deletion.detach(skipped.object, deployment, signal)).rejects.toThrow(refused);
  skipped.metadata.annotations[policy] = 'skip';
  await expect(skipped.children.deletion.delete(skipped.object, deployment, signal)).rejects.toThrow(refused);
  expect(skipped.policyWhenDeleted()).toBe('skip');

  const between = place();
  await expect(between.children.deletion.detach(between.object, deployment, signal)).rejects.toThrow(refused);
  between.metadata.annotations[policy] = 'skip';
  await expect(between.children.deletion.detach(between.object, deployment, signal)).rejects.toThrow(refused);
  await apply(between);
  expect(between.metadata.annotations[policy]).toBe('skip');

  const kept = place({ [policy]: 'detach-on-delete' });
  await apply(kept);
  await expect(kept.children.deletion.delete(kept.object, deployment, signal)).rejects.toThrow(refused);
  expect(kept.policyWhenDeleted()).toBe('detach-on-delete');
});

test('the template decides on the policy of an object that returns', async () => {
  const world = place();
  await expect(world.children.deletion.detach(world.object, deployment, signal)).rejects.toThrow(refused);
  await apply(world, { [policy]: 'skip' });
  expect(world.metadata.annotations[policy]).toBe('skip');
});
