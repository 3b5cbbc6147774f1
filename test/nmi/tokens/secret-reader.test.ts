import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { secretsType } from '../../../runtime/nmi/objects.ts';
import { Secrets } from '../../../runtime/nmi/tokens/secret-reader.ts';
import { NmiKube } from '../nmi-kube.ts';

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
