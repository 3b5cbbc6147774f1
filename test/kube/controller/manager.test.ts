import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/base/clock.ts';
import { stopSignal } from '../../../runtime/base/process/stop-signal.ts';
import type { ReconcileKey } from '../../../runtime/kube/cache/types.ts';
import { Controller } from '../../../runtime/kube/controller/controller.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { eventsType } from '../../../runtime/kube/events/event-object.ts';
import { type Lease, leasesType } from '../../../runtime/kube/leader-election/lease-record.ts';
import { eventually } from '../../fakes/eventually.ts';
import { status, unreachable } from '../../fakes/kube-failures.ts';
import { configMaps, widget, widgets } from '../../fakes/kube-objects.ts';
import { ControllerWorld, probe } from './controller-world.ts';

const key = { namespace: 'azimuth', name: 'operator' };
const lease = { ...key, leaseDurationMs: 10_000, renewDeadlineMs: 8000, retryPeriodMs: 50 };
let world: ControllerWorld;
beforeEach(() => {
  world = new ControllerWorld();
});
afterEach(() => world.close());

test('equal selections share one watch and their indexes, others do not', async () => {
  const manager = new Manager(world.runtime, { name: 'test' });
  const first = manager.watch({ type: widgets, indexes: { size: ({ spec }) => [`${spec.size}`] } });
  const second = manager.watch({ type: widgets, indexes: { name: ({ metadata }) => [metadata.name] } });
  expect(second).toBe(first);
  expect(manager.watch({ type: widgets, labelSelector: 'a=b' })).not.toBe(first);
  expect(manager.watch({ type: widgets, metadataOnly: true })).not.toBe(first);
  expect(manager.watch({ type: widgets, project: (object) => object })).not.toBe(first);
  await world.kube.create(widgets, widget('a', { size: 3 }));
  world.running.push(manager.run(world.stop.signal));
  await first.whenSynced();
  expect(first.byIndex('size', '3')).toEqual(first.byIndex('name', 'a'));
  const late = manager.watch({ type: configMaps });
  await late.whenSynced();
  expect(() => manager.addTask(async () => undefined)).toThrow('runs already');
});

test('a program is ready once its caches are filled, and names the missing one before', async () => {
  let refusing = true;
  world.kube.failNext('list', () => (refusing ? status('list', widgets, 403, 'Forbidden') : undefined), 10_000);
  const { health, start, cache } = world.program(async () => undefined);
  void start();
  await eventually('the refusal was seen', () => world.kube.count('list') > 0);
  const { ok, body } = await probe(health, '/readyz');
  expect(ok).toBe(false);
  expect(body).toContain('[-]caches failed: widgets.example.org: ');
  refusing = false;
  await cache.whenSynced();
  const next = world.program(async () => undefined);
  void next.start();
  await next.cache.whenSynced();
  expect(await probe(next.health, '/readyz')).toEqual({ ok: true, body: '[+]caches ok\nok\n' });
});

test('of two replicas one works; both are ready; when it stops the other goes on', async () => {
  await world.kube.create(widgets, widget('a'));
  const worked: string[] = [];
  const a = world.program(async () => void worked.push('a'), { lease: { ...lease, identity: 'a' } });
  const first = a.start();
  await eventually('a works', () => worked.length === 1);
  const b = world.program(async () => void worked.push('b'), { lease: { ...lease, identity: 'b' } });
  void b.start();
  await b.cache.whenSynced();
  await eventually('b stands by', () => world.kube.count('get', 'leases.coordination.k8s.io') > 3);
  expect(worked).toEqual(['a']);
  expect((await probe(b.health, '/readyz')).body).toBe('[+]caches ok\n[+]lease ok\nok\n');
  expect((await probe(a.health, '/healthz')).ok).toBe(true);
  a.end.abort();
  await first;
  await eventually('b works', () => worked.includes('b'));
});

test('at the end running work finishes, its events are written, the lease is released, watches are closed', async () => {
  await world.kube.create(widgets, widget('a'));
  const begun = Promise.withResolvers<void>();
  const order: string[] = [];
  const { manager, start, end } = world.program(
    async () => {
      begun.resolve();
      await systemClock.sleep(60);
      order.push('work');
      manager.events.record({ regarding: widget('a'), reason: 'Done', action: 'Work', note: 'done' });
      return undefined;
    },
    { lease: { ...lease, identity: 'a' } },
  );
  manager.addEnd(() => void order.push('end'));
  const result = start();
  await begun.promise;
  world.kube.requests.length = 0;
  end.abort();
  await result;
  const writes = world.kube.requests.filter(
    ({ verb, resource }) => verb === 'create' || (verb === 'replace' && resource === 'leases.coordination.k8s.io'),
  );
  expect(order).toEqual(['work', 'end']);
  expect(world.kube.all(eventsType).map(({ reason }) => reason)).toContain('Done');
  expect(writes.at(-1)?.verb).toBe('replace');
  expect((await world.kube.get<Lease>(leasesType, key)).spec.holderIdentity).toBeUndefined();
  expect(world.kube.watches).toBe(0);
});

test('a lost lease aborts the work, and the program takes it up again when the server is back', async () => {
  await world.kube.create(widgets, widget('a'));
  let runs = 0;
  let reason: unknown;
  const { start } = world.program(
    async (_, signal) => {
      if (++runs > 1) return undefined;
      await systemClock.sleep(60_000, signal).catch((error) => {
        reason = error;
        throw error;
      });
      return undefined;
    },
    { lease: { ...lease, leaseDurationMs: 1000, renewDeadlineMs: 500, identity: 'a' } },
  );
  void start();
  await eventually('it works', () => runs >= 1);
  for (const verb of ['get', 'replace']) world.kube.failNext(verb, unreachable(), 30);
  await eventually('the work was aborted', () => reason !== undefined);
  expect(reason).toMatchObject({ code: 'AZ_LEASE_LOST' });
  await eventually('it works again', () => runs >= 2);
});

test('work that outlives a lost lease is waited for, and the program then works again', async () => {
  await world.kube.create(widgets, widget('a'));
  const first = Promise.withResolvers<undefined>();
  let runs = 0;
  let aborted = false;
  const { start } = world.program(
    (_, signal) => {
      if (++runs > 1) return Promise.resolve(undefined);
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return first.promise;
    },
    { lease: { ...lease, leaseDurationMs: 1000, renewDeadlineMs: 500, identity: 'a' } },
  );
  const result = start();
  let ended = false;
  result.catch(() => undefined).finally(() => (ended = true));
  await eventually('it works', () => runs === 1);
  for (const verb of ['get', 'replace']) world.kube.failNext(verb, unreachable(), 20);
  await eventually('the work was aborted', () => aborted);
  expect({ runs, ended }).toEqual({ runs: 1, ended: false });
  first.resolve(undefined);
  await eventually('it works again', () => runs >= 2);
});

test('a task that ends long after the loss of the lease does not end the program', async () => {
  const options = { lease: { ...lease, leaseDurationMs: 1000, renewDeadlineMs: 500, identity: 'a' } };
  const { manager, start } = world.program(async () => undefined, options);
  const first = Promise.withResolvers<void>();
  let begun = 0;
  manager.addTask(() => (++begun === 1 ? first.promise : Promise.resolve()));
  void start();
  await eventually('it works', () => begun === 1);
  for (const verb of ['get', 'replace']) world.kube.failNext(verb, unreachable(), 20);
  await eventually('the lease is lost', () => !isLeading(manager));
  first.resolve();
  await eventually('it works again', () => begun === 2);
});

test('a write that may have left after the end of the lease ends the program', async () => {
  await world.kube.create(widgets, widget('a'));
  const options = { lease: { ...lease, leaseDurationMs: 1000, renewDeadlineMs: 500, identity: 'a' } };
  const hanging = Promise.withResolvers<undefined>();
  world.stop.signal.addEventListener('abort', () => hanging.resolve(undefined));
  const { manager, start } = world.program(async () => {
    manager.mayWrite();
    // The machine stops between the check and the sending.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    return hanging.promise;
  }, options);
  await expect(start()).rejects.toMatchObject({
    code: 'AZ_LEASE_LOST',
    message: 'a write was sent after the lease had ended: widget',
  });
});

function isLeading(manager: Manager): boolean {
  try {
    manager.mayWrite();
    return true;
  } catch {
    return false;
  }
}

test('the client of an elected program writes under its lease only', async () => {
  const { manager, start } = world.program(async () => undefined, { lease: { ...lease, identity: 'a' } });
  const write = () => manager.runtime.client.create(widgets, widget(`w${world.kube.count('create')}`));
  await expect(write()).rejects.toMatchObject({ code: 'AZ_LEASE_LOST' });
  let written: unknown;
  manager.addTask(async () => {
    written = await write();
  });
  void start();
  await eventually('the task has written', () => written !== undefined);
});

test('a cache and a controller that an object brings are waited for before the work, and start at once during it', async () => {
  await world.kube.create(configMaps, { ...widget('first', {}), kind: 'ConfigMap' });
  await world.kube.create(widgets, widget('a', { size: 1 }));
  const manager = new Manager(world.runtime, { name: 'operator', lease });
  const done: string[] = [];
  const add = (namespace: string) => {
    const primary = manager.watch({ type: widgets, namespaces: [namespace] });
    const reconcile = async ({ name }: ReconcileKey) => void done.push(`${namespace} ${name}`);
    manager.addController(new Controller(world.runtime, { name: namespace, primary, reconcile }));
    return primary;
  };
  const { namespace = '' } = widget('a', {}).metadata;
  const added: unknown[] = [];
  manager.watch({ type: configMaps }).onChange(() => void added.push(add(added.length === 0 ? namespace : 'later')));
  let knew: boolean | undefined;
  manager.addTask(async () => {
    knew = (added[0] as { synced: boolean }).synced;
  });
  world.running.push(manager.run(world.stop.signal));
  await eventually('the first is reconciled', () => done.length === 1);
  expect([knew, done]).toEqual([true, [`${namespace} a`]]);
  await world.kube.create(configMaps, { ...widget('second', {}), kind: 'ConfigMap' });
  await world.kube.create(widgets, { ...widget('b', {}), metadata: { namespace: 'later', name: 'b' } });
  await eventually('the second is reconciled', () => done.includes('later b'));
});

test('a task that fails ends the program in order and with its error', async () => {
  const { manager, start } = world.program(async () => undefined, { lease: { ...lease, identity: 'a' } });
  manager.addTask(async () => {
    throw new Error('no more');
  });
  await expect(start()).rejects.toThrow('no more');
  expect((await world.kube.get<Lease>(leasesType, key)).spec.holderIdentity).toBeUndefined();
});

test('a program can be stopped while it waits for the API server', async () => {
  world.kube.failNext('list', unreachable(), 10_000);
  const { start, end } = world.program(async () => undefined, { lease: { ...lease, identity: 'a' } });
  const result = start();
  await eventually('it tries', () => world.kube.count('list') > 1);
  end.abort();
  await result;
});

test('SIGTERM aborts the stop signal', () => {
  const before = process.listeners('SIGTERM');
  const signal = stopSignal();
  const added = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  expect(signal.aborted).toBe(false);
  for (const listener of added) listener('SIGTERM');
  expect(signal.aborted).toBe(true);
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.removeListener(name, process.listeners(name).at(-1) ?? (() => {}));
});
