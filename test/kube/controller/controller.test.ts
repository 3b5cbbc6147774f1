import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { referenceIndex } from '../../../runtime/kube/cache/indexes.ts';
import { Reflector } from '../../../runtime/kube/cache/reflector.ts';
import type { ReconcileKey } from '../../../runtime/kube/cache/types.ts';
import { Controller } from '../../../runtime/kube/controller/controller.ts';
import { toOwners, toReferrers, wantedChanged } from '../../../runtime/kube/controller/mappers.ts';
import { source } from '../../../runtime/kube/controller/source.ts';
import { eventually } from '../../fakes/eventually.ts';
import { configMaps, widget, widgets } from '../../fakes/kube-objects.ts';
import { ControllerWorld } from './controller-world.ts';

let world: ControllerWorld;
beforeEach(() => {
  world = new ControllerWorld();
});
afterEach(() => world.close());

const named = (seen: ReconcileKey[], name: string) => seen.filter((request) => request.name === name).length;
const key = (name: string) => ({ namespace: 'default', name });

test('existing and new objects are reconciled by key, named by kind and uid', async () => {
  const a = await world.kube.create(widgets, widget('a'));
  const { seen } = world.control(() => undefined);
  await eventually('a is reconciled', () => seen.length === 1);
  const b = await world.kube.create(widgets, widget('b'));
  await eventually('b is reconciled', () => seen.length === 2);
  expect(seen).toEqual([
    { namespace: 'default', name: 'a', key: `Widget/${a.metadata.uid}` },
    { namespace: 'default', name: 'b', key: `Widget/${b.metadata.uid}` },
  ]);
  expect(await world.metric('controller_runtime_reconcile_total{controller="widget",result="success"}')).toBe(2);
});

test('nothing runs before every cache is synced', async () => {
  await world.kube.create(widgets, widget('a'));
  const late = new Reflector(world.runtime, { type: configMaps });
  const { seen } = world.control(() => undefined, { sources: [source(late, () => [])] });
  await world.primary.whenSynced();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(seen).toEqual([]);
  world.running.push(late.run(world.stop.signal));
  await eventually('a is reconciled', () => seen.length === 1);
});

test('one object is never worked on twice at a time, others are', async () => {
  const active = new Map<string, number>();
  let most = 0;
  let overlap = false;
  const sizes = new Map<string, number>();
  const { seen } = world.control(
    async ({ name }) => {
      active.set(name, (active.get(name) ?? 0) + 1);
      if ((active.get(name) ?? 0) > 1) overlap = true;
      most = Math.max(
        most,
        [...active.values()].reduce((sum, count) => sum + count, 0),
      );
      await new Promise((resolve) => setTimeout(resolve, 3));
      sizes.set(name, world.primary.get(key(name))?.['spec'].size);
      active.set(name, (active.get(name) ?? 1) - 1);
      return undefined;
    },
    { concurrency: 3 },
  );
  const all = ['a', 'b', 'c', 'd', 'e'];
  for (const name of all) await world.kube.create(widgets, widget(name, { size: 0 }));
  for (let size = 1; size <= 20; size++) {
    for (const name of all) await world.kube.patch(widgets, key(name), { type: 'merge', body: { spec: { size } } });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await eventually('the last state of all was read', () => all.every((name) => sizes.get(name) === 20));
  await eventually('all are idle', () => [...active.values()].every((count) => count === 0));
  expect(seen.length).toBeGreaterThan(5);
  expect(overlap).toBe(false);
  expect(most).toBeLessThanOrEqual(3);
  expect(most).toBeGreaterThan(1);
});

test('a namespace whose runs all wait does not hold up another one', async () => {
  const release = Promise.withResolvers<void>();
  for (const name of ['a', 'b', 'c']) await world.kube.create(widgets, widget(name));
  const { seen } = world.control(() => release.promise.then(() => undefined), { concurrency: 2 });
  await eventually('two runs wait', () => seen.length === 2);
  await world.kube.create(widgets, widget('d', {}, { namespace: 'other' }));
  await eventually('the other namespace is served', () => named(seen, 'd') === 1);
  expect(named(seen, 'c')).toBe(0);
  release.resolve();
  await eventually('the third has its turn', () => named(seen, 'c') === 1);
});

test('an error is tried again until it succeeds, and counted', async () => {
  let failures = 3;
  await world.kube.create(widgets, widget('a'));
  const { seen } = world.control(async () => {
    if (failures-- > 0) throw new Error('not yet');
    return undefined;
  });
  await eventually('it succeeded', () => seen.length === 4);
  expect(await world.metric('controller_runtime_reconcile_errors_total{controller="widget"}')).toBe(3);
  expect(await world.metric('workqueue_retries_total{name="widget"}')).toBe(3);
});

test('the retry waits as long as the error asks', async () => {
  await world.kube.create(widgets, widget('a'));
  const times: number[] = [];
  world.control(async () => {
    times.push(performance.now());
    if (times.length === 1) throw new AzimuthError('AZ_ARM_REFUSED', 'throttled', { retryAfterMs: 150 });
    return undefined;
  });
  await eventually('it is tried again', () => times.length === 2);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(145);
});

test('a terminal error is not tried again until the object changes', async () => {
  await world.kube.create(widgets, widget('a', { size: 1 }));
  const { seen } = world.control(
    async () => {
      throw new AzimuthError('AZ_TERMINAL', 'wrong size');
    },
    { resyncMs: 5 },
  );
  await eventually('it failed', () => seen.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(seen.length).toBe(1);
  await world.kube.patch(widgets, key('a'), { type: 'merge', body: { spec: { size: 2 } } });
  await eventually('it is reconciled again', () => seen.length === 2);
  expect(await world.metric('controller_runtime_terminal_reconcile_errors_total{controller="widget"}')).toBe(2);
});

test('requeueAfterMs and resyncMs bring an object back', async () => {
  await world.kube.create(widgets, widget('a'));
  const { seen } = world.control(async () => (seen.length < 3 ? { requeueAfterMs: 5 } : undefined), { resyncMs: 10 });
  await eventually('it comes back', () => seen.length >= 6);
  expect(await world.metric('controller_runtime_reconcile_total{controller="widget",result="requeue_after"}')).toBe(2);
});

test('a deleted object is reconciled once more under its old key, and not resynced', async () => {
  const { metadata } = await world.kube.create(widgets, widget('a'));
  const { seen } = world.control(() => undefined);
  await eventually('a is reconciled', () => seen.length === 1);
  await world.kube.delete(widgets, key('a'));
  await eventually('its deletion is seen', () => seen.length === 2);
  expect(seen[1]).toEqual({ namespace: 'default', name: 'a', key: `Widget/${metadata.uid}` });
});

test('changes of status alone can be filtered out', async () => {
  await world.kube.create(widgets, widget('a', { size: 1 }));
  const { seen } = world.control(() => undefined, { filter: wantedChanged });
  await eventually('a is reconciled', () => seen.length === 1);
  await world.kube.patch(widgets, key('a'), { type: 'merge', body: { status: { ready: true } } });
  await eventually('the cache has the status', () => world.primary.get(key('a'))?.['status']?.ready === true);
  await world.kube.patch(widgets, key('a'), { type: 'merge', body: { metadata: { annotations: { now: 'yes' } } } });
  await eventually('the annotation counts', () => seen.length === 2);
});

test('a change of a referenced or owned object enqueues its dependents', async () => {
  world.primary.addIndex(
    'configMaps',
    referenceIndex(({ metadata, spec }) => [
      { group: '', kind: 'ConfigMap', namespace: metadata.namespace ?? '', name: spec.from ?? 'none' },
    ]),
  );
  const maps = world.reflect(configMaps);
  const { seen } = world.control(() => undefined, {
    sources: [
      source(maps, toReferrers(world.primary, 'configMaps', '', 'ConfigMap')),
      source(maps, toOwners('example.org', 'Widget')),
    ],
  });
  await world.kube.create(widgets, widget('user', { from: 'settings' }));
  await world.kube.create(widgets, widget('owner'));
  await world.kube.create(widgets, widget('stranger'));
  await eventually('all are reconciled', () => seen.length === 3);
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'settings' } };
  await world.kube.create(configMaps, settings);
  await eventually('the user is enqueued', () => named(seen, 'user') === 2);
  const owner = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'owner', uid: 'uid-2' };
  const owned = { ...settings, metadata: { namespace: 'default', name: 'owned', ownerReferences: [owner] } };
  await world.kube.create(configMaps, owned);
  await eventually('the owner is enqueued', () => named(seen, 'owner') === 2);
  expect(named(seen, 'stranger')).toBe(1);
});

test('a concurrency below one is refused', () => {
  expect(
    () =>
      new Controller(world.runtime, {
        name: 'x',
        primary: world.primary,
        reconcile: async () => undefined,
        concurrency: 0,
      }),
  ).toThrow('Expected `concurrency of x` to be a whole number of at least 1, got `0` (number)');
});
