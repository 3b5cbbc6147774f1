/** The last check of a namespace before a write to Azure. */
import { expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { EffectContext } from '../../../runtime/operator/effects/effect-context.ts';
import { recheckBeforeWrite } from '../../../runtime/operator/effects/recheck-before-write.ts';

/** What becomes of a pass that began with the defaults, when its namespace then has these annotations. */
async function after(
  namespace: Record<string, string> | undefined,
  own: Record<string, string> = {},
  holder?: { readonly kind: string; readonly metadata: object },
) {
  const found = namespace && { metadata: { name: 'ns', annotations: namespace } };
  const context = {
    id: () => '/subscriptions/s/resourceGroups/g',
    isNew: true,
    object: { metadata: { namespace: 'ns', name: 'x' } },
    plan: {
      object: { metadata: { namespace: 'ns', name: 'x', annotations: own } },
      policy: 'manage',
      adopt: 'always',
    },
    shared: {
      runtime: { client: { tryGet: async () => found } },
      armIds: { conflictingObject: () => holder },
      defaultPolicy: 'manage',
      defaultAdopt: 'always',
    },
  };
  let sent = 0;
  const { outcome, observed } = await recheckBeforeWrite(context as unknown as EffectContext, async () => {
    sent += 1;
    return { outcome: 'succeeded' };
  });
  return { outcome, sent, ...(observed && { observed }) };
}

const done = { outcome: 'succeeded', sent: 1 };
const later = { outcome: 'retry', sent: 0 };

test('an unchanged policy, or one that allows more, lets the write through', async () => {
  expect(await after({})).toEqual(done);
  expect(await after(undefined)).toEqual(done);
  expect(await after({ [annotations.reconcilePolicy]: 'manage', [annotations.adopt]: 'always' })).toEqual(done);
});

test('a namespace that forbids it meanwhile is obeyed, by either of its policies', async () => {
  expect(await after({ [annotations.reconcilePolicy]: 'skip' })).toEqual(later);
  expect(await after({ [annotations.reconcilePolicy]: 'detach-on-delete' })).toEqual(later);
  expect(await after({ [annotations.adopt]: 'never' })).toEqual(later);
});

test('what the object says itself goes before its namespace, but for what this forbids it to take over', async () => {
  const own = { [annotations.reconcilePolicy]: 'manage', [annotations.adopt]: 'always' };
  expect(await after({ [annotations.reconcilePolicy]: 'skip' }, own)).toEqual(done);
  expect(await after({ [annotations.adopt]: 'never' }, own)).toEqual(later);
});

test('an object that has got the same ARM id meanwhile is the one that writes', async () => {
  const holder = { kind: 'ResourceGroup', metadata: { namespace: 'other', name: 'y' } };
  expect(await after({}, {}, holder)).toEqual({ ...later, observed: { acquired: undefined } });
});
