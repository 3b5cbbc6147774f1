import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { eventually } from '../../fakes/eventually.ts';
import { widget, widgets } from '../../fakes/kube-objects.ts';
import { ControllerWorld } from './controller-world.ts';

let world: ControllerWorld;
beforeEach(() => {
  world = new ControllerWorld();
});
afterEach(() => world.close());

test('stopping begins nothing new and lets running work finish', async () => {
  const release = Promise.withResolvers<void>();
  let finished = false;
  await world.kube.create(widgets, widget('a'));
  await world.kube.create(widgets, widget('b'));
  const { seen, ended } = world.control(
    async (_, signal) => {
      await release.promise;
      finished = !signal.aborted;
      return undefined;
    },
    { concurrency: 1 },
  );
  await eventually('a is being worked on', () => seen.length === 1);
  world.stop.abort();
  release.resolve();
  await ended;
  expect(finished).toBe(true);
  expect(seen.length).toBe(1);
});

test('work that goes on beyond the grace is aborted', async () => {
  await world.kube.create(widgets, widget('a'));
  let aborted = false;
  const { seen, ended } = world.control(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        });
      }),
    { graceMs: 20 },
  );
  await eventually('a is being worked on', () => seen.length === 1);
  world.stop.abort();
  await ended;
  expect(aborted).toBe(true);
  expect(await world.metric('controller_runtime_reconcile_errors_total{controller="widget"}')).toBe(0);
});

test('a run that waits for too long is ended and tried again before liveness reports it', async () => {
  await world.kube.create(widgets, widget('a'));
  const reasons: unknown[] = [];
  const { controller, seen } = world.control(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(signal.reason as Error);
        });
      }),
    { maxRunMs: 20 },
  );
  await eventually('it is tried again', () => seen.length >= 2);
  expect(reasons[0]).toMatchObject({ code: 'AZ_RUN_TOO_LONG', retryable: true });
  expect(await world.metric('controller_runtime_reconcile_total{controller="widget",result="error"}')).toBeGreaterThan(
    0,
  );
  expect(controller.stuck()).toBeUndefined();
});

test('a run that ended for its length may still say when to try again', async () => {
  await world.kube.create(widgets, widget('a'));
  const { seen } = world.control(
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ requeueAfterMs: 1 }));
      }),
    { maxRunMs: 20 },
  );
  await eventually('it is tried again', () => seen.length >= 2);
  expect(
    await world.metric('controller_runtime_reconcile_total{controller="widget",result="requeue_after"}'),
  ).toBeGreaterThan(0);
});

test('an abort ends running work at once, without grace', async () => {
  const lost = new AbortController();
  await world.kube.create(widgets, widget('a'));
  let reason: unknown;
  const { seen, ended } = world.control(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          reject(signal.reason);
        });
      }),
    { graceMs: 600_000 },
    lost.signal,
  );
  await eventually('a is being worked on', () => seen.length === 1);
  lost.abort(new AzimuthError('AZ_LEASE_LOST', 'gone'));
  await ended;
  expect(reason).toMatchObject({ code: 'AZ_LEASE_LOST' });
});
