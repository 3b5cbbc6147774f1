import { expect, test } from '@jest/globals';
import { type Journal, run, type Wait } from '../../runtime/engine/index.ts';
import type { Effect, Facts } from '../../runtime/operator/facts.ts';
import { deletePipeline } from '../../runtime/operator/pipelines.ts';

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
