/** Operations and throttling of many minutes, on a manual clock: the controller reports them, and other work continues. */
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

/** Advances the clock in small steps, with time for answers in between: the sandbox answers in real time. */
async function advance(ms: number): Promise<void> {
  for (let done = 0; done < ms; done += stepMs) {
    await clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Advances the clock until the check succeeds. Returns the milliseconds of the clock that this took. */
async function advanceUntil(what: string, check: () => Promise<boolean>): Promise<number> {
  const begun = clock.now();
  const deadline = Date.now() + 120_000;
  // Not by `until`, whose pauses grow: each check needs its step of the clock.
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Still not ${what}: ${JSON.stringify(await world.states())}`);
    await advance(stepMs);
  }
  return clock.now() - begun;
}

const assigned = (pod: string, identity: string) => async () =>
  (await world.states()).includes(`default/${pod}-app-${identity} Assigned`);

/** Type, reason and note of the events of a pod. */
async function eventsOf(pod: string): Promise<string[]> {
  const { items } = await world.client.list(eventsType, { limit: 0 });
  return items
    .filter(({ regarding }) => regarding.kind === 'Pod' && regarding.name === pod)
    .map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

test('an operation of twenty minutes is reported to the waiting pods, and later changes are one write after it', async () => {
  const slow = await world.vmNode('slow');
  await world.vmNode('quick');
  for (const name of ['id1', 'id2', 'id3', 'id4']) await world.bound(name);
  await world.pod('served', 'id4', 'slow');
  const controller = world.controller({ clock });
  await advanceUntil('the first pod', assigned('served', 'id4'));

  world.azure.settings.operationMs = 20 * minuteMs;
  await world.pod('a', 'id1', 'slow');
  // The status comes with the answer: until then Azure has not read how long the operation takes.
  await advanceUntil('the answer to the write', async () => world.patches(slow)[1]?.status === 200);
  const begun = clock.now();
  world.azure.settings.operationMs = 0;
  await world.pod('other', 'id1', 'quick');
  await advanceUntil('the other machine', assigned('other', 'id1'));
  await advanceUntil('the event', async () => (await eventsOf('a')).length > 0);
  expect(await eventsOf('a')).toEqual([
    expect.stringMatching(/^Normal IdentityPending: .*default\/id1 is not assigned yet on node slow: Azure .*\/slow$/i),
  ]);

  // Pods that start during the operation get the event at once.
  for (const [pod, id] of [
    ['b', 'id2'],
    ['c', 'id3'],
    ['d', 'id3'],
  ] as const)
    await world.pod(pod, id, 'slow');
  await advanceUntil('their events', async () =>
    (await Promise.all(['b', 'c', 'd'].map(eventsOf))).every(({ length }) => length === 1),
  );
  await world.deletePod('d');
  expect(clock.now() - begun).toBeLessThan(15 * minuteMs);
  for (const [pod, id] of [
    ['a', 'id1'],
    ['b', 'id2'],
    ['c', 'id3'],
  ] as const)
    await advanceUntil(pod, assigned(pod, id));
  expect(clock.now() - begun).toBeGreaterThanOrEqual(20 * minuteMs);
  expect((await world.attached(slow)).names).toEqual(['id1', 'id2', 'id3', 'id4']);
  expect(world.patches(slow)).toHaveLength(3);
  // Each waiting pod got one event; the pods served before and after the operation got none.
  await world.bound('id5');
  await advance(minuteMs);
  await world.pod('late', 'id5', 'slow');
  await advanceUntil('the late pod', assigned('late', 'id5'));
  expect([await eventsOf('served'), await eventsOf('late')]).toEqual([[], []]);
  const { items } = await world.client.list(eventsType, { limit: 0 });
  expect(items.filter(({ reason }) => reason === 'IdentityPending').map(({ series }) => series)).toEqual(
    Array(4).fill(undefined),
  );
  const stopping = controller.stop();
  await advance(10_000);
  await stopping;
});

test('fifteen minutes of throttling are reported at once and respected, while another region continues', async () => {
  const first = await world.vmNode('first');
  const second = await world.vmNode('second');
  const elsewhere = await world.machine('vm', 'elsewhere', { type: 'None' }, 'northeurope');
  await world.node('elsewhere', `azure://${elsewhere}`);
  for (const name of ['id1', 'id2', 'id4']) await world.bound(name);
  await world.pod('served', 'id4', 'first');
  const controller = world.controller({ clock });
  await advanceUntil('the first pod', assigned('served', 'id4'));

  world.azure.faults.add({
    service: 'arm',
    method: 'PATCH',
    path: '/first',
    status: 429,
    headers: { 'retry-after': '900' },
    body: { error: { code: 'TooManyRequests', message: 'The budget is used up.' } },
  });
  await world.pod('a', 'id1', 'first');
  await advanceUntil('the event', async () => (await eventsOf('a')).length > 0);
  const begun = clock.now();
  expect(await eventsOf('a')).toEqual([expect.stringMatching(/^Warning IdentityNotAssigned: .*TooManyRequests/)]);
  await world.pod('b', 'id2', 'first');
  await world.pod('c', 'id1', 'second');
  await world.pod('d', 'id1', 'elsewhere');
  await advanceUntil('the other region', assigned('d', 'id1'));
  await advanceUntil(
    'the events of the others',
    async () => (await eventsOf('b')).length + (await eventsOf('c')).length >= 2,
  );
  expect(await eventsOf('c')).toEqual([
    expect.stringMatching(/^Warning IdentityNotAssigned: .*budget of writes .* is used up/),
  ]);
  expect(clock.now() - begun).toBeLessThan(10 * minuteMs);
  for (const [pod, id] of [
    ['a', 'id1'],
    ['b', 'id2'],
    ['c', 'id1'],
  ] as const)
    await advanceUntil(pod, assigned(pod, id));
  expect(clock.now() - begun).toBeGreaterThanOrEqual(14 * minuteMs);
  expect([world.patches(first).map(({ status }) => status), world.patches(second).length]).toEqual([
    [200, 429, 200],
    1,
  ]);
  expect(await eventsOf('served')).toEqual([]);
  const stopping = controller.stop();
  await advance(10_000);
  await stopping;
});
