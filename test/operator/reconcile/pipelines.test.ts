import { expect, test } from '@jest/globals';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { type EffectResult, type Journal, run, type Wait } from '../../../runtime/engine/index.ts';
import { bodyFingerprint, type Effect, type Facts } from '../../../runtime/operator/reconcile/observed.ts';
import { applyPipeline, deletePipeline } from '../../../runtime/operator/reconcile/pipelines.ts';

const interrupted: Journal = { version: 1, goal: 'apply', blocks: { submit: { state: 'Running' } } };
const facts: Facts = {
  now: 0,
  policy: 'manage',
  waits: [],
  claimed: true,
  live: undefined,
  body: undefined,
  inputsVersion: '',
  applied: undefined,
  sent: false,
  settled: false,
  readyWhen: true,
  exports: 'none',
  nextPollAt: 0,
  deletion: { leave: undefined, unsure: true, deleted: false, released: false },
};

/** Where a pass has come to: what is known of the resource, and the journal as it was saved last. */
interface Stand {
  facts: Facts;
  journal: Journal | undefined;
}

/** One pass in which `perform` says how each effect ends, and may change what is known; gives the journal that it leaves. */
async function passOver(
  pipeline: typeof applyPipeline,
  goal: string,
  stand: Stand,
  perform: (effect: Effect, stand: Stand) => EffectResult,
): Promise<Journal | undefined> {
  await run(pipeline, { hash: goal, value: undefined }, stand.journal, {
    observe: () => stand.facts,
    save: async (journal: Journal) => {
      stand.journal = journal;
    },
    perform: async (effect: Effect) => perform(effect, stand),
  });
  return stand.journal;
}

/** One deletion pass whose effects all fail. */
const failing = (observed: Facts) =>
  passOver(deletePipeline, 'delete', { facts: observed, journal: interrupted }, () => ({
    outcome: 'retry',
    failure: { code: 'HTTP503', message: 'busy' },
  }));

test('a deletion remembers a PUT that was cut off until its own request is announced', async () => {
  const wait: Wait = { kind: 'secret', node: 'Secret default/credential', reason: 'SecretNotFound', message: 'gone' };
  for (const observed of [facts, { ...facts, waits: [wait] }]) {
    expect((await failing(observed))?.blocks).toHaveProperty('submit.state', 'Running');
  }
  const seen = await failing({ ...facts, live: { exists: false } });
  expect(seen?.blocks).toEqual({ delete: { state: 'Running' } });
});

test('a PUT that was cut off is not repeated where Azure shows the change that it was to make', async () => {
  const body = { tags: { goal: '2' } };
  const applied = { body: bodyFingerprint({ tags: { goal: '1' } }), inputs: '', knownDifference: '' };
  const observed = { ...facts, deletion: undefined, body, applied };
  const done: string[] = [];
  const pass = (live: Facts['live'], journal: Journal | undefined) =>
    passOver(applyPipeline, 'apply', { facts: { ...observed, live }, journal }, (effect, stand) => {
      done.push(effect.do);
      if (effect.do === 'put') throw new Error('killed');
      stand.facts = { ...stand.facts, settled: true };
      return { outcome: 'succeeded' };
    });
  const announced = await pass({ exists: true, body: { tags: { goal: '1' } } }, undefined);
  expect(announced?.blocks['submit']?.state).toBe('Running');
  await pass({ exists: true, body: { tags: { goal: '2' } } }, announced);
  expect(done).toEqual(['put', 'settle']);
  // It did not show before either, so nothing tells whether it took place: what was taken out of the body, say.
  const silent = await pass({ exists: true, body: { tags: { goal: '2', more: 'x' } } }, undefined);
  await pass({ exists: true, body: { tags: { goal: '2', more: 'x' } } }, silent);
  expect(done).toEqual(['put', 'settle', 'put', 'put']);
});

/** Passes over one resource; `done` lists the effects, of which the first PUT is cut off. */
function cutOff() {
  const done: Effect[] = [];
  let journal: Journal | undefined;
  const pass = async (goal: string, observed: Facts, shownLater?: Facts['live']) => {
    const begun: Stand = { facts: observed, journal };
    journal = await passOver(applyPipeline, goal, begun, (effect, stand) => {
      done.push(effect);
      if (effect.do === 'put' && done.filter((each) => each.do === 'put').length === 1) throw new Error('killed');
      if (effect.do === 'adopt') return { outcome: 'polling', memo: { foreign: effect.foreign === true } };
      if (effect.do === 'poll') {
        stand.facts = { ...stand.facts, live: shownLater };
        const foreign = (stand.journal?.blocks['submit']?.memo as { foreign?: boolean } | undefined)?.foreign;
        return { outcome: 'succeeded', ...(!foreign && { memo: { sent: true } }) };
      }
      const live = effect.do === 'put' && { live: shownLater };
      stand.facts = { ...stand.facts, settled: effect.do === 'settle', ...live };
      return { outcome: 'succeeded', ...(effect.do === 'put' && { memo: { sent: true } }) };
    });
    return done.map((effect) => (effect.do === 'adopt' && effect.foreign ? 'adopt foreign' : effect.do));
  };
  return pass;
}

test('a password that changes while a PUT is cut off is sent, although Azure shows everything else of that PUT', async () => {
  const pass = cutOff();
  const body = { location: 'westeurope', properties: { password: new SecretValue('one') } };
  const shown = { exists: true, body: { location: 'westeurope', properties: {} } } as const;
  const first = { ...facts, deletion: undefined, body, inputsVersion: 'one' };
  expect(await pass('one', { ...first, live: { exists: false } })).toEqual(['put']);
  const second = { ...first, inputsVersion: 'two', live: shown };
  expect(await pass('two', second, shown)).toEqual(['put', 'put', 'settle']);
});

test('an edit that is made while a PUT is cut off is sent once Azure is through with that PUT', async () => {
  const pass = cutOff();
  const at = (edition: string, provisioningState: string) =>
    ({ exists: true, body: { tags: { edition }, properties: { provisioningState } } }) as const;
  const first = { ...facts, deletion: undefined, body: { tags: { edition: 'first' } } };
  expect(await pass('first', { ...first, live: { exists: false } })).toEqual(['put']);
  const second = { ...first, body: { tags: { edition: 'second' } }, live: at('first', 'Creating') };
  expect(await pass('second', second, at('first', 'Succeeded'))).toEqual([
    'put',
    'adopt foreign',
    'poll',
    'put',
    'settle',
  ]);
});

test('a DELETE that was cut off is sent again, although Azure shows nothing: a PUT before it may only show later', async () => {
  const journal: Journal = { version: 1, goal: 'delete', blocks: { delete: { state: 'Running' } } };
  const deletion = { leave: undefined, unsure: false, deleted: false, released: false };
  const done: string[] = [];
  const stand: Stand = { facts: { ...facts, deletion, live: { exists: false } }, journal };
  await passOver(deletePipeline, 'delete', stand, (effect, at) => {
    done.push(effect.do);
    at.facts = { ...at.facts, deletion: { ...deletion, deleted: true, released: effect.do === 'release' } };
    return { outcome: 'succeeded' };
  });
  expect(done).toEqual(['delete', 'release']);
});

test('what an object has in vaults stays where its resource stays', async () => {
  const effects = async (leave: string | undefined) => {
    const done: string[] = [];
    const deletion = { leave, unsure: false, deleted: true, released: false, inVaults: true };
    const stand: Stand = { facts: { ...facts, deletion, live: { exists: false } }, journal: undefined };
    await passOver(deletePipeline, 'delete', stand, (effect, at) => {
      done.push(effect.do);
      at.facts = { ...at.facts, deletion: { ...deletion, inVaults: false, released: effect.do === 'release' } };
      return { outcome: 'succeeded' };
    });
    return done;
  };
  expect(await effects(undefined)).toEqual(['clearVaults', 'release']);
  expect(await effects('its reconcile policy is skip')).toEqual(['release']);
});
