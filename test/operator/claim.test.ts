import { expect, test } from '@jest/globals';
import { finalizer, labels } from '../../runtime/arm-kinds/names.ts';
import type { KubeObject, Patch } from '../../runtime/kube/client/types.ts';
import { claim } from '../../runtime/operator/reconcile/effects/finalizer.ts';
import type { PassState } from '../../runtime/operator/reconcile/run-state.ts';

const group = (uid: string): KubeObject => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { namespace: 'default', name: 'rg', uid },
});
const reference = ({ apiVersion, kind, metadata: { name, uid = '' } }: KubeObject) => ({ apiVersion, kind, name, uid });

test('a claim under an owner that was made anew names the new one instead of the old, and keeps other owners', async () => {
  const other = { ...reference(group('x')), kind: 'Stack', name: 'gitops' };
  const patches: Patch[] = [];
  const state = {
    input: { resourceId: '/subscriptions/s', resolution: { owner: { armId: '/x', object: group('new') } } },
    object: { metadata: { name: 'child', ownerReferences: [reference(group('old')), other] } },
    context: { records: { changes: () => ({}) } },
    exportsNoted: () => [],
    exportsPlanned: () => [],
    patch: async (patch: Patch) => void patches.push(patch),
  } as unknown as PassState;
  await claim(state, { version: 1, goal: 'g', blocks: {} });
  const owners = { ownerReferences: [other, reference(group('new'))] };
  expect(patches).toEqual([{ type: 'merge', body: { metadata: expect.objectContaining(owners) } }]);
});

test('a claim under another owner lets go of the former one, and adds the finalizer once', async () => {
  const former = { ...reference(group('old')), name: 'former' };
  const patches: Patch[] = [];
  const state = {
    input: { resourceId: '/subscriptions/s', resolution: { owner: { armId: '/x', object: group('new') } } },
    object: {
      metadata: {
        name: 'child',
        labels: { [labels.ownerUid]: 'old' },
        ownerReferences: [former],
        finalizers: ['theirs', finalizer],
      },
    },
    context: { records: { changes: () => ({}) } },
    exportsNoted: () => [],
    exportsPlanned: () => [],
    patch: async (patch: Patch) => void patches.push(patch),
  } as unknown as PassState;
  await claim(state, { version: 1, goal: 'g', blocks: {} });
  const metadata = { ownerReferences: [reference(group('new'))], finalizers: ['theirs', finalizer] };
  expect(patches).toEqual([{ type: 'merge', body: { metadata: expect.objectContaining(metadata) } }]);
});
