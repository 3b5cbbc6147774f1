/** The last look at a namespace before something is done to Azure. */
import { expect, test } from '@jest/globals';
import { annotations } from '../../runtime/arm-kinds/names.ts';
import { ifStillWanted } from '../../runtime/operator/reconcile/effects/reread-before-write.ts';
import type { PassState } from '../../runtime/operator/reconcile/run-state.ts';

/** What becomes of a pass that began with the defaults, when its namespace then has these annotations. */
async function after(namespace: Record<string, string> | undefined, own: Record<string, string> = {}) {
  const found = namespace && { metadata: { name: 'ns', annotations: namespace } };
  const state = {
    input: {
      object: { metadata: { namespace: 'ns', name: 'x', annotations: own } },
      policy: 'manage',
      adopt: 'always',
    },
    context: {
      runtime: { client: { tryGet: async () => found } },
      defaultPolicy: 'manage',
      defaultAdopt: 'always',
    },
  } as unknown as PassState;
  let sent = 0;
  const { outcome } = await ifStillWanted(state, async () => {
    sent += 1;
    return { outcome: 'succeeded' };
  });
  return { outcome, sent };
}

const done = { outcome: 'succeeded', sent: 1 };
const later = { outcome: 'retry', sent: 0 };

test('what the pass began with is done', async () => {
  expect(await after({})).toEqual(done);
  expect(await after(undefined)).toEqual(done);
  expect(await after({ [annotations.reconcilePolicy]: 'manage', [annotations.adopt]: 'always' })).toEqual(done);
});

test('a namespace that forbids it meanwhile is obeyed, by either of its policies', async () => {
  expect(await after({ [annotations.reconcilePolicy]: 'skip' })).toEqual(later);
  expect(await after({ [annotations.reconcilePolicy]: 'detach-on-delete' })).toEqual(later);
  expect(await after({ [annotations.adopt]: 'never' })).toEqual(later);
});

test('what the object says itself goes before its namespace', async () => {
  const own = { [annotations.reconcilePolicy]: 'manage', [annotations.adopt]: 'always' };
  expect(await after({ [annotations.reconcilePolicy]: 'skip', [annotations.adopt]: 'never' }, own)).toEqual(done);
});
