import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { eventsType } from '../../../runtime/kube/events/event-object.ts';
import { hanging } from '../../fakes/kube-failures.ts';
import { pass, widget } from '../../fakes/kube-objects.ts';
import { RecorderWorld } from './recorder-world.ts';

let world: RecorderWorld;
beforeEach(() => {
  world = new RecorderWorld();
});

const about = (namespace: string, name: string): KubeObject => widget(name, {}, { namespace, uid: `uid-${name}` });
const event = (namespace: string, name: string, type: 'Normal' | 'Warning' = 'Normal') => ({
  regarding: about(namespace, name),
  type,
  reason: 'Ready',
  action: 'Create',
  note: 'It is there',
});
const written = (namespace: string, type: string) =>
  world.kube
    .all(eventsType)
    .filter(({ metadata, ...rest }) => metadata.namespace === namespace && rest['type'] === type);
const discarded = async () =>
  /azimuth_events_discarded_total\{reason="too_many_series"\} (\d+)/.exec(await world.runtime.metrics.metrics())?.[1];

test('a warning is written at once while another namespace has hundreds of warnings waiting', async () => {
  const events = world.recorder();
  for (let i = 0; i < 500; i++) events.record(event('hostile', `h${i}`, 'Warning'));
  await pass(world.clock, 10_000);
  events.record(event('good', 'g', 'Warning'));
  await pass(world.clock, 1000);
  expect(written('good', 'Warning')).toHaveLength(1);
  await world.closed(events, 10, 100);
});

test('a warning is written at once while normal events of a hundred namespaces wait', async () => {
  const events = world.recorder();
  for (let i = 0; i < 500; i++) events.record(event(`team-${i % 100}`, `n${i}`));
  await pass(world.clock, 10_000);
  events.record(event('good', 'g', 'Warning'));
  await pass(world.clock, 1000);
  expect(written('good', 'Warning')).toHaveLength(1);
  await world.closed(events, 10, 100);
});

test('warnings without end leave normal events one write in five', async () => {
  const events = world.recorder();
  for (let i = 0; i < 500; i++) events.record(event(`team-${i % 100}`, `h${i}`, 'Warning'));
  events.record(event('good', 'g'));
  await pass(world.clock, 2000);
  expect(written('good', 'Normal')).toHaveLength(1);
  await world.closed(events, 10, 100);
});

test('a namespace whose writes hang delays no other', async () => {
  world.kube.failNext('create', hanging);
  const events = world.recorder();
  for (let i = 0; i < 20; i++) events.record(event('hostile', `h${i}`, 'Warning'));
  await pass(world.clock, 1000);
  events.record(event('good', 'g'));
  await pass(world.clock, 1000);
  expect(written('good', 'Normal')).toHaveLength(1);
  expect(written('hostile', 'Warning')).toHaveLength(0);
  await world.closed(events, 10, 100);
});

test('of namespaces whose writes hang eight have one at a time', async () => {
  world.kube.failNext('create', hanging, 20);
  const events = world.recorder();
  for (let i = 0; i < 20; i++) events.record(event(`team-${i}`, `h${i}`));
  await pass(world.clock, 10_000);
  expect(world.kube.requests.filter(({ verb }) => verb === 'create')).toHaveLength(8);
  await world.closed(events, 10, 100);
});

test('an event that the server never takes is given up after twelve further tries', async () => {
  world.kube.failNext('create', new Error('broken'), 100);
  const events = world.recorder();
  events.record(event('team', 'e'));
  await pass(world.clock, 1_200_000, 10_000);
  expect([world.kube.requests.length, events.size]).toEqual([13, 0]);
  await world.closed(events, 10, 100);
});

test('a warning makes room for no event while its namespace has a normal one', async () => {
  const events = world.recorder({ maxSeries: 4, writesPerSecond: 0.001 });
  for (const [name, type] of [
    ['w0', 'Warning'],
    ['n0', 'Normal'],
    ['n1', 'Normal'],
    ['n2', 'Normal'],
    // Of the same namespace, and of another one.
    ['w1', 'Warning'],
  ] as const)
    events.record(event('hostile', name, type));
  events.record(event('good', 'g'));
  events.record(event('hostile', 'n3'));
  const closing = events.close();
  await pass(world.clock, 6000);
  await closing;
  const names = (namespace: string, type: string) =>
    written(namespace, type).map((each) => (each['regarding'] as { name: string }).name);
  expect([names('hostile', 'Warning'), names('hostile', 'Normal')]).toEqual([['w0', 'w1'], ['n2']]);
  expect(names('good', 'Normal')).toEqual(['g']);
});

test('a full table drops series of the namespace with the most, its normal events first', async () => {
  const events = world.recorder({ maxSeries: 20, writesPerSecond: 0.001 });
  for (let i = 0; i < 30; i++) events.record(event('hostile', `h${i}`));
  expect(await discarded()).toBe('10');
  for (let i = 0; i < 5; i++) events.record(event('good', `g${i}`, 'Warning'));
  for (let i = 0; i < 3; i++) events.record(event('hostile', `w${i}`, 'Warning'));
  expect(await discarded()).toBe('18');
  const closing = events.close();
  await pass(world.clock, 6000);
  await closing;
  expect(written('good', 'Warning')).toHaveLength(5);
  expect(written('hostile', 'Warning')).toHaveLength(3);
  expect(world.kube.all(eventsType)).toHaveLength(20);
});

test('a series that is written makes room before one that waits', async () => {
  const events = world.recorder({ maxSeries: 5 });
  for (let i = 0; i < 5; i++) events.record(event('team', `a${i}`));
  await pass(world.clock, 2000);
  for (let i = 0; i < 5; i++) events.record(event('team', `b${i}`));
  await pass(world.clock, 2000);
  expect(written('team', 'Normal')).toHaveLength(10);
  expect(await discarded()).toBeUndefined();
  await world.closed(events, 10, 100);
});

test("whatever one namespace records, a neighbour's warning leaves within five seconds and memory is bounded", async () => {
  const burst = fc.record({
    afterMs: fc.integer({ min: 0, max: 3000 }),
    // Without an event before it, the neighbour's own write would be the one that hangs.
    events: fc.integer({ min: 1, max: 300 }),
    warnings: fc.boolean(),
    /** One object with other notes, or other objects. */
    sameObject: fc.boolean(),
  });
  const property = fc.asyncProperty(
    fc.array(burst, { minLength: 1, maxLength: 6 }),
    fc.nat({ max: 5 }),
    fc.boolean(),
    async (bursts, at, webhookHangs) => {
      world = new RecorderWorld();
      if (webhookHangs) world.kube.failNext('create', hanging);
      const events = world.recorder({ maxSeries: 400 });
      let serial = 0;
      for (const [index, { afterMs, events: count, warnings, sameObject }] of bursts.entries()) {
        await pass(world.clock, afterMs, 500);
        for (let i = 0; i < count; i++) {
          const name = sameObject ? 'one' : `h${serial}`;
          events.record({ ...event('hostile', name, warnings ? 'Warning' : 'Normal'), note: `note ${serial++}` });
        }
        if (index === 0) await pass(world.clock, 500);
        if (index === at % bursts.length) events.record(event('good', 'g', 'Warning'));
      }
      await pass(world.clock, 5000, 500);
      expect(written('good', 'Warning')).toHaveLength(1);
      expect(events.size).toBeLessThanOrEqual(400);
      await world.closed(events, 10, 100);
    },
  );
  await fc.assert(property, { numRuns: 30 });
});
