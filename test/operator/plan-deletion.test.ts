/** Who of several objects with one ARM id deletes it in Azure. */
import { expect, test } from '@jest/globals';
import { armResourceModel } from '../../runtime/arm-kinds/arm-resource.ts';
import { annotations } from '../../runtime/arm-kinds/names.ts';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
import { planDeletion } from '../../runtime/operator/lifecycle/deletion.ts';
import type { Stores } from '../../runtime/operator/references/object-index.ts';

const id = '/subscriptions/s/resourceGroups/g/providers/Contoso.Web/sites/x';
const claimant = (uid: string, { there = false, deleted = false, second = 0 } = {}): KubeObject => ({
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ArmResource',
  metadata: {
    namespace: 'default',
    name: uid,
    uid,
    creationTimestamp: `2026-01-01T00:00:0${second}Z`,
    annotations: { [annotations.resourceId]: id, [annotations.applied]: 'a.b.c' },
    ...(deleted && { deletionTimestamp: '2026-01-02T00:00:00Z' }),
  },
  ...(there && { status: { id } }),
});

async function leftBy(object: KubeObject, other: KubeObject): Promise<string | undefined> {
  const stores = { claimants: () => [object, other], ownedBy: () => [], typeOf: () => undefined } as unknown as Stores;
  const from = { stores, client: {} as KubeClient, signal: new AbortController().signal };
  return (await planDeletion(armResourceModel, object, 'manage', undefined, from)).leave;
}

test('the resource stays where another object has it in Azure, but not for one that is being deleted too', async () => {
  const mine = claimant('mine', { there: true, deleted: true });
  expect(await leftBy(mine, claimant('other', { there: true }))).toContain('ArmResource default/other manages it too');
  expect(await leftBy(mine, claimant('other', { there: true, deleted: true }))).toBeUndefined();
});

test('of two that do not have it in Azure yet the older decides', async () => {
  const [older, younger] = [claimant('b', { second: 1 }), claimant('a', { second: 2 })];
  expect(await leftBy(younger, older)).toContain('default/b');
  expect(await leftBy(older, younger)).toBeUndefined();
});

test('an object goes with the last of its owners only', async () => {
  const owner = (name: string): KubeObject => ({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { namespace: 'default', name, uid: name },
  });
  const refers = ({ apiVersion, kind, metadata: { name } }: KubeObject) => ({ apiVersion, kind, name, uid: name });
  const mine = claimant('mine', { there: true, deleted: true });
  const owned = {
    ...mine,
    metadata: { ...mine.metadata, ownerReferences: ['a', 'b'].map((name) => refers(owner(name))) },
  };
  const left = async (...there: KubeObject[]) => {
    const stores = { claimants: () => [], ownedBy: () => [], typeOf: () => ({}) } as unknown as Stores;
    const tryGet = async (_: unknown, { name }: { name: string }) =>
      there.find(({ metadata }) => metadata.name === name);
    const from = { stores, client: { tryGet } as unknown as KubeClient, signal: new AbortController().signal };
    return (await planDeletion(armResourceModel, owned, 'manage', undefined, from)).leave;
  };
  const cascading = owner('b');
  Object.assign(cascading.metadata, { deletionTimestamp: 'x', finalizers: ['foregroundDeletion'] });
  expect(await left(owner('a'), owner('b'))).toBeUndefined();
  expect(await left(owner('b'))).toBeUndefined();
  expect(await left(cascading)).toContain('its owner is gone');
  expect(await left()).toContain('its owner is gone');
});
