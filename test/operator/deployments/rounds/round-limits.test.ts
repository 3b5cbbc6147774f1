import { expect, test } from '@jest/globals';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import type { NeededAnswer } from '../../../../runtime/compute/deployments/open-values.ts';
import type { DeploymentRun } from '../../../../runtime/operator/deployments/deployment-run.ts';
import { TemplateRounds } from '../../../../runtime/operator/deployments/rounds/template-rounds.ts';
import type { DecidedLocation } from '../../../../runtime/operator/deployments/runs/run-records.ts';
import type { DeploymentObject } from '../../../../runtime/operator/deployments/runs/runs.ts';

const { signal } = new AbortController();
const needed = (count: number): NeededAnswer[] =>
  Array.from({ length: count }, (_, index) => ({ id: `/id/${index}`, key: `Kind.group/${index}`, apiVersion: '1' }));
const deployment = { metadata: { name: 'd', namespace: 'team', uid: 'u' }, spec: {} } as unknown as DeploymentObject;

/** Rounds whose answers have this text in the part that the template reads, or these problems. */
function partsOf({
  text = 'x',
  problems = [] as readonly object[],
  failures = 0,
  child = undefined as unknown,
  now = (): number => 0,
  isClosed = false,
} = {}) {
  let left = failures;
  const recorded: object[] = [];
  let reads = 0;
  const rounds = new TemplateRounds({
    answers: {
      read: async (_: unknown, wanted: readonly NeededAnswer[]) => {
        reads += wanted.length;
        if (isClosed) throw new AzimuthError('AZ_TERMINAL', 'Azure refuses the read');
        return Object.fromEntries(
          wanted.map(({ id }) => [id, { resource: { properties: { text, other: 'unread' } } }]),
        );
      },
    },
    expansions: {
      readParts: async (_: unknown, __: unknown, whole: object) => ({
        parts: Object.fromEntries(Object.keys(whole).map((id) => [id, { resource: { properties: { text } } }])),
        problems,
      }),
    },
    clock: { monotonic: now },
    children: { get: () => child },
    runs: {
      record: async (_: unknown, __: unknown, record: object) => {
        if (left-- > 0) throw new Error('no write');
        recorded.push(record);
      },
    },
  } as unknown as ConstructorParameters<typeof TemplateRounds>[0]);
  return { rounds, recorded, reads: () => reads };
}

const runOf = (decided: Readonly<Record<string, DecidedLocation>> = {}) =>
  ({
    goal: { text: '', digest: '', arm: undefined },
    recorded: { object: { metadata: {} }, record: { number: 1, passedGates: 2 } },
    decided: new Map(Object.entries(decided)),
    isOutOfDate: false,
  }) as unknown as DeploymentRun;

test('a round keeps what the record has, and adds the parts of the answers that are read', async () => {
  const { rounds, recorded } = partsOf();
  const run = runOf({ east: { rounds: 1, answers: [] } });
  expect(await rounds.decide(run, deployment, { location: 'west', needed: needed(1) }, signal)).toBeUndefined();
  expect(recorded).toEqual([
    {
      number: 1,
      passedGates: 2,
      decided: {
        east: { rounds: 1, answers: [] },
        west: {
          rounds: 1,
          answers: [{ ...needed(1)[0], resource: { properties: { text: 'x' } }, state: '' }],
        },
      },
    },
  ]);
  expect(run.isOutOfDate).toBe(true);
});

test.each([
  ['rounds', runOf({ west: { rounds: 20, answers: [] } }), 1, {}, 'more than 20 rounds of answers', 0],
  ['answers', runOf(), 201, {}, '201 of at most 200 answers', 0],
  ['bytes', runOf(), 10, { text: 'ß'.repeat(3500) }, 'of at most 65536 bytes', 10],
])(
  'a template of a tenant has a limit of %s, beyond which nothing is recorded',
  async (_, run, count, parts, why, reads) => {
    const made = partsOf(parts);
    const refusal = await made.rounds.decide(run, deployment, { location: 'west', needed: needed(count) }, signal);
    expect(refusal).toEqual({ reason: 'AnswerInvalid', message: expect.stringContaining(why) });
    expect([made.recorded, made.reads(), run.isOutOfDate]).toEqual([[], reads, false]);
  },
);

test('answers that make a wrong template are refused with its problem; a namespace without time waits', async () => {
  const decide = async (problem: object) => {
    const { rounds, recorded } = partsOf({ problems: [{ path: 'template', message: 'wrong', ...problem }] });
    const decision = { location: 'west', needed: needed(1) };
    const result = rounds.decide(runOf(), deployment, decision, signal);
    return await result.finally(() => expect(recorded).toEqual([]));
  };
  expect(await decide({})).toEqual({ reason: 'AnswerInvalid', message: 'template: wrong' });
  await expect(decide({ retryAfterMs: 5 })).rejects.toMatchObject({ code: 'AZ_BUDGET_SPENT', retryAfterMs: 5 });
});

test('a record that cannot be written is made again, as if nothing had been decided', async () => {
  const [made, whole] = [partsOf({ failures: 1 }), partsOf()];
  const [run, other] = [runOf(), runOf()];
  const decision = { location: 'west', needed: needed(2) };
  await expect(made.rounds.decide(run, deployment, decision, signal)).rejects.toThrow('no write');
  expect(run.isOutOfDate).toBe(false);
  await made.rounds.decide(run, deployment, decision, signal);
  await whole.rounds.decide(other, deployment, decision, signal);
  expect(made.recorded).toEqual(whole.recorded);
});

const ready = { type: 'Ready', status: 'True', observedGeneration: 2, lastTransitionTime: 't' };
const child = { metadata: { uid: 'o', generation: 2, annotations: {} }, status: { conditions: [ready] } };

/** Reads the answer of a record again: the object has another state than before. */
async function readAgain(parts: Parameters<typeof partsOf>[0]) {
  const { rounds, recorded } = partsOf({ ...parts, child });
  const before = { ...(needed(1)[0] as NeededAnswer), resource: { properties: { text: 'x' } }, state: 'former' };
  const { goal, recorded: run } = runOf();
  const record = { ...run.record, decided: { west: { rounds: 3, answers: [before] } } };
  return { result: await rounds.readAgain(goal, deployment, { ...run, record }, signal), recorded };
}

test('an answer that has changed is recorded, and the rounds of answers that have gone do not count', async () => {
  const { result, recorded } = await readAgain({ text: 'y' });
  expect(result).toEqual({ isOther: true, problems: [] });
  expect(recorded).toMatchObject([
    { decided: { west: { rounds: 1, answers: [{ resource: { properties: { text: 'y' } } }] } } },
  ]);
  expect((await readAgain({ text: 'x' })).result).toEqual({ isOther: false, problems: [] });
});

test.each([
  ['is too long for the record', { text: 'ß'.repeat(40_000) }, 'of at most 65536 bytes'],
  ['makes a wrong template', { text: 'y', problems: [{ path: 'template', message: 'wrong' }] }, 'template: wrong'],
])('a changed answer that %s stays the one that it was, and is a problem of the deployment', async (_, parts, why) => {
  const { result, recorded } = await readAgain(parts);
  expect(result).toEqual({
    isOther: false,
    problems: [{ path: 'template.arm.json in west', message: expect.stringContaining(why) }],
  });
  expect(recorded).toEqual([]);
});

test('an answer that cannot be read again is a problem, and is read once more after 30 s', async () => {
  let now = 0;
  const { rounds, reads } = partsOf({ child, now: () => now, isClosed: true });
  const before = { ...(needed(1)[0] as NeededAnswer), resource: {}, state: 'former' };
  const { goal, recorded: run } = runOf();
  const record = { ...run.record, decided: { west: { rounds: 3, answers: [before] } } };
  const again = async () => (await rounds.readAgain(goal, deployment, { ...run, record }, signal)).problems;
  const stale = [{ path: 'template.arm.json in west', message: 'Azure refuses the read', retryAfterMs: 30_000 }];
  expect([await again(), await again(), reads()]).toEqual([stale, stale, 1]);
  now = 30_000;
  expect([await again(), reads()]).toEqual([stale, 2]);
});
