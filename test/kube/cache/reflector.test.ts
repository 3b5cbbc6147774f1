import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { ownedBy, ownerIndex, ownerUids, referenceIndex, referrersOf } from '../../../runtime/kube/cache/indexes.ts';
import { Reflector } from '../../../runtime/kube/cache/reflector.ts';
import type { CacheChange, ReflectorOptions } from '../../../runtime/kube/cache/types.ts';
import type { KubeObject, ListOptions, ResourceType, WatchOptions } from '../../../runtime/kube/client/types.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeKube, garbled, status, unreachable } from '../../fakes/kube-client.ts';
import { pass, runtimeOf, widget, widgets } from '../../fakes/kube-objects.ts';

let kube: FakeKube;
let stop: AbortController;
let running: Promise<unknown>[];

beforeEach(() => {
  kube = new FakeKube();
  stop = new AbortController();
  running = [];
});

afterEach(async () => {
  stop.abort();
  await Promise.all(running);
});

const fast = { initialMs: 1, maxMs: 5 };

function start(options: Partial<ReflectorOptions> = {}): { reflector: Reflector; changes: string[] } {
  const reflector = new Reflector(runtimeOf(kube), { type: widgets, backoff: fast, ...options });
  const changes: string[] = [];
  reflector.onChange((change) => changes.push(text(change)));
  running.push(reflector.run(stop.signal));
  return { reflector, changes };
}

function text(change: CacheChange): string {
  return `${change.type} ${(change.type === 'deleted' ? change.old : change.object).metadata.name}`;
}

const names = (objects: KubeObject[]) => objects.map(({ metadata }) => metadata.name).sort();

async function create(...created: string[]): Promise<void> {
  for (const name of created) await kube.create(widgets, widget(name, { size: 1 }));
}

test('the first list is read page by page and nothing is told twice', async () => {
  await create('a', 'b', 'c', 'd', 'e');
  const { reflector, changes } = start({ pageSize: 2 });
  expect(reflector.synced).toBe(false);
  expect(reflector.notSynced()).toContain('first list');
  await reflector.whenSynced();
  expect(kube.count('list')).toBe(3);
  expect(changes.sort()).toEqual(['added a', 'added b', 'added c', 'added d', 'added e']);
  expect(reflector.notSynced()).toBeUndefined();
});

test('lists read the quorum by default and the server cache on request', async () => {
  const first = start();
  const second = start({ listFrom: 'cache' });
  await Promise.all([first.reflector.whenSynced(), second.reflector.whenSynced()]);
  const lists = kube.requests.filter(({ verb }) => verb === 'list').map(({ options }) => options as ListOptions);
  expect(lists.map(({ resourceVersion, limit }) => [resourceVersion, limit])).toEqual([
    [undefined, 250],
    ['0', 0],
  ]);
});

test('watches start at the version of the list, end after 240 to 300 seconds and carry the idle limit', async () => {
  await create('a');
  const { reflector } = start({ idleTimeoutMs: 1234 });
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  const options = kube.requests.find(({ verb }) => verb === 'watch')?.options as WatchOptions;
  expect(options.resourceVersion).toBe(kube.version);
  expect(options.timeoutSeconds).toBeGreaterThanOrEqual(240);
  expect(options.timeoutSeconds).toBeLessThanOrEqual(300);
  expect(options.idleTimeoutMs).toBe(1234);
});

test('what happens between LIST and WATCH is not lost', async () => {
  await create('a');
  kube.failNext('watch', () => {
    // Runs after the list was answered and before the watch begins.
    void kube.create(widgets, widget('b'));
    void kube.delete(widgets, { namespace: 'default', name: 'a' });
    return unreachable();
  });
  const { reflector, changes } = start();
  await eventually('both changes arrive', () => names(reflector.list()).join() === 'b');
  expect(changes).toEqual(['added a', 'added b', 'deleted a']);
  expect(kube.count('list')).toBe(1);
});

test('what happens between the pages of a LIST is not lost', async () => {
  await create('b', 'c', 'd', 'e');
  kube.failNext('list', () => undefined);
  kube.failNext('list', async () => {
    // The first page, b and c, was answered already.
    await create('a');
    await kube.delete(widgets, { namespace: 'default', name: 'b' });
    return undefined;
  });
  const { reflector } = start({ pageSize: 2 });
  await eventually('both changes arrive', () => names(reflector.list()).join() === 'a,c,d,e');
  expect(kube.count('list')).toBe(2);
});

test('an update shows old and new state, a deletion the last one', async () => {
  await create('a');
  const seen: CacheChange[] = [];
  const { reflector } = start();
  reflector.onChange((change) => seen.push(change));
  await reflector.whenSynced();
  const object = await kube.get(widgets, { namespace: 'default', name: 'a' });
  await kube.replace(widgets, { ...object, spec: { size: 2 } });
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await eventually('the deletion arrives', () => seen.length === 3);
  expect(seen[1]).toMatchObject({ type: 'updated', object: { spec: { size: 2 } }, old: { spec: { size: 1 } } });
  expect(seen[2]).toMatchObject({ type: 'deleted', old: { spec: { size: 2 } } });
  expect(reflector.size).toBe(0);
});

test('a 410 on the watch lists anew and tells the difference, deletions with their last state', async () => {
  await create('a', 'b');
  const { reflector, changes } = start();
  const deleted: CacheChange[] = [];
  reflector.onChange((change) => change.type === 'deleted' && deleted.push(change));
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  kube.failNext('watch', unreachable());
  kube.endWatches(unreachable());
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await create('c');
  kube.compact();
  await eventually('the cache follows', () => names(reflector.list()).join() === 'b,c');
  expect(changes).toEqual(['added a', 'added b', 'added c', 'deleted a']);
  expect(deleted[0]).toMatchObject({ type: 'deleted', old: { spec: { size: 1 } } });
});

test('an object deleted and created anew under the same name is a deletion and an addition', async () => {
  await create('a');
  const { reflector, changes } = start();
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  kube.failNext('watch', unreachable());
  kube.endWatches(unreachable());
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await create('a');
  kube.compact();
  await eventually('the successor is cached', () => reflector.list()[0]?.metadata.uid === 'uid-2');
  expect(changes).toEqual(['added a', 'deleted a', 'added a']);
});

test('a garbled stream lists anew', async () => {
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
  expect(kube.count('list')).toBe(1);
});

test('a failing list is tried again and said by readiness', async () => {
  await create('a');
  let refusing = true;
  kube.failNext('list', () => (refusing ? status('list', widgets, 403, 'Forbidden') : undefined), 10_000);
  const { reflector } = start({ backoff: { initialMs: 30, maxMs: 30 } });
  await eventually('the reason is shown', () => reflector.notSynced()?.includes('Forbidden') === true);
  refusing = false;
  await reflector.whenSynced();
  expect(reflector.size).toBe(1);
});

test('a server that ends every watch at once is not asked in a tight loop', async () => {
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

test('after five failures in a row the position is given up', async () => {
  kube.failNext('watch', unreachable(), 5);
  const { reflector } = start();
  await reflector.whenSynced();
  await eventually('there is a second list', () => kube.count('list') === 2);
  await create('a');
  await eventually('the watch works', () => reflector.size === 1);
});

test('bookmarks move the position', async () => {
  await create('a');
  const { reflector } = start();
  await reflector.whenSynced();
  await create('b');
  await eventually('b is cached', () => reflector.size === 2);
  kube.endWatches(unreachable());
  await eventually('the watch is open again', () => kube.count('watch') === 2);
  const watches = kube.requests.filter(({ verb }) => verb === 'watch').map(({ options }) => options as WatchOptions);
  expect(watches[1]?.resourceVersion).toBe(kube.version);
});

test('managed fields are not held, and a projection of the caller decides alone', async () => {
  await kube.create(widgets, widget('a', { size: 1, secret: 'x' }, { managedFields: [{ manager: 'kubectl' }] }));
  const lean = start();
  const own = start({ project: (object) => ({ ...object, spec: { size: object['spec'].size } }) });
  await Promise.all([lean.reflector.whenSynced(), own.reflector.whenSynced()]);
  expect(lean.reflector.list()[0]?.metadata.managedFields).toBeUndefined();
  expect(lean.reflector.list()[0]?.['spec']).toEqual({ size: 1, secret: 'x' });
  expect(own.reflector.list()[0]?.['spec']).toEqual({ size: 1 });
});

test('metadata-only caches ask for metadata only, on list and watch', async () => {
  await create('a');
  const { reflector } = start({ metadataOnly: true });
  await reflector.whenSynced();
  await create('b');
  await eventually('b is cached', () => reflector.size === 2);
  expect(reflector.list().map((object) => Object.keys(object).sort())).toEqual([
    ['apiVersion', 'kind', 'metadata'],
    ['apiVersion', 'kind', 'metadata'],
  ]);
});

test('several namespaces are one cache, synced when all are, and a relist of one leaves the other alone', async () => {
  await kube.create(widgets, widget('a', {}, { namespace: 'one' }));
  await kube.create(widgets, widget('b', {}, { namespace: 'two' }));
  await kube.create(widgets, widget('c', {}, { namespace: 'three' }));
  const { reflector, changes } = start({ namespaces: ['one', 'two'] });
  await reflector.whenSynced();
  expect(names(reflector.list())).toEqual(['a', 'b']);
  expect(names(reflector.list('two'))).toEqual(['b']);
  expect(reflector.get({ namespace: 'one', name: 'a' })?.metadata.name).toBe('a');
  await eventually('both watches are open', () => kube.watches === 2);
  kube.endWatches(garbled());
  await eventually('both are listed anew', () => kube.count('list') === 4 && kube.watches === 2);
  expect(changes.filter((change) => change.startsWith('deleted'))).toEqual([]);
});

test('indexes follow every change and can be added late', async () => {
  const owner = { apiVersion: 'example.org/v1', kind: 'Parent', name: 'p', uid: 'parent-1' };
  await kube.create(widgets, widget('a', { color: 'red', secret: 's1' }, { ownerReferences: [owner] }));
  await kube.create(widgets, widget('b', { color: 'red' }));
  const secretOf = (object: KubeObject) =>
    object['spec'].secret
      ? [{ group: '', kind: 'Secret', namespace: object.metadata.namespace ?? '', name: object['spec'].secret }]
      : [];
  const { reflector } = start({
    indexes: { color: ({ spec }) => [spec.color], [ownerIndex]: ownerUids, secrets: referenceIndex(secretOf) },
  });
  await reflector.whenSynced();
  expect(names(reflector.byIndex('color', 'red'))).toEqual(['a', 'b']);
  expect(names(ownedBy(reflector, 'parent-1'))).toEqual(['a']);
  const secret = { group: '', kind: 'Secret', namespace: 'default', name: 's1' };
  expect(names(referrersOf(reflector, 'secrets', secret))).toEqual(['a']);

  const a = await kube.get(widgets, { namespace: 'default', name: 'a' });
  await kube.replace(widgets, { ...a, spec: { color: 'blue' } });
  await eventually('a is blue', () => reflector.byIndex('color', 'blue').length === 1);
  expect(names(reflector.byIndex('color', 'red'))).toEqual(['b']);
  expect(referrersOf(reflector, 'secrets', secret)).toEqual([]);
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await eventually('a is gone', () => ownedBy(reflector, 'parent-1').length === 0);

  const late = ({ metadata }: KubeObject) => [metadata.name];
  reflector.addIndex('name', late);
  reflector.addIndex('name', late);
  expect(names(reflector.byIndex('name', 'b'))).toEqual(['b']);
  expect(() => reflector.addIndex('name', () => [])).toThrow('exists with another function');
  expect(() => reflector.byIndex('size', '1')).toThrow('it has: color, owner, secrets, name');
});

test('a handler that throws hurts neither the others nor the cache', async () => {
  await create('a');
  const { reflector, changes } = start();
  reflector.onChange(() => {
    throw new Error('broken handler');
  });
  const late: string[] = [];
  await reflector.whenSynced();
  const off = reflector.onChange((change) => late.push(text(change)));
  await create('b');
  await eventually('b is cached', () => reflector.size === 2);
  off();
  await create('c');
  await eventually('c is cached', () => reflector.size === 3);
  expect(late).toEqual(['added a', 'added b']);
  expect(changes).toEqual(['added a', 'added b', 'added c']);
});

test('stopping ends list, watch and waiting', async () => {
  const { reflector } = start();
  await reflector.whenSynced();
  const neverRun = new Reflector(runtimeOf(kube), { type: widgets });
  const waiting = expect(neverRun.whenSynced(stop.signal)).rejects.toThrow('stopping');
  stop.abort(new Error('stopping'));
  await Promise.all([...running, waiting]);
  expect(kube.watches).toBe(0);
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
  const quiet = new FakeKube();
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

test('a quiet watch that is opened anew is no trouble; a server that accepts none is, until it accepts one', async () => {
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

const many = Array.from({ length: 124 }, (_, index) => `tenant-${index}`);
const inNamespace = (namespace: string, name: string) => {
  const object = widget(name, { size: 1 });
  return { ...object, metadata: { ...object.metadata, namespace } };
};

test('124 namespaces are one list and one watch, and no object of another namespace is kept', async () => {
  for (const namespace of ['tenant-0', 'tenant-123', 'other']) {
    await kube.create(widgets, inNamespace(namespace, `in-${namespace}`));
  }
  const { reflector, changes } = start({ namespaces: many });
  await reflector.whenSynced();
  await eventually('the watch is open', () => kube.watches > 0);
  expect([kube.count('list'), kube.watches]).toEqual([1, 1]);
  expect(names(reflector.list())).toEqual(['in-tenant-0', 'in-tenant-123']);
  await kube.create(widgets, inNamespace('other', 'late'));
  await kube.create(widgets, inNamespace('tenant-7', 'in-tenant-7'));
  await eventually('the new object is seen', () => changes.includes('added in-tenant-7'));
  expect(names(reflector.list())).toEqual(['in-tenant-0', 'in-tenant-123', 'in-tenant-7']);
});

test('many namespaces are watched one by one where the collection may not be listed as a whole', async () => {
  await kube.create(widgets, inNamespace('tenant-5', 'a'));
  kube.failNext('list', status('list', widgets, 403, 'Forbidden'), 1);
  const { reflector } = start({ namespaces: many });
  await reflector.whenSynced();
  expect(names(reflector.list())).toEqual(['a']);
  expect(kube.count('list')).toBe(1 + many.length);
});

test('without an API server all watches together write a few lines, and say how many they left out', async () => {
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
