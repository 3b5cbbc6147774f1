import { expect, test } from '@jest/globals';
import type { Clock } from '../../../runtime/base/clock.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { ReconcileCredit } from '../../../runtime/operator/effects/reconcile-credit.ts';

const object = (namespace: string, kib: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { namespace, name: 'one' },
  spec: { text: 'x'.repeat(kib * 1024) },
});

test('runs of large objects have a quarter of the time, for each namespace, and small objects do not wait', () => {
  let now = 0;
  const credit = new ReconcileCredit({ monotonic: () => now } as Clock);
  const large = object('flood', 500);
  let runs = 0;
  const seconds = 120;
  while (now < seconds * 1000) {
    const waitMs = credit.spend(large);
    if (waitMs === 0) runs++;
    now += Math.max(100, waitMs);
  }
  // 484 ms of computing each: 5 s at once, then a quarter of the time, of which the reads take some.
  expect(runs).toBeGreaterThan(seconds / 4);
  expect(runs).toBeLessThan((5 + seconds / 4) / 0.484);
  credit.spend(large);
  expect(credit.spend(large)).toBeGreaterThan(0);
  expect(credit.spend(object('flood', 15))).toBe(0);
  expect(credit.spend(object('shop', 500))).toBe(0);
});

test('an object that is nested too deep to be measured spends what the largest one does', () => {
  const credit = new ReconcileCredit({ monotonic: () => 0 } as Clock);
  const deep: KubeObject = { ...object('flood', 0), spec: JSON.parse(`${'['.repeat(9000)}${']'.repeat(9000)}`) };
  const spent = Array.from({ length: 10 }, () => credit.spend(deep));
  expect(spent[0]).toBe(0);
  expect(spent.at(-1)).toBeGreaterThan(0);
  expect(spent.at(-1)).toBeLessThan(60_000);
});
