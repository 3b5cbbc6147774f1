import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { VolumeLimits } from '../../../runtime/volumes/agent/pool/volume-limits.ts';
import { fetchObjects } from '../../../runtime/volumes/vault/fetch.ts';

const never = new AbortController().signal;

test('one large volume is read at a time, namespace by namespace, and small ones go on beside it', async () => {
  const limits = new VolumeLimits(new ManualClock());
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, objects: number) =>
    limits.run(name.split('/')[0] ?? '', objects, never, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  for (const name of ['flood/0', 'flood/1', 'flood/2', 'shop/0']) void add(name, 500);
  void add('shop/small', 3);
  await new Promise(setImmediate);
  expect(started).toEqual(['flood/0', 'shop/small']);
  for (const end of ends.splice(0)) end();
  await new Promise(setImmediate);
  ends.splice(0)[0]?.();
  await new Promise(setImmediate);
  expect(started).toEqual(['flood/0', 'shop/small', 'flood/1', 'shop/0']);
});

test('more waiting volumes of a namespace than the limit are refused by name', async () => {
  const limits = new VolumeLimits(new ManualClock());
  const add = () => limits.run('a', 500, never, () => new Promise<void>(() => undefined));
  for (let index = 0; index < 201; index++) void add();
  await expect(add()).rejects.toThrow(/^200 volumes of the namespace a wait for the node agent already/);
});

const large = 500;
const unavailable = () => new AzimuthError('AZ_AUTH_UNREACHABLE', 'the vault is throttled', { retryAfterMs: 3000 });

/** Reads a large volume of `total` objects, of which the vault serves the first `served`. */
function reader({ served = 0, total = large } = {}) {
  const clock = new ManualClock();
  const limits = new VolumeLimits(clock);
  const objects = Array.from({ length: total }, (_, index) => ({
    name: `object-${index}`,
    type: 'secret' as const,
    version: '',
    file: `object-${index}`,
    format: 'raw' as const,
    encoding: 'utf-8' as const,
  }));
  const vault = {
    getSecret: async (name: string) => {
      if (Number(name.slice('object-'.length)) >= served) throw unavailable();
      return { value: 'value', version: 'v' };
    },
  } as unknown as KeyVault;
  const mount = (namespace: string) =>
    limits.run(namespace, total, never, ({ signal, onRead }) =>
      fetchObjects(objects, 1024 * 1024, { vault, clock, signal, deadline: clock.monotonic() + 90_000, onRead }),
    );
  const after = async (ms: number) => {
    await nextTurn();
    for (let passed = 0; passed < ms; passed += 500) {
      await clock.advance(500);
      await nextTurn();
    }
  };
  return { limits, mount, after };
}

/** The message of a failure; undefined while it has not failed. */
function failure(work: Promise<unknown>): () => string | undefined {
  let message: string | undefined;
  work.catch((error: Error) => {
    message = error.message;
  });
  return () => message;
}

test('a large volume whose vault is throttled gives its place to another namespace after ten seconds', async () => {
  const { limits, mount, after } = reader();
  const throttled = failure(mount('flood'));
  await after(1000);
  let neighbour: string | undefined;
  const waiting = limits.run('shop', large, never, async () => {
    neighbour = 'read';
  });
  await after(8000);
  expect([throttled(), neighbour]).toEqual([undefined, undefined]);
  await after(2000);
  await waiting;
  expect(neighbour).toBe('read');
  expect(throttled()).toMatch(/the vault is throttled; .*large volumes of other namespaces wait.*; it is tried again/);
});

test('a large volume keeps its place as long as its vault answers, or no other namespace waits', async () => {
  const { limits, mount, after } = reader({ served: 400 });
  const alone = failure(mount('flood'));
  failure(limits.run('flood', large, never, async () => undefined));
  await after(60_000);
  expect(alone()).toBeUndefined();
  void limits.run('shop', large, never, async () => undefined);
  await after(1000);
  expect(alone()).toMatch(/other namespaces wait/);
});

test('each object that is read gives a large volume more time', async () => {
  const { limits, mount, after } = reader({ served: 200 });
  const slow = failure(mount('flood'));
  void limits.run('shop', large, never, async () => undefined);
  await after(19_000);
  expect(slow()).toBeUndefined();
  await after(2000);
  expect(slow()).toMatch(/other namespaces wait/);
});
