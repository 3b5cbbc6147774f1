import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { cutNote, eventsType } from '../../../runtime/kube/events/event-object.ts';
import { hanging, status, unreachable } from '../../fakes/kube-failures.ts';
import { pass } from '../../fakes/kube-objects.ts';
import { about, RecorderWorld, ready } from './recorder-world.ts';

setFlagsFromString('--expose-gc');

let world: RecorderWorld;
beforeEach(() => {
  world = new RecorderWorld();
});

test('an event names object, reason, action, reporter and time as events.k8s.io demands', async () => {
  const events = world.recorder();
  events.record({ regarding: about('a'), related: about('b'), type: 'Warning', ...ready });
  await pass(world.clock, 100);
  const [event] = world.stored();
  expect(event).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    type: 'Warning',
    ...ready,
    regarding: { apiVersion: 'example.org/v1', kind: 'Widget', namespace: 'default', name: 'a', uid: 'uid-a' },
    related: { name: 'b' },
    reportingController: 'azimuth.dev/test',
    reportingInstance: 'pod-1',
    eventTime: '2026-01-01T00:00:00.000000Z',
  });
  expect(event?.['series']).toBeUndefined();
  await world.closed(events);
});

test('events of cluster-scoped objects lie in kube-system, under a name that is a DNS subdomain', async () => {
  const events = world.recorder();
  const role: KubeObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'System:Node..Reader' },
  };
  events.record({ regarding: role, ...ready });
  events.record({ regarding: { ...role, metadata: { name: `${'x'.repeat(250)}.-yz` } }, ...ready });
  await pass(world.clock, 100);
  for (const { metadata } of world.stored()) {
    expect(metadata.namespace).toBe('kube-system');
    expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    expect(metadata.name.length).toBeLessThanOrEqual(253);
  }
  expect(world.stored().map(({ regarding }) => regarding.name)).toEqual([
    'System:Node..Reader',
    `${'x'.repeat(250)}.-yz`,
  ]);
  await world.closed(events);
});

test('repetitions become one series with few writes and, at the end, the exact count', async () => {
  const events = world.recorder();
  for (let i = 0; i < 1000; i++) {
    events.record({ regarding: about('a'), ...ready });
    events.record({ regarding: about('b'), ...ready });
    await pass(world.clock, 100);
  }
  await world.closed(events);
  expect(world.counts()).toEqual([1000, 1000]);
  // 100 seconds with a write every 30 at most, the first one, and the last at closing.
  expect(world.kube.count('create')).toBe(2);
  expect(world.kube.count('patch')).toBeLessThanOrEqual(2 * 5);
  expect(world.stored()[0]?.['series'].lastObservedTime).toBe('2026-01-01T00:01:39.900000Z');
});

test('a repetition after a quiet half minute is written at once, those that follow it together', async () => {
  const events = world.recorder();
  const event = { regarding: about('a'), ...ready };
  events.record(event);
  await pass(world.clock, 29_000);
  events.record(event);
  await pass(world.clock, 500);
  expect(world.counts()).toEqual([1]);
  await pass(world.clock, 1000);
  expect(world.counts()).toEqual([2]);
  await pass(world.clock, 30_000);
  // What a program owes when it is killed now: nothing.
  for (let i = 0; i < 2; i++) {
    events.record(event);
    await pass(world.clock, 100);
    expect(world.counts()).toEqual([3]);
  }
  await pass(world.clock, 29_000);
  expect(world.counts()).toEqual([3]);
  await pass(world.clock, 1500);
  expect(world.counts()).toEqual([4]);
  await world.closed(events);
});

test('another note, reason, type or object is another event', async () => {
  const events = world.recorder();
  events.record({ regarding: about('a'), ...ready });
  events.record({ regarding: about('a'), ...ready, note: 'Other' });
  events.record({ regarding: about('a'), ...ready, reason: 'Other' });
  events.record({ regarding: about('a'), ...ready, type: 'Warning' });
  events.record({ regarding: about('b'), ...ready });
  await world.closed(events);
  expect(world.counts()).toEqual([1, 1, 1, 1, 1]);
});

test('notes that differ each time are combined after ten', async () => {
  const events = world.recorder();
  for (let i = 0; i < 100; i++) events.record({ regarding: about('a'), ...ready, note: `request ${i}` });
  await world.closed(events);
  expect(world.stored()).toHaveLength(11);
  expect(world.counts().reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(world.stored().find(({ note }) => note.startsWith('(combined'))?.['series'].count).toBe(90);
});

test('they are combined for each related object apart where that is asked for', async () => {
  const events = world.recorder();
  const record = (name: string, i: number, apart: boolean) =>
    events.record({ regarding: about('a'), related: about(name), apart, ...ready, note: `${name} asks ${i}` });
  for (let i = 0; i < 20; i++) record('greedy', i, true);
  for (let i = 0; i < 20; i++) record(`modest-${i}`, i, true);
  await world.closed(events);
  const combined = world.stored().filter(({ note }) => note.startsWith('(combined'));
  expect(combined.map((each) => [each['related'].name, each['series'].count])).toEqual([['greedy', 10]]);
  expect(world.stored()).toHaveLength(31);
});

test('after six quiet minutes a repetition is a new event', async () => {
  const events = world.recorder();
  events.record({ regarding: about('a'), ...ready });
  await pass(world.clock, 361_000, 10_000);
  events.record({ regarding: about('a'), ...ready });
  await world.closed(events);
  expect(world.counts()).toEqual([1, 1]);
});

test('writes of different events are bounded per second', async () => {
  const events = world.recorder({ writesPerSecond: 2 });
  for (let i = 0; i < 100; i++) events.record({ regarding: about(`a${i}`), ...ready });
  await pass(world.clock, 5000);
  expect(world.kube.count('create')).toBeGreaterThanOrEqual(18);
  expect(world.kube.count('create')).toBeLessThanOrEqual(21);
  await world.closed(events);
  expect(world.stored()).toHaveLength(100);
});

test('an unreachable server is tried again and nothing is lost', async () => {
  world.kube.failNext('create', unreachable(), 3);
  const events = world.recorder();
  for (let i = 0; i < 5; i++) events.record({ regarding: about('a'), ...ready });
  await pass(world.clock, 60_000, 1000);
  expect(world.counts()).toEqual([5]);
  await world.closed(events);
});

test('a lost answer does not make a second event', async () => {
  const events = world.recorder();
  world.kube.failNext('create', async () => {
    await world.kube.create(eventsType, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace: 'default', name: world.kube.requests[0]?.name ?? '' },
    });
    return unreachable();
  });
  events.record({ regarding: about('a'), ...ready });
  events.record({ regarding: about('a'), ...ready });
  await pass(world.clock, 60_000, 1000);
  expect(world.counts()).toEqual([2]);
  await world.closed(events);
});

test('a refused event is dropped and counted; the caller never notices', async () => {
  world.kube.failNext('create', status('create', eventsType, 403, 'Forbidden'));
  const events = world.recorder();
  expect(() => events.record({ regarding: about('a'), ...ready })).not.toThrow();
  expect(() => events.record({ regarding: {} as KubeObject, ...ready })).not.toThrow();
  await pass(world.clock, 60_000, 1000);
  expect(world.stored()).toEqual([]);
  expect(await world.runtime.metrics.metrics()).toContain('azimuth_events_discarded_total{reason="refused"} 1');
  await world.closed(events);
});

test('an event that the server has forgotten meanwhile goes on in a new one', async () => {
  const events = world.recorder();
  events.record({ regarding: about('a'), ...ready });
  await pass(world.clock, 1000);
  const [first] = world.stored();
  await world.kube.delete(eventsType, { namespace: 'default', name: first?.metadata.name ?? '' });
  events.record({ regarding: about('a'), ...ready });
  await world.closed(events);
  expect(world.counts()).toEqual([2]);
});

test('too many different events are dropped', async () => {
  world.kube.failNext('create', hanging);
  const events = world.recorder({ maxSeries: 10 });
  for (let i = 0; i < 25; i++) events.record({ regarding: about(`a${i}`), ...ready });
  await pass(world.clock, 100);
  expect(await world.runtime.metrics.metrics()).toContain(
    'azimuth_events_discarded_total{reason="too_many_series"} 15',
  );
  await world.closed(events, 1000);
});

test('closing ends at its deadline when the server hangs', async () => {
  world.kube.failNext('create', hanging, 100);
  const events = world.recorder();
  events.record({ regarding: about('a'), ...ready });
  await pass(world.clock, 100);
  await world.closed(events, 2000);
  expect(world.stored()).toEqual([]);
});

test('notes are cut to 1024 bytes between characters', () => {
  expect(cutNote('x'.repeat(1024))).toBe('x'.repeat(1024));
  for (const character of ['x', 'ä', '€', '😀']) {
    const cut = cutNote(character.repeat(1100));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1024);
    expect(Buffer.byteLength(cut)).toBeGreaterThan(1020);
    expect(cut.replace(/\.\.\.$/, '')).toBe(character.repeat([...cut].length - 3));
  }
});

test('a waiting series holds the identity of its object, not the object', async () => {
  const events = world.recorder();
  world.kube.failNext('create', unreachable(), 3);
  const record = () => {
    const regarding = about('a');
    events.record({ regarding, ...ready });
    return new WeakRef(regarding);
  };
  const held = record();
  await pass(world.clock, 200);
  const collect = runInNewContext('gc') as () => void;
  const limit = Date.now() + 15_000;
  while (held.deref() !== undefined && Date.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  expect(held.deref()).toBeUndefined();
  await pass(world.clock, 20_000);
  expect(world.stored()).toHaveLength(1);
});
