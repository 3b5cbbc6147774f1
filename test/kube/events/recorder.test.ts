import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { Runtime } from '../../../runtime/kube/cache/types.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { cutNote, eventsType } from '../../../runtime/kube/events/event-object.ts';
import { type EventRecorderOptions, KubeEventRecorder } from '../../../runtime/kube/events/recorder.ts';
import { FakeKube, hanging, status, unreachable } from '../../fakes/kube-client.ts';
import { pass, runtimeOf, widget } from '../../fakes/kube-objects.ts';

setFlagsFromString('--expose-gc');

let kube: FakeKube;
let clock: ManualClock;
let runtime: Runtime;

beforeEach(() => {
  kube = new FakeKube();
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  runtime = runtimeOf(kube, clock);
});

function recorder(options: Partial<EventRecorderOptions> = {}): KubeEventRecorder {
  return new KubeEventRecorder(runtime, { controller: 'azimuth.dev/test', instance: 'pod-1', ...options });
}

const about = (name: string): KubeObject => widget(name, {}, { uid: `uid-${name}`, resourceVersion: '7' });
const ready = { reason: 'Ready', action: 'Create', note: 'It is there' };
const stored = () => kube.all(eventsType);
const counts = () => stored().map((event) => event['series']?.count ?? 1);

async function closed(events: KubeEventRecorder, deadlineMs?: number): Promise<void> {
  const closing = events.close(deadlineMs);
  await pass(clock, 10_000);
  await closing;
}

test('an event names object, reason, action, reporter and time as events.k8s.io demands', async () => {
  const events = recorder();
  events.record({ regarding: about('a'), related: about('b'), type: 'Warning', ...ready });
  await pass(clock, 100);
  const [event] = stored();
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
  await closed(events);
});

test('events of cluster-scoped objects lie in kube-system, under a name that is a DNS subdomain', async () => {
  const events = recorder();
  const role: KubeObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'System:Node..Reader' },
  };
  events.record({ regarding: role, ...ready });
  events.record({ regarding: { ...role, metadata: { name: `${'x'.repeat(250)}.-yz` } }, ...ready });
  await pass(clock, 100);
  for (const { metadata } of stored()) {
    expect(metadata.namespace).toBe('kube-system');
    expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    expect(metadata.name.length).toBeLessThanOrEqual(253);
  }
  expect(stored().map(({ regarding }) => regarding.name)).toEqual(['System:Node..Reader', `${'x'.repeat(250)}.-yz`]);
  await closed(events);
});

test('repetitions become one series with few writes and, at the end, the exact count', async () => {
  const events = recorder();
  for (let i = 0; i < 1000; i++) {
    events.record({ regarding: about('a'), ...ready });
    events.record({ regarding: about('b'), ...ready });
    await pass(clock, 100);
  }
  await closed(events);
  expect(counts()).toEqual([1000, 1000]);
  // 100 seconds with a write every 30 at most, the first one, and the last at closing.
  expect(kube.count('create')).toBe(2);
  expect(kube.count('patch')).toBeLessThanOrEqual(2 * 5);
  expect(stored()[0]?.['series'].lastObservedTime).toBe('2026-01-01T00:01:39.900000Z');
});

test('a repetition after a quiet half minute is written at once, those that follow it together', async () => {
  const events = recorder();
  const event = { regarding: about('a'), ...ready };
  events.record(event);
  await pass(clock, 29_000);
  events.record(event);
  await pass(clock, 500);
  expect(counts()).toEqual([1]);
  await pass(clock, 1000);
  expect(counts()).toEqual([2]);
  await pass(clock, 30_000);
  // What a program owes when it is killed now: nothing.
  for (let i = 0; i < 2; i++) {
    events.record(event);
    await pass(clock, 100);
    expect(counts()).toEqual([3]);
  }
  await pass(clock, 29_000);
  expect(counts()).toEqual([3]);
  await pass(clock, 1500);
  expect(counts()).toEqual([4]);
  await closed(events);
});

test('another note, reason, type or object is another event', async () => {
  const events = recorder();
  events.record({ regarding: about('a'), ...ready });
  events.record({ regarding: about('a'), ...ready, note: 'Other' });
  events.record({ regarding: about('a'), ...ready, reason: 'Other' });
  events.record({ regarding: about('a'), ...ready, type: 'Warning' });
  events.record({ regarding: about('b'), ...ready });
  await closed(events);
  expect(counts()).toEqual([1, 1, 1, 1, 1]);
});

test('notes that differ each time are combined after ten', async () => {
  const events = recorder();
  for (let i = 0; i < 100; i++) events.record({ regarding: about('a'), ...ready, note: `request ${i}` });
  await closed(events);
  expect(stored()).toHaveLength(11);
  expect(counts().reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(stored().find(({ note }) => note.startsWith('(combined'))?.['series'].count).toBe(90);
});

test('they are combined for each related object apart where that is asked for', async () => {
  const events = recorder();
  const record = (name: string, i: number, apart: boolean) =>
    events.record({ regarding: about('a'), related: about(name), apart, ...ready, note: `${name} asks ${i}` });
  for (let i = 0; i < 20; i++) record('greedy', i, true);
  for (let i = 0; i < 20; i++) record(`modest-${i}`, i, true);
  await closed(events);
  const combined = stored().filter(({ note }) => note.startsWith('(combined'));
  expect(combined.map((each) => [each['related'].name, each['series'].count])).toEqual([['greedy', 10]]);
  expect(stored()).toHaveLength(31);
});

test('after six quiet minutes a repetition is a new event', async () => {
  const events = recorder();
  events.record({ regarding: about('a'), ...ready });
  await pass(clock, 361_000, 10_000);
  events.record({ regarding: about('a'), ...ready });
  await closed(events);
  expect(counts()).toEqual([1, 1]);
});

test('writes of different events are bounded per second', async () => {
  const events = recorder({ writesPerSecond: 2 });
  for (let i = 0; i < 100; i++) events.record({ regarding: about(`a${i}`), ...ready });
  await pass(clock, 5000);
  expect(kube.count('create')).toBeGreaterThanOrEqual(18);
  expect(kube.count('create')).toBeLessThanOrEqual(21);
  await closed(events);
  expect(stored()).toHaveLength(100);
});

test('an unreachable server is tried again and nothing is lost', async () => {
  kube.failNext('create', unreachable(), 3);
  const events = recorder();
  for (let i = 0; i < 5; i++) events.record({ regarding: about('a'), ...ready });
  await pass(clock, 60_000, 1000);
  expect(counts()).toEqual([5]);
  await closed(events);
});

test('a lost answer does not make a second event', async () => {
  const events = recorder();
  kube.failNext('create', async () => {
    await kube.create(eventsType, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace: 'default', name: kube.requests[0]?.name ?? '' },
    });
    return unreachable();
  });
  events.record({ regarding: about('a'), ...ready });
  events.record({ regarding: about('a'), ...ready });
  await pass(clock, 60_000, 1000);
  expect(counts()).toEqual([2]);
  await closed(events);
});

test('a refused event is dropped and counted; the caller never notices', async () => {
  kube.failNext('create', status('create', eventsType, 403, 'Forbidden'));
  const events = recorder();
  expect(() => events.record({ regarding: about('a'), ...ready })).not.toThrow();
  expect(() => events.record({ regarding: {} as KubeObject, ...ready })).not.toThrow();
  await pass(clock, 60_000, 1000);
  expect(stored()).toEqual([]);
  expect(await runtime.metrics.metrics()).toContain('azimuth_events_discarded_total{reason="refused"} 1');
  await closed(events);
});

test('an event that the server has forgotten meanwhile goes on in a new one', async () => {
  const events = recorder();
  events.record({ regarding: about('a'), ...ready });
  await pass(clock, 1000);
  const [first] = stored();
  await kube.delete(eventsType, { namespace: 'default', name: first?.metadata.name ?? '' });
  events.record({ regarding: about('a'), ...ready });
  await closed(events);
  expect(counts()).toEqual([2]);
});

test('too many different events are dropped', async () => {
  kube.failNext('create', hanging);
  const events = recorder({ maxSeries: 10 });
  for (let i = 0; i < 25; i++) events.record({ regarding: about(`a${i}`), ...ready });
  await pass(clock, 100);
  expect(await runtime.metrics.metrics()).toContain('azimuth_events_discarded_total{reason="too_many_series"} 15');
  await closed(events, 1000);
});

test('closing ends at its deadline when the server hangs', async () => {
  kube.failNext('create', hanging, 100);
  const events = recorder();
  events.record({ regarding: about('a'), ...ready });
  await pass(clock, 100);
  await closed(events, 2000);
  expect(stored()).toEqual([]);
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
  const events = recorder();
  kube.failNext('create', unreachable(), 3);
  const record = () => {
    const regarding = about('a');
    events.record({ regarding, ...ready });
    return new WeakRef(regarding);
  };
  const held = record();
  await pass(clock, 200);
  const collect = runInNewContext('gc') as () => void;
  const limit = Date.now() + 15_000;
  while (held.deref() !== undefined && Date.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  expect(held.deref()).toBeUndefined();
  await pass(clock, 20_000);
  expect(stored()).toHaveLength(1);
});
