import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { secretsType } from '../../../runtime/nmi/objects.ts';
import { Secrets } from '../../../runtime/nmi/tokens/secret-reader.ts';
import { eventually } from '../../fakes/eventually.ts';
import { NmiKube } from '../nmi-kube.ts';

setFlagsFromString('--expose-gc');

/** Counts the reads by namespace. */
class CountingKube extends NmiKube {
  readonly reads = new Map<string, number>();

  override get: NmiKube['get'] = (type, key, signal) => {
    const { namespace = '' } = key;
    this.reads.set(namespace, (this.reads.get(namespace) ?? 0) + 1);
    return super.get(type, key, signal);
  };
}

test('pods that ask with Secrets that do not exist cause few reads, and delay no other namespace', async () => {
  const clock = new ManualClock();
  const client = new CountingKube();
  const data = { clientSecret: Buffer.from('pw').toString('base64') };
  await client.put(secretsType, { metadata: { namespace: 'app', name: 's' }, data } as never);
  client.reads.clear();
  const secrets = new Secrets({ client, clock });
  const read = (namespace: string, name: string) =>
    secrets.read({ type: 1, clientPassword: { namespace, name } }, namespace);
  let ended = false;
  const asking = Array.from({ length: 10 }, async (_, at) => {
    while (!ended) {
      await read('tenant', `missing-${at}`).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  for (let ms = 0; ms < 2000; ms += 10) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(10);
  }
  const reads = client.reads.get('tenant') ?? 0;
  expect(reads).toBeGreaterThan(250);
  expect(reads).toBeLessThan(350);
  expect((await read('app', 's')).value.toString()).toBe('pw');
  ended = true;
  await clock.advance(1000);
  await Promise.all(asking);
});

/** A client that makes each Secret anew. */
function clientOf(data: () => Record<string, string>, answered: (secret: KubeObject) => Promise<void>): KubeClient {
  const get: KubeClient['get'] = async <T extends KubeObject>(_: unknown, key: { name: string }) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: key, data: data() };
    await answered(secret);
    return secret as unknown as T;
  };
  return { get } as KubeClient;
}

const text = (length: number) => Buffer.alloc(length, 'x').toString('base64');

test('of a large Secret only the credential is kept', async () => {
  const seen: WeakRef<object>[] = [];
  const data = () => ({ clientSecret: text(2), other: text(1_000_000) });
  const client = clientOf(data, async (secret) => {
    seen.push(new WeakRef(secret), new WeakRef(secret['data'] as object));
  });
  const secrets = new Secrets({ client, clock: new ManualClock() });
  const read = async (type: number, name: string) =>
    (await secrets.read({ type, clientPassword: { namespace: 'app', name } }, 'app')).value.toString();
  expect([await read(1, 'one'), await read(2, 'two')]).toEqual(['xx', '']);
  const collect = runInNewContext('gc') as () => void;
  await eventually('none is in memory', async () => {
    // What was dereferenced stays until the end of its turn.
    await new Promise((resolve) => setTimeout(resolve));
    collect();
    return !seen.some((each) => each.deref());
  });
  expect(seen.map((each) => each.deref())).toEqual(Array.from({ length: 4 }));
  // They are in memory still.
  expect([await read(1, 'one'), seen.length]).toEqual(['xx', 4]);
});

test.each([
  ['a client secret', 1, { clientSecret: text(70_000) }],
  ['a certificate', 2, { certificate: text(70_000) }],
  ['the password of a certificate', 2, { certificate: text(10), password: text(70_000) }],
])('%s of more than 64 KiB is refused, and not kept', async (_, type, data) => {
  const secrets = new Secrets({
    client: clientOf(
      () => data,
      async () => undefined,
    ),
    clock: new ManualClock(),
  });
  const { problem, value, password } = await secrets.read(
    { type, clientPassword: { namespace: 'app', name: 's' } },
    'app',
  );
  expect(problem?.message).toContain('at most 64 KiB');
  expect([value.length, password ?? '']).toEqual([0, '']);
});

test('Secrets are read four at a time for one namespace, and those of others beside them', async () => {
  const later = Promise.withResolvers<void>();
  const reading: string[] = [];
  const client = clientOf(
    () => ({ clientSecret: text(2) }),
    ({ metadata: { name } }) => {
      reading.push(name);
      return later.promise;
    },
  );
  const secrets = new Secrets({ client, clock: new ManualClock() });
  const read = (namespace: string, at: number) =>
    secrets.read({ type: 1, clientPassword: { namespace, name: `${namespace}-${at}` } }, namespace);
  const all = Array.from({ length: 20 }, (_, at) => read('tenant', at));
  all.push(read('app', 0));
  await new Promise((resolve) => setImmediate(resolve));
  expect(reading.sort()).toEqual(['app-0', 'tenant-0', 'tenant-1', 'tenant-2', 'tenant-3']);
  later.resolve();
  expect(await Promise.all(all)).toHaveLength(21);
});
