import { expect, test } from '@jest/globals';
import {
  type Block,
  barrier,
  type Decision,
  done,
  type EffectResult,
  formatJournal,
  type Journal,
  Limits,
  parseJournal,
  pipeline,
  run,
  withoutFailures,
} from '../../runtime/engine/index.ts';

type Observation = Record<string, string | undefined>;
type Effect = { readonly do: string; readonly repeatable?: boolean };

/** A block that wants `observed[name] === desired`, and performs `name` until it is so. */
const seek = (name: string, after: readonly string[] = []): Block<string, Observation, Effect> => ({
  name,
  after,
  decide: ({ desired, observed, polling }): Decision<Effect> => {
    if (polling) return { next: 'perform', effect: { do: `poll ${name}` }, repeatable: true };
    if (observed[name] === desired) return done;
    return { next: 'perform', effect: { do: name }, repeatable: false };
  },
});

class World {
  observed: Observation = {};
  saves: string[] = [];
  log: string[] = [];
  answer: (effect: Effect, journal: Journal) => EffectResult | Promise<EffectResult>;
  constructor(answer: World['answer']) {
    this.answer = answer;
  }
  observe = () => this.observed;
  save = async (journal: Journal) => {
    this.saves.push(formatJournal(journal));
    this.log.push('save');
  };
  perform = async (effect: Effect, { journal }: { journal: Journal }) => {
    this.log.push(effect.do);
    return this.answer(effect, journal);
  };
  get journal() {
    return parseJournal(this.saves.at(-1));
  }
}

const desired = (value: string) => ({ hash: value, value });

test('an effect is journaled before it is performed, and what it left is journaled after', async () => {
  const world = new World(({ do: name }) => {
    world.observed[name] = 'g';
    return { outcome: 'succeeded' };
  });
  const line = pipeline('p', [seek('submit')]);
  const result = await run(line, desired('g'), undefined, world);
  expect(result.state).toBe('Succeeded');
  expect(world.log).toEqual(['save', 'submit', 'save']);
  expect(parseJournal(world.saves[0])?.blocks).toEqual({ submit: { state: 'Running' } });
  expect(world.journal?.blocks).toEqual({});
});

test('a second run does nothing, not even a save', async () => {
  const world = new World(() => ({ outcome: 'succeeded' }));
  world.observed = { submit: 'g' };
  await run(pipeline('p', [seek('submit')]), desired('g'), undefined, world);
  expect(world.log).toEqual([]);
});

test('blocks without a path between them run side by side, a barrier waits for all it names', async () => {
  let running = 0;
  let most = 0;
  const world = new World(async ({ do: name }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    world.observed[name] = 'g';
    return { outcome: 'succeeded' };
  });
  const line = pipeline('p', [seek('last', ['all']), barrier('all', ['a', 'b']), seek('b'), seek('a')]);
  const result = await run(line, desired('g'), undefined, world);
  expect(most).toBe(2);
  expect(world.log.filter((entry) => entry !== 'save')).toEqual(['b', 'a', 'last']);
  expect(result.blocks).toEqual({ a: 'Succeeded', b: 'Succeeded', all: 'Succeeded', last: 'Succeeded' });
});

test('an operation is in the journal before anything else is asked, and is polled from there', async () => {
  const world = new World(({ do: name }) => {
    if (name === 'submit') return { outcome: 'polling', memo: { url: '/op/1' } };
    world.observed['submit'] = 'g';
    return { outcome: 'succeeded' };
  });
  await run(pipeline('p', [seek('submit')]), desired('g'), undefined, world);
  expect(world.log).toEqual(['save', 'submit', 'save', 'poll submit', 'save']);
  expect(parseJournal(world.saves[1])?.blocks['submit']).toEqual({ state: 'Polling', memo: { url: '/op/1' } });
});

test('under a new desired state an operation under way ends first, nothing else starts, and then the new state is sought', async () => {
  const journal: Journal = { version: 1, desiredHash: 'old', blocks: { submit: { state: 'Polling', memo: '/op/1' } } };
  let polls = 0;
  const world = new World(({ do: name }) => {
    if (name === 'poll submit') {
      if (polls++ === 0) return { outcome: 'polling', memo: '/op/1' };
      world.observed['submit'] = 'old';
    } else world.observed[name] = 'new';
    return { outcome: 'succeeded' };
  });
  const result = await run(pipeline('p', [seek('first'), seek('submit')]), desired('new'), journal, world);
  expect(world.log.filter((entry) => entry !== 'save')).toEqual(['poll submit', 'poll submit', 'first', 'submit']);
  expect(result.state).toBe('Succeeded');
  expect(result.journal.desiredHash).toBe('new');
});

test('an effect that failed for good is not tried again for the same desired state, but is for another', async () => {
  const world = new World(() => ({ outcome: 'failed', failure: { code: 'Bad', message: 'no' } }));
  const line = pipeline('p', [seek('submit')]);
  expect((await run(line, desired('g'), undefined, world)).failure).toMatchObject({ code: 'Bad', block: 'submit' });
  const again = await run(line, desired('g'), world.journal, world);
  expect(again).toMatchObject({ state: 'Failed', failure: { code: 'Bad', message: 'no', block: 'submit' } });
  expect(world.log.filter((entry) => entry === 'submit')).toHaveLength(1);
  await run(line, desired('h'), world.journal, world);
  expect(world.log.filter((entry) => entry === 'submit')).toHaveLength(2);
});

test('an effect that failed in passing ends the run as Pending and leaves the intent in the journal', async () => {
  const world = new World(() => Promise.reject(new Error('connection reset')));
  const line = pipeline('p', [seek('submit')]);
  const result = await run(line, desired('g'), undefined, world);
  expect(result).toMatchObject({ state: 'Pending', failure: { message: 'connection reset', block: 'submit' } });
  const seen: boolean[] = [];
  const reading = pipeline<string, Observation, Effect>('p', [
    {
      name: 'submit',
      decide: ({ interrupted }) => {
        seen.push(interrupted);
        return done;
      },
    },
  ]);
  await run(reading, desired('g'), world.journal, world);
  expect(seen).toEqual([true]);
});

test('an effect that failed and is known to be over leaves no intent, and an intent outlives a change of the desired state', async () => {
  const failing = (over: boolean) =>
    new World(() => ({ outcome: 'retry', failure: { code: 'HTTP503', message: 'busy' }, ...(over && { over }) }));
  const line = pipeline('p', [seek('submit')]);
  const finished = failing(true);
  expect((await run(line, desired('g'), undefined, finished)).journal.blocks).toEqual({});
  const open = failing(false);
  const { journal } = await run(line, desired('g'), undefined, open);
  expect(journal.blocks).toEqual({ submit: { state: 'Running' } });
  const seen: unknown[] = [];
  const check = pipeline('p', [
    {
      name: 'submit',
      decide: ({ interrupted }: { readonly interrupted: boolean }): Decision<Effect> => {
        seen.push(interrupted);
        return done;
      },
    },
  ]);
  await run(check, desired('h'), journal, open);
  expect(seen[0]).toBe(true);
});

test('nothing is performed when the journal cannot be saved', async () => {
  const world = new World(() => ({ outcome: 'succeeded' }));
  world.save = () => Promise.reject(new Error('conflict'));
  await expect(run(pipeline('p', [seek('submit')]), desired('g'), undefined, world)).rejects.toThrow('conflict');
  expect(world.log).toEqual([]);
});

test('an effect waits for its admission before it takes a place, and is journaled in its place alone', async () => {
  const limits = new Limits(() => 1);
  const plain: World = new World(({ do: name }) => {
    plain.observed[name] = 'g';
    return { outcome: 'succeeded' };
  });
  const world = Object.assign(plain, {
    admit: async () => void world.log.push(`admit, ${limits.inUse('k')} in use`),
    reserve: () => void world.log.push(`reserve, ${limits.inUse('k')} in use`),
    limitKeysOf: () => ['k'],
  });
  await run(pipeline('p', [seek('submit')]), desired('g'), undefined, world, { limits });
  expect(world.log).toEqual(['admit, 0 in use', 'reserve, 1 in use', 'save', 'submit', 'save']);
});

test('an effect that is not admitted, or whose reservation is refused, is neither journaled nor performed', async () => {
  const failure = { code: 'Taken', message: 'another has it' };
  for (const refusing of [
    { admit: () => Promise.reject(Object.assign(new Error('another has it'), { code: 'Taken' })) },
    { reserve: (): EffectResult => ({ outcome: 'retry', failure }) },
  ]) {
    const world = Object.assign(new World(() => ({ outcome: 'succeeded' })), refusing);
    const result = await run(pipeline('p', [seek('submit')]), desired('g'), undefined, world);
    expect(result).toMatchObject({ state: 'Pending', failure: { ...failure, block: 'submit' } });
    expect(world.log).toEqual([]);
  }
});

test('a node that waits is Blocked, says for whom, and writes nothing', async () => {
  const wait = { kind: 'owner', node: 'group', reason: 'WaitingForOwner', message: 'm' } as const;
  const world = new World(() => ({ outcome: 'succeeded' }));
  const line = pipeline<string, Observation, Effect>('p', [
    { name: 'owner', decide: () => ({ next: 'wait', waits: [wait] }) },
    seek('submit', ['owner']),
  ]);
  expect(await run(line, desired('g'), undefined, world)).toMatchObject({ state: 'Blocked', waits: [wait] });
  expect(world.log).toEqual([]);
});

test('a pipeline with an unknown predecessor, a name twice or a cycle is refused', () => {
  expect(() => pipeline('p', [seek('a', ['b'])])).toThrow('Block p/a depends on unknown block b');
  expect(() => pipeline('p', [seek('a'), seek('a')])).toThrow('Pipeline p has two blocks named a');
  expect(() => pipeline('p', [seek('a', ['b']), seek('b', ['a'])])).toThrow(/Dependency cycle: /);
});

test('text that is no journal of this version is not taken for one', () => {
  const unknownState = '{"version":1,"goal":"x","blocks":{"delete":{"state":"Gone"}}}';
  const laterVersion = '{"version":2,"goal":"g","blocks":{}}';
  for (const text of [undefined, '', '{', 'null', '[]', laterVersion, unknownState, '{"version":1}']) {
    expect(parseJournal(text)).toBeUndefined();
  }
});

test('a journal without its failures keeps everything else', () => {
  const blocks = {
    submit: { state: 'Failed', failure: { code: 'X', message: 'no' } },
    delete: { state: 'Polling', memo: { url: '/x' } },
  } as const;
  expect(withoutFailures({ version: 1, desiredHash: 'g', blocks })?.blocks).toEqual({ delete: blocks.delete });
  expect(withoutFailures(undefined)).toBeUndefined();
});

test('the stored text of a journal keeps the member goal, so that another release reads it', () => {
  const journal: Journal = { version: 1, desiredHash: 'g', blocks: { submit: { state: 'Running' } } };
  const text = '{"blocks":{"submit":{"state":"Running"}},"goal":"g","version":1}';
  expect(formatJournal(journal)).toBe(text);
  expect(parseJournal(text)).toEqual(journal);
});
