import { expect, test } from '@jest/globals';
import { finalizer, labels } from '../../../../runtime/arm-kinds/names.ts';
import type { KubeObject, Patch } from '../../../../runtime/kube/client/types.ts';
import type { EffectContext } from '../../../../runtime/operator/effects/effect-context.ts';
import { addFinalizer } from '../../../../runtime/operator/reconcile/effects/finalizer.ts';

const group = (uid: string): KubeObject => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { namespace: 'default', name: 'rg', uid },
});
const reference = ({ apiVersion, kind, metadata: { name, uid = '' } }: KubeObject) => ({ apiVersion, kind, name, uid });

test('the finalizer is added with the new owner in place of one of the same name that is gone; other owners stay', async () => {
  const other = { ...reference(group('x')), kind: 'Stack', name: 'gitops' };
  const patches: Patch[] = [];
  const context = {
    plan: { resourceId: '/subscriptions/s', resolution: { owner: { armId: '/x', object: group('new') } } },
    object: { metadata: { name: 'child', ownerReferences: [reference(group('old')), other] } },
    shared: { records: { changes: () => ({}) } },
    recordedExports: () => [],
    plannedExports: () => [],
    patch: async (patch: Patch) => void patches.push(patch),
  } as unknown as EffectContext;
  await addFinalizer(context, { version: 1, desiredHash: 'g', blocks: {} });
  const owners = { ownerReferences: [other, reference(group('new'))] };
  expect(patches).toEqual([{ type: 'merge', body: { metadata: expect.objectContaining(owners) } }]);
});

test('under another owner the former one is removed, and the finalizer is added once', async () => {
  const former = { ...reference(group('old')), name: 'former' };
  const patches: Patch[] = [];
  const context = {
    plan: { resourceId: '/subscriptions/s', resolution: { owner: { armId: '/x', object: group('new') } } },
    object: {
      metadata: {
        name: 'child',
        labels: { [labels.ownerUid]: 'old' },
        ownerReferences: [former],
        finalizers: ['theirs', finalizer],
      },
    },
    shared: { records: { changes: () => ({}) } },
    recordedExports: () => [],
    plannedExports: () => [],
    patch: async (patch: Patch) => void patches.push(patch),
  } as unknown as EffectContext;
  await addFinalizer(context, { version: 1, desiredHash: 'g', blocks: {} });
  const metadata = { ownerReferences: [reference(group('new'))], finalizers: ['theirs', finalizer] };
  expect(patches).toEqual([{ type: 'merge', body: { metadata: expect.objectContaining(metadata) } }]);
});
