import { expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { status } from '../../fakes/kube-failures.ts';
import { widgets } from '../../fakes/kube-objects.ts';
import { create, kube, start, stop, useLocalKube } from './reflector-support.ts';

useLocalKube();

/** A watch that brings nothing until its request is aborted. */
const hangs = (signal: AbortSignal | undefined) =>
  new Promise<Error>((resolve) => signal?.addEventListener('abort', () => resolve(signal.reason), { once: true }));

test('a refresh shows what the watch has not brought, once, and the watch goes on from there', async () => {
  await create('a');
  kube.failNext('watch', hangs);
  const { reflector, changes } = start();
  await reflector.whenSynced();
  await eventually('a watch was sent', () => kube.count('watch') === 1);
  await create('b');
  expect(reflector.size).toBe(1);
  await reflector.refresh(stop.signal);
  expect(changes).toEqual(['added a', 'added b']);
  expect(kube.count('list')).toBe(2);
  await create('c');
  await eventually('the watch works', () => reflector.size === 3);
  expect(changes).toEqual(['added a', 'added b', 'added c']);
  expect(reflector.trouble()).toBeUndefined();
});

test('a refresh during a LIST waits for a new one', async () => {
  let hanging = false;
  kube.failNext('list', (signal) => {
    hanging = true;
    return hangs(signal);
  });
  const { reflector } = start();
  await eventually('the first LIST hangs', () => hanging);
  await reflector.refresh(stop.signal);
  expect(kube.count('list')).toBe(2);
  expect(reflector.synced).toBe(true);
});

test('a refresh goes on until a LIST succeeds', async () => {
  const { reflector } = start();
  await reflector.whenSynced();
  kube.failNext('list', status('list', widgets, 500, 'InternalError'), 3);
  await reflector.refresh(stop.signal);
  expect(kube.count('list')).toBe(5);
});

test('a refresh of a type that the API server lacks ends at once', async () => {
  kube.failNext('list', status('list', widgets, 404, 'NotFound'), 1000);
  const { reflector } = start();
  await reflector.refresh(stop.signal);
  await reflector.refresh(stop.signal);
  expect(reflector.synced).toBe(false);
});

test('a refresh ends with the reason of its signal', async () => {
  const { reflector } = start();
  await reflector.whenSynced();
  kube.failNext('list', hangs);
  const signal = AbortSignal.abort(new Error('the lease is lost'));
  await expect(reflector.refresh(signal)).rejects.toThrow('the lease is lost');
});

test('a refresh shows a type that the API server has got meanwhile, without the delay of the last failure', async () => {
  kube.failNext('list', status('list', widgets, 404, 'NotFound'));
  const { reflector } = start({ backoff: { initialMs: 1e6, maxMs: 1e6 } });
  await reflector.whenKnown();
  await create('a');
  await reflector.refresh(stop.signal);
  expect(reflector.size).toBe(1);
});

test('a refresh whose LIST is forbidden waits for the LIST of each namespace', async () => {
  await create('a');
  kube.failNext('list', status('list', widgets, 403, 'Forbidden'));
  const namespaces = ['default', ...Array.from({ length: 9 }, (_, index) => `n${index}`)];
  const { reflector } = start({ namespaces });
  await reflector.refresh(stop.signal);
  expect(reflector.synced).toBe(true);
  expect(reflector.size).toBe(1);
});
