import { expect, test } from '@jest/globals';
import { bodyFingerprint } from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { type EffectResult, type Journal, run, type Wait } from '../../../runtime/engine/index.ts';
import type { Observation } from '../../../runtime/operator/effects/observation.ts';
import type { DesiredState } from '../../../runtime/operator/effects/reconcile-plan.ts';
import type { Effect } from '../../../runtime/operator/reconcile/effect.ts';
import { applyPipeline, deletePipeline } from '../../../runtime/operator/reconcile/pipelines.ts';

const interrupted: Journal = { version: 1, desiredHash: 'apply', blocks: { submit: { state: 'Running' } } };
/** The request and the observation in one: the two share no member. */
type Known = DesiredState & Observation;
const known: Known = {
  policy: 'manage',
  waits: [],
  body: undefined,
  inputsVersion: '',
  deletion: { keepReason: undefined, putUnanswered: true },
  now: 0,
  nextPollAt: 0,
  live: undefined,
  finalizerAdded: true,
  applied: undefined,
  acquired: undefined,
  adminStored: false,
  wroteToAzure: false,
  putSent: false,
  putAnswer: undefined,
  appliedRecorded: false,
  readyWhen: true,
  exported: false,
  exportsDue: false,
  renewAt: undefined,
  deleted: false,
  vaultsCleared: false,
  finalizerRemoved: false,
};

/** The state of a run: what is known, and the journal as it was saved last. */
interface RunState {
  known: Known;
  journal: Journal | undefined;
}

/** One run in which `perform` decides how each effect ends, and may change what is known. Returns the journal it leaves. */
async function runOver(
  pipeline: typeof applyPipeline,
  hash: string,
  state: RunState,
  perform: (effect: Effect, state: RunState) => EffectResult,
): Promise<Journal | undefined> {
  await run(pipeline, { hash, value: state.known }, state.journal, {
    observe: () => state.known,
    save: async (journal: Journal) => {
      state.journal = journal;
    },
    perform: async (effect: Effect) => perform(effect, state),
  });
  return state.journal;
}

/** One deletion run whose effects all fail. */
const failing = (observed: Known) =>
  runOver(deletePipeline, 'delete', { known: observed, journal: interrupted }, () => ({
    outcome: 'retry',
    failure: { code: 'HTTP503', message: 'busy' },
  }));

test('a deletion remembers a PUT that was cut off until its own request is announced', async () => {
  const wait: Wait = { kind: 'secret', node: 'Secret default/credential', reason: 'SecretNotFound', message: 'gone' };
  for (const observed of [known, { ...known, waits: [wait] }]) {
    expect((await failing(observed))?.blocks).toHaveProperty('submit.state', 'Running');
  }
  const seen = await failing({ ...known, live: { exists: false } });
  expect(seen?.blocks).toEqual({ delete: { state: 'Running' } });
});

test('a child that is missing is not sent while its owner is being deleted', async () => {
  const body = { tags: {} };
  const first = async (change: Partial<Known>) => {
    const done: string[] = [];
    const value = { ...known, deletion: undefined, body, live: { exists: false }, ...change } as const;
    await runOver(applyPipeline, 'apply', { known: value, journal: undefined }, ({ do: what }) => {
      done.push(what);
      return { outcome: 'retry', failure: { code: 'x', message: 'x' } };
    });
    return done;
  };
  expect(await first({ ownerDeleting: true })).toEqual(['waitForOwnerInAzure']);
  expect(await first({ ownerDeleting: false })).toEqual(['beginCreateOrUpdate']);
});

test('a PUT that was cut off is not repeated where Azure shows the change that it was to make', async () => {
  const body = { tags: { goal: '2' } };
  const applied = { body: bodyFingerprint({ tags: { goal: '1' } }), inputs: '', knownDifference: '' };
  const observed = { ...known, deletion: undefined, body, applied };
  const done: string[] = [];
  const pass = (live: Observation['live'], journal: Journal | undefined) =>
    runOver(applyPipeline, 'apply', { known: { ...observed, live }, journal }, (effect, state) => {
      done.push(effect.do);
      if (effect.do === 'beginCreateOrUpdate') throw new Error('killed');
      state.known = { ...state.known, appliedRecorded: true };
      return { outcome: 'succeeded' };
    });
  const announced = await pass({ exists: true, body: { tags: { goal: '1' } } }, undefined);
  expect(announced?.blocks['submit']?.state).toBe('Running');
  await pass({ exists: true, body: { tags: { goal: '2' } } }, announced);
  expect(done).toEqual(['beginCreateOrUpdate', 'recordApplied']);
  // It did not show before either, so nothing tells whether it took place: what was taken out of the body, say.
  const silent = await pass({ exists: true, body: { tags: { goal: '2', more: 'x' } } }, undefined);
  await pass({ exists: true, body: { tags: { goal: '2', more: 'x' } } }, silent);
  expect(done).toEqual(['beginCreateOrUpdate', 'recordApplied', 'beginCreateOrUpdate', 'beginCreateOrUpdate']);
});

/** Runs over one resource; `done` lists the effects, of which the first PUT is cut off. */
function cutOff() {
  const done: Effect[] = [];
  let journal: Journal | undefined;
  const pass = async (goal: string, observed: Known, shownLater?: Observation['live']) => {
    const begun: RunState = { known: observed, journal };
    journal = await runOver(applyPipeline, goal, begun, (effect, state) => {
      done.push(effect);
      if (effect.do === 'beginCreateOrUpdate' && done.filter((each) => each.do === 'beginCreateOrUpdate').length === 1)
        throw new Error('killed');
      if (effect.do === 'joinOperation') return { outcome: 'polling', memo: { foreign: effect.foreign === true } };
      if (effect.do === 'monitorOperation') {
        state.known = { ...state.known, live: shownLater };
        const foreign = (state.journal?.blocks['submit']?.memo as { foreign?: boolean } | undefined)?.foreign;
        return { outcome: 'succeeded', ...(!foreign && { memo: { sent: true } }) };
      }
      const live = effect.do === 'beginCreateOrUpdate' && { live: shownLater };
      state.known = { ...state.known, appliedRecorded: effect.do === 'recordApplied', ...live };
      return { outcome: 'succeeded', ...(effect.do === 'beginCreateOrUpdate' && { memo: { sent: true } }) };
    });
    return done.map((effect) => (effect.do === 'joinOperation' && effect.foreign ? 'join foreign' : effect.do));
  };
  return pass;
}

test('a password that changes while a PUT is cut off is sent, although Azure shows everything else of that PUT', async () => {
  const pass = cutOff();
  const body = { location: 'westeurope', properties: { password: new SecretValue('one') } };
  const shown = { exists: true, body: { location: 'westeurope', properties: {} } } as const;
  const first = { ...known, deletion: undefined, body, inputsVersion: 'one' };
  expect(await pass('one', { ...first, live: { exists: false } })).toEqual(['beginCreateOrUpdate']);
  const second = { ...first, inputsVersion: 'two', live: shown };
  expect(await pass('two', second, shown)).toEqual(['beginCreateOrUpdate', 'beginCreateOrUpdate', 'recordApplied']);
});

test('an edit that is made while a PUT is cut off is sent once Azure is through with that PUT', async () => {
  const pass = cutOff();
  const at = (edition: string, provisioningState: string) =>
    ({ exists: true, body: { tags: { edition }, properties: { provisioningState } } }) as const;
  const first = { ...known, deletion: undefined, body: { tags: { edition: 'first' } } };
  expect(await pass('first', { ...first, live: { exists: false } })).toEqual(['beginCreateOrUpdate']);
  const second = { ...first, body: { tags: { edition: 'second' } }, live: at('first', 'Creating') };
  expect(await pass('second', second, at('first', 'Succeeded'))).toEqual([
    'beginCreateOrUpdate',
    'join foreign',
    'monitorOperation',
    'beginCreateOrUpdate',
    'recordApplied',
  ]);
});

test('a child is not sent while Azure does not have its parent', async () => {
  const done: string[] = [];
  const state: RunState = {
    known: { ...known, deletion: undefined, body: { tags: {} }, live: { exists: false, ownerGone: true } },
    journal: undefined,
  };
  await runOver(applyPipeline, 'apply', state, (effect) => {
    done.push(effect.do);
    return { outcome: 'retry', failure: { code: 'WaitingForOwner', message: 'gone' } };
  });
  expect(done).toEqual(['waitForOwnerInAzure']);
});

test('a DELETE that was cut off is sent again, although Azure shows nothing: a PUT before it may only show later', async () => {
  const journal: Journal = { version: 1, desiredHash: 'delete', blocks: { delete: { state: 'Running' } } };
  const deletion = { keepReason: undefined, putUnanswered: false };
  const done: string[] = [];
  const state: RunState = { known: { ...known, deletion, live: { exists: false } }, journal };
  await runOver(deletePipeline, 'delete', state, (effect, at) => {
    done.push(effect.do);
    at.known = { ...at.known, deleted: true, finalizerRemoved: effect.do === 'removeFinalizer' };
    return { outcome: 'succeeded' };
  });
  expect(done).toEqual(['beginDelete', 'removeFinalizer']);
});

test.each<[string, Partial<Known>, readonly string[]]>([
  ['a new resource is deleted', {}, ['beginDelete', 'removeFinalizer']],
  ['an old one is gone', { now: 7_200_000 }, ['removeFinalizer']],
  ['one whose owner Azure does not have is gone', { live: { exists: false, ownerGone: true } }, ['removeFinalizer']],
])('where Azure answers 404 to the read before the DELETE, %s', async (_, seen, expected) => {
  const done: string[] = [];
  const deletion = { keepReason: undefined, putUnanswered: false };
  const acquired = { by: 'written', credentialOf: 'operator', at: 0 } as const;
  const state: RunState = {
    known: { ...known, deletion, acquired, now: 60_000, live: { exists: false }, ...seen },
    journal: undefined,
  };
  await runOver(deletePipeline, 'delete', state, (effect, at) => {
    done.push(effect.do);
    at.known = { ...at.known, deleted: true, finalizerRemoved: effect.do === 'removeFinalizer' };
    return { outcome: 'succeeded' };
  });
  expect(done).toEqual(expected);
});

test('what an object has in vaults stays where its resource stays', async () => {
  const effects = async (keepReason: string | undefined) => {
    const done: string[] = [];
    const deletion = { keepReason, putUnanswered: false };
    const first: Known = { ...known, deletion, live: { exists: false }, deleted: true, secretsInVaults: true };
    const state: RunState = { known: first, journal: undefined };
    await runOver(deletePipeline, 'delete', state, (effect, at) => {
      done.push(effect.do);
      at.known = { ...at.known, secretsInVaults: false, finalizerRemoved: effect.do === 'removeFinalizer' };
      return { outcome: 'succeeded' };
    });
    return done;
  };
  expect(await effects(undefined)).toEqual(['clearVaults', 'removeFinalizer']);
  expect(await effects('its reconcile policy is skip')).toEqual(['removeFinalizer']);
});
