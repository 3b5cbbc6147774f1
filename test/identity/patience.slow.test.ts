/** Minutes of Azure, by a clock that the tests move: what is waited for is told, and holds up nothing else. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import { eventsType, World } from './support.ts';

const clock = new ManualClock(Date.now());
const minuteMs = 60_000;
const stepMs = 3000;
let world: World;
beforeAll(async () => {
  world = await World.start(clock);
});
beforeEach(() => world.reset());
afterAll(() => world.close());

/** Lets time pass in small steps, in each of which requests are answered. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The same until something is so, which takes requests whose time nobody knows; gives how long it took. */
async function passUntil(what: string, check: () => Promise<boolean>): Promise<number> {
  const begun = clock.now();
  const deadline = Date.now() + 120_000;
  // Not by `until`, whose pauses grow: each look needs its step of the clock.
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Still not ${what}: ${JSON.stringify(await world.states())}`);
    await pass(stepMs);
  }
  return clock.now() - begun;
}

const assigned = (pod: string, identity: string) => async () =>
  (await world.states()).includes(`default/${pod}-app-${identity} Assigned`);

/** `type reason` of the events of a pod, with what they say. */
async function told(pod: string): Promise<string[]> {
  const { items } = await world.client.list(eventsType, { limit: 0 });
  return items
    .filter(({ regarding }) => regarding.kind === 'Pod' && regarding.name === pod)
    .map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

test('an operation of twenty minutes is told to those who wait for it, and what comes meanwhile is one write after it', async () => {
  const slow = await world.vmNode('slow');
  await world.vmNode('quick');
  for (const name of ['id1', 'id2', 'id3', 'id4']) await world.bound(name);
  await world.pod('served', 'id4', 'slow');
  const controller = world.controller({ clock });
  await passUntil('the first pod', assigned('served', 'id4'));

  world.azure.settings.operationMs = 20 * minuteMs;
  await world.pod('a', 'id1', 'slow');
  await passUntil('the write', async () => world.patches(slow).length === 2);
  const begun = clock.now();
  world.azure.settings.operationMs = 0;
  await world.pod('other', 'id1', 'quick');
  await passUntil('another machine goes on', assigned('other', 'id1'));
  await passUntil('it is told', async () => (await told('a')).length > 0);
  expect(await told('a')).toEqual([
    expect.stringMatching(/^Normal IdentityPending: .*default\/id1 is not assigned yet on node slow: Azure .*\/slow$/i),
  ]);

  // Who comes while it goes on is told at once.
  for (const [pod, id] of [
    ['b', 'id2'],
    ['c', 'id3'],
    ['d', 'id3'],
  ] as const)
    await world.pod(pod, id, 'slow');
  await passUntil('they are told', async () =>
    (await Promise.all(['b', 'c', 'd'].map(told))).every(({ length }) => length === 1),
  );
  await world.deletePod('d');
  expect(clock.now() - begun).toBeLessThan(15 * minuteMs);
  for (const [pod, id] of [
    ['a', 'id1'],
    ['b', 'id2'],
    ['c', 'id3'],
  ] as const)
    await passUntil(pod, assigned(pod, id));
  expect(clock.now() - begun).toBeGreaterThanOrEqual(20 * minuteMs);
  expect((await world.attached(slow)).names).toEqual(['id1', 'id2', 'id3', 'id4']);
  expect(world.patches(slow)).toHaveLength(3);
  // The pod that has its identity waits for nothing, nor does who comes later; who waited was told once.
  await world.bound('id5');
  await pass(minuteMs);
  await world.pod('late', 'id5', 'slow');
  await passUntil('the late one', assigned('late', 'id5'));
  expect([await told('served'), await told('late')]).toEqual([[], []]);
  const { items } = await world.client.list(eventsType, { limit: 0 });
  expect(items.filter(({ reason }) => reason === 'IdentityPending').map(({ series }) => series)).toEqual(
    Array(4).fill(undefined),
  );
  const stopping = controller.stop();
  await pass(10_000);
  await stopping;
});

test('fifteen minutes of throttling are told at once and kept, while another region goes on', async () => {
  const first = await world.vmNode('first');
  const second = await world.vmNode('second');
  const elsewhere = await world.machine('vm', 'elsewhere', { type: 'None' }, 'northeurope');
  await world.node('elsewhere', `azure://${elsewhere}`);
  for (const name of ['id1', 'id2', 'id4']) await world.bound(name);
  await world.pod('served', 'id4', 'first');
  const controller = world.controller({ clock });
  await passUntil('the first pod', assigned('served', 'id4'));

  world.azure.faults.add({
    service: 'arm',
    method: 'PATCH',
    path: '/first',
    status: 429,
    headers: { 'retry-after': '900' },
    body: { error: { code: 'TooManyRequests', message: 'The budget is used up.' } },
  });
  await world.pod('a', 'id1', 'first');
  await passUntil('it is told', async () => (await told('a')).length > 0);
  const begun = clock.now();
  expect(await told('a')).toEqual([expect.stringMatching(/^Warning IdentityNotAssigned: .*TooManyRequests/)]);
  await world.pod('b', 'id2', 'first');
  await world.pod('c', 'id1', 'second');
  await world.pod('d', 'id1', 'elsewhere');
  await passUntil('another region goes on', assigned('d', 'id1'));
  await passUntil('the others are told', async () => (await told('b')).length + (await told('c')).length >= 2);
  expect(await told('c')).toEqual([
    expect.stringMatching(/^Warning IdentityNotAssigned: .*budget of writes .* is used up/),
  ]);
  expect(clock.now() - begun).toBeLessThan(10 * minuteMs);
  for (const [pod, id] of [
    ['a', 'id1'],
    ['b', 'id2'],
    ['c', 'id1'],
  ] as const)
    await passUntil(pod, assigned(pod, id));
  expect(clock.now() - begun).toBeGreaterThanOrEqual(14 * minuteMs);
  expect([world.patches(first).map(({ status }) => status), world.patches(second).length]).toEqual([
    [200, 429, 200],
    1,
  ]);
  expect(await told('served')).toEqual([]);
  const stopping = controller.stop();
  await pass(10_000);
  await stopping;
});
