/** The limits of expansions: what passes without a change of the template, and what does not. */
import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { ExpansionAnswer } from '../../../runtime/operator/deployments/expansion-program.ts';
import { type ExpansionProcess, Expansions, goalTextOf } from '../../../runtime/operator/deployments/expansions.ts';

const goal = goalTextOf('{}', undefined);
const place = { namespace: 'team', deployment: 'shop', location: 'westeurope' };
const { signal } = new AbortController();
const expanded: ExpansionAnswer = { nodes: [], problems: [] };

const unread = () => Promise.reject(new Error('the linked templates are read'));

type Result = Awaited<ReturnType<ExpansionProcess['run']>>;
function start(...results: Result[]) {
  const clock = new ManualClock(1000);
  const left = [...results];
  const run = async () => left.shift() ?? { answer: expanded, ms: 1 };
  const process = { run, close: () => undefined };
  const expansions = new Expansions({ groups: () => ({ groupId: '', tenantId: '' }), clock, process });
  return { expansions, clock, left };
}

test.each(['time', 'memory'] as const)(
  'a location above the limit of %s is expanded again ten minutes later',
  async (exceeded) => {
    const { expansions, clock } = start({ exceeded, ms: 4000 });
    const { problems } = await expansions.expand(goal, place, signal);
    expect(problems).toMatchObject([{ message: expect.stringContaining('every 10 minutes'), retryAfterMs: 600_000 }]);
    await clock.advance(599_000);
    expect((await expansions.expand(goal, place, signal)).problems).toEqual(problems);
    await clock.advance(1000);
    expect(await expansions.expand(goal, place, signal)).toEqual(expanded);
    expect(await expansions.expand(goal, place, signal)).toEqual(expanded);
  },
);

test('a location that got no processor is no problem of the template, and costs what it computed', async () => {
  const { expansions } = start({ exceeded: 'processor', ms: 6000 });
  const refusal = { code: 'AZ_ISOLATION', retryable: true };
  await expect(expansions.expand(goal, place, signal)).rejects.toMatchObject(refusal);
  await expect(expansions.expand(goal, place, signal)).rejects.toMatchObject({ code: 'AZ_BUDGET_SPENT' });
  const other = { ...place, namespace: 'other' };
  expect(await expansions.expand(goal, other, signal)).toEqual(expanded);
});

test('a spec as deep as an API server takes it is a problem of the deployment, and no error', async () => {
  const { expansions } = start();
  const body = JSON.parse(`${'{"a":'.repeat(9900)}1${'}'.repeat(9900)}`);
  const spec = { locations: [{ name: 'westeurope' }], template: { manifests: [body] } };
  expect(await expansions.goal('team', { spec, whole: unread }, 0, signal)).toEqual({
    path: 'spec',
    message: 'The spec is nested deeper than 200 levels: flatten it',
  });
});

test('a namespace without credit has none of its linked templates read', async () => {
  const { expansions } = start({ exceeded: 'time', ms: 6000 });
  await expansions.expand(goal, place, signal);
  const spec = { locations: [{ name: 'westeurope' }], template: { manifests: [] } };
  const asked = expansions.goal('team', { spec, whole: unread }, 0, signal);
  await expect(asked).rejects.toMatchObject({ code: 'AZ_BUDGET_SPENT' });
});

test('large locations of one namespace are kept within a bound, and a small one of another stays', async () => {
  const large = { nodes: [{ manifestText: 'x'.repeat(1_000_000), dependsOn: [] }], problems: [] } as unknown;
  let runs = 0;
  const run = async (namespace: string) => {
    runs++;
    return { answer: namespace === 'team' ? expanded : (large as ExpansionAnswer), ms: 0 };
  };
  const process = { run, close: () => undefined };
  const expansions = new Expansions({ groups: () => ({ groupId: '', tenantId: '' }), process });
  const expand = (namespace: string, location: string) =>
    expansions.expand(goal, { ...place, namespace, location }, signal);
  await expand('team', 'east');
  const places = Array.from({ length: 50 }, (_, index) => `place-${index}`);
  for (const location of places) await expand('hostile', location);
  runs = 0;
  for (const location of places.toReversed()) await expand('hostile', location);
  // Two bytes for each character: 48 MiB hold 25 of them.
  expect(runs).toBeGreaterThanOrEqual(25);
  runs = 0;
  await expand('team', 'east');
  expect(runs).toBe(0);
});
