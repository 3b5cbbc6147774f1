import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { Reflector } from '../../../runtime/kube/cache/reflector.ts';
import type { ListOptions, ResourceType, WatchOptions } from '../../../runtime/kube/client/types.ts';
import { eventually } from '../../fakes/eventually.ts';
import { garbled, status, unreachable } from '../../fakes/kube-failures.ts';
import { pass, runtimeOf, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

import { create, fast, kube, names, running, start, stop, useLocalKube } from './reflector-support.ts';

useLocalKube();

test('an invalid stream lists again', async () => {
  await create('a');
  const { reflector } = start();
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  kube.endWatches(garbled());
  await eventually('there is a second list', () => kube.count('list') === 2);
  await create('b');
  await eventually('the watch works again', () => reflector.size === 2);
});

test.each([
  ['500', () => status('watch', widgets, 500, 'InternalError')],
  ['403', () => status('watch', widgets, 403, 'Forbidden')],
  ['connection failures', unreachable],
])('%s on the watch are survived without a new list', async (_, error) => {
  await create('a');
  kube.failNext('watch', error(), 3);
  const { reflector } = start();
  await reflector.whenSynced();
  await create('b');
  await eventually('the event arrives', () => reflector.size === 2);
  expect(kube.count('watch')).toBeGreaterThanOrEqual(4);
  expect(kube.lists).toBe(1);
});

test('a failing list is retried and reported by readiness', async () => {
  await create('a');
  let refusing = true;
  kube.failNext('list', () => (refusing ? status('list', widgets, 403, 'Forbidden') : undefined), 10_000);
  const { reflector } = start({ backoff: { initialMs: 30, maxMs: 30 } });
  await eventually('the reason is shown', () => reflector.notSynced()?.includes('Forbidden') === true);
  refusing = false;
  await reflector.whenSynced();
  expect(reflector.size).toBe(1);
});

test('a server that ends every watch at once gets no requests in a tight loop', async () => {
  const { reflector } = start({ backoff: { initialMs: 40, maxMs: 40, jitter: 0 } });
  await reflector.whenSynced();
  const started = performance.now();
  for (let ended = 0; ended < 5; ended++) {
    await eventually('a watch is open', () => kube.watches === 1);
    kube.endWatches();
    await eventually('it is closed', () => kube.watches === 0);
  }
  await eventually('it is open again', () => kube.watches === 1);
  expect(performance.now() - started).toBeGreaterThanOrEqual(190);
});

test('after five failures in a row the position is dropped', async () => {
  kube.failNext('watch', unreachable(), 5);
  const { reflector } = start();
  await reflector.whenSynced();
  await eventually('there is a second list', () => kube.lists === 2);
  await create('a');
  await eventually('the watch works', () => reflector.size === 1);
});

test('a LIST whose continue token expires goes on unpaged, and forgets what was gone by then', async () => {
  await create('a', 'b', 'c', 'd');
  let page = 0;
  const expire = async () => {
    if (++page < 2) return undefined;
    await kube.delete(widgets, { namespace: 'default', name: 'a' });
    kube.compact();
    return undefined;
  };
  kube.failNext('list', expire, 2);
  const { reflector } = start({ pageSize: 2 });
  await reflector.whenSynced();
  expect(names(reflector.list())).toEqual(['b', 'c', 'd']);
  const lists = kube.requests.filter(({ verb }) => verb === 'list').map(({ options }) => options as ListOptions);
  expect(lists.map(({ limit, continue: token }) => [limit, token !== undefined])).toEqual([
    [2, false],
    [2, true],
    [0, false],
  ]);
  await create('e');
  await eventually('the watch goes on from there', () => reflector.size === 4);
});

test('a quiet watch without bookmarks is not taken for a loop that is stuck', async () => {
  const clock = new ManualClock();
  const quiet = new LocalKube();
  // Ends after five minutes, as servers do, having said nothing.
  const next = async (signal?: AbortSignal) => {
    await clock.sleep(5 * 60_000, signal);
    return { done: true, value: undefined } as const;
  };
  Object.assign(quiet, {
    watch: (_type: ResourceType, { signal }: WatchOptions) => ({
      [Symbol.asyncIterator]: () => ({ next: () => next(signal) }),
    }),
  });
  const reflector = new Reflector(runtimeOf(quiet, clock), { type: widgets, idleTimeoutMs: 0 });
  running.push(reflector.run(stop.signal));
  await reflector.whenSynced();
  await pass(clock, 30 * 60_000, 30_000);
  expect(reflector.stuck()).toBeUndefined();
});

test('readiness names what is wrong now, not what is over', async () => {
  kube.failNext('list', status('list', widgets, 403, 'Forbidden'));
  let release: () => void = () => undefined;
  const held = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  const { reflector } = start({ namespaces: ['one', 'two'] });
  kube.failNext('list', () => held);
  await eventually('the refused list was tried again', () => kube.count('list') === 3);
  await eventually('only the held one is missing', () => kube.watches === 1);
  expect(reflector.notSynced()).toBe('the first list is not complete yet');
  release();
  await reflector.whenSynced();
});

test('a bookmark without a version does not lose the position', async () => {
  await create('a');
  const original = kube.watch.bind(kube);
  let watches = 0;
  kube.watch = async function* (type, options) {
    if (watches++ === 0) {
      yield { type: 'BOOKMARK', resourceVersion: '' };
      throw unreachable();
    }
    yield* original(type, options);
  } as typeof kube.watch;
  const { reflector } = start();
  await reflector.whenSynced();
  await eventually('the watch is open again', () => kube.count('watch') === 1);
  const { options } = kube.requests.find(({ verb }) => verb === 'watch') ?? {};
  expect((options as WatchOptions).resourceVersion).toBe(kube.version);
});

test('a quiet watch that is opened again is no failure; a server that accepts none is one, until it accepts one', async () => {
  const clock = new ManualClock();
  const reflector = new Reflector(runtimeOf(kube, clock), { type: widgets });
  running.push(reflector.run(stop.signal));
  await eventually('the watch is open', () => kube.watches === 1);
  for (let round = 0; round < 3; round++) {
    await pass(clock, 90_000, 10_000);
    kube.endWatches(unreachable());
    await pass(clock, 0);
    expect(reflector.trouble()).toBeUndefined();
    await pass(clock, 1500);
    expect(kube.watches).toBe(1);
    expect(reflector.trouble()).toBeUndefined();
  }
  await pass(clock, 10_000, 1000);
  kube.failNext('watch', unreachable(), 2);
  kube.endWatches(unreachable());
  await pass(clock, 1300);
  expect(reflector.trouble()).toBe('connection reset');
  await pass(clock, 10_000);
  expect(kube.watches).toBe(1);
  // Nothing has changed and nothing was sent, but the server is there.
  expect(reflector.trouble()).toBeUndefined();
});

test('without an API server all watches together log a few lines, with the number of omitted ones', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const runtime = { ...runtimeOf(kube), log };
  kube.failNext('list', unreachable(), 10_000);
  for (let index = 0; index < 50; index++) {
    const reflector = new Reflector({ ...runtime }, { type: { ...widgets, plural: `kind${index}` }, backoff: fast });
    running.push(reflector.run(stop.signal));
  }
  await eventually('each has tried often', () => kube.count('list') > 500);
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(5);
});

test('a definition that is missing is one warning, keeps no other kind waiting, and is found when it comes', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  let missing = true;
  kube.failNext('list', () => (missing ? status('list', widgets, 404, 'NotFound') : undefined), 10_000);
  const reflector = new Reflector({ ...runtimeOf(kube), log }, { type: widgets, backoff: fast });
  running.push(reflector.run(stop.signal));
  await reflector.whenKnown();
  await eventually('it is looked for again', () => kube.count('list') > 20);
  expect([reflector.synced, reflector.notSynced()]).toEqual([false, undefined]);
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  missing = false;
  await reflector.whenSynced();
});

test('of many kinds without a definition each is listed once; discovery, shared by all, finds the one that gets one', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const defined = new Set<string>();
  const asked: string[] = [];
  const { group, version } = widgets;
  kube.raw = async <R>(path: string) => {
    asked.push(path);
    const groupVersion = `${group}/${version}`;
    if (path === '/apis') return { kind: 'APIGroupList', groups: [{ versions: [{ groupVersion }] }] } as R;
    return { kind: 'APIResourceList', groupVersion, resources: [...defined].map((name) => ({ name })) } as R;
  };
  const missing = async () => (defined.has('kind7') ? undefined : status('list', widgets, 404, 'NotFound'));
  kube.failNext('list', missing, 10_000);
  const runtime = { ...runtimeOf(kube), log };
  const reflectors = Array.from({ length: 50 }, (_, index) => {
    const plural = `kind${index}`;
    const gone = index % 2 === 0 ? { group: 'gone.example' } : {};
    return new Reflector(
      { ...runtime },
      { type: { ...widgets, plural, ...gone }, backoff: { initialMs: 1, maxMs: 50 } },
    );
  });
  for (const reflector of reflectors) running.push(reflector.run(stop.signal));
  await Promise.all(reflectors.map((reflector) => reflector.whenKnown()));
  await eventually('discovery is asked often', () => asked.length > 100);
  expect(kube.count('list')).toBe(50);
  expect(new Set(asked)).toEqual(new Set(['/apis', `/apis/${group}/${version}`]));
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(5);
  expect(reflectors.map((reflector) => reflector.notSynced())).toEqual(reflectors.map(() => undefined));
  defined.add('kind7');
  await reflectors[7]?.whenSynced();
  expect(kube.requests.filter(({ verb, resource }) => verb === 'list' && resource.startsWith('kind7'))).toHaveLength(2);
  expect(kube.count('list')).toBe(51);
});
