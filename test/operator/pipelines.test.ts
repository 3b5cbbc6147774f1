import { expect, test } from '@jest/globals';
import { type Journal, run, type Wait } from '../../runtime/engine/index.ts';
import { bodyFingerprint, type Effect, type Facts } from '../../runtime/operator/facts.ts';
import { applyPipeline, deletePipeline } from '../../runtime/operator/pipelines.ts';
import { SecretValue } from '../../runtime/operator/secret-value.ts';

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

/** One deletion pass whose effects all fail; the journal that it leaves. */
async function failing(observed: Facts): Promise<Journal> {
  let saved = interrupted;
  await run(deletePipeline, { hash: 'delete', value: undefined }, interrupted, {
    observe: () => observed,
    save: async (journal: Journal) => {
      saved = journal;
    },
    perform: async (_: Effect) => ({ outcome: 'retry' as const, failure: { code: 'HTTP503', message: 'busy' } }),
  });
  return saved;
}

test('a deletion remembers a PUT that was cut off until its own request is announced', async () => {
  const wait: Wait = { kind: 'secret', node: 'Secret default/credential', reason: 'SecretNotFound', message: 'gone' };
  for (const observed of [facts, { ...facts, waits: [wait] }]) {
    expect((await failing(observed)).blocks).toHaveProperty('submit.state', 'Running');
  }
  const seen = await failing({ ...facts, live: { exists: false } });
  expect(seen.blocks).toEqual({ delete: { state: 'Running' } });
});

test('a PUT that was cut off is not repeated where Azure shows the change that it was to make', async () => {
  const body = { tags: { goal: '2' } };
  const applied = { body: bodyFingerprint({ tags: { goal: '1' } }), inputs: '', residue: '' };
  const observed = { ...facts, deletion: undefined, body, applied };
  const done: string[] = [];
  const pass = async (live: Facts['live'], from: Journal | undefined) => {
    let now: Facts = { ...observed, live };
    let saved = from;
    const host = {
      observe: () => now,
      save: async (journal: Journal) => {
        saved = journal;
      },
      perform: async (effect: Effect) => {
        done.push(effect.do);
        if (effect.do === 'put') throw new Error('killed');
        now = { ...now, settled: true };
        return { outcome: 'succeeded' as const };
      },
    };
    await run(applyPipeline, { hash: 'apply', value: undefined }, from, host);
    return saved;
  };
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
  let saved: Journal | undefined;
  const pass = async (goal: string, observed: Facts, shownLater?: Facts['live']) => {
    let now = observed;
    const host = {
      observe: () => now,
      save: async (journal: Journal) => {
        saved = journal;
      },
      perform: async (effect: Effect) => {
        done.push(effect);
        if (effect.do === 'put' && done.filter((each) => each.do === 'put').length === 1) throw new Error('killed');
        if (effect.do === 'adopt') return { outcome: 'polling' as const, memo: { foreign: effect.foreign === true } };
        if (effect.do === 'poll') {
          now = { ...now, live: shownLater };
          const foreign = (saved?.blocks['submit']?.memo as { foreign?: boolean } | undefined)?.foreign;
          return { outcome: 'succeeded' as const, ...(!foreign && { memo: { sent: true } }) };
        }
        now = { ...now, settled: effect.do === 'settle', ...(effect.do === 'put' && { live: shownLater }) };
        return { outcome: 'succeeded' as const, ...(effect.do === 'put' && { memo: { sent: true } }) };
      },
    };
    await run(applyPipeline, { hash: goal, value: undefined }, saved, host);
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
