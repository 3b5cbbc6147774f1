import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BucketKey, RateLimiter, requestClassOf } from '../../runtime/azure/rate-limiter.ts';
import { ManualClock } from '../../runtime/base/clock.ts';
import { createMetrics } from '../../runtime/base/metrics.ts';

const key: BucketKey = { subscriptionId: 's1', region: 'westus2', requestClass: 'writes' };
const turn = () => new Promise((resolve) => setImmediate(resolve));

function setup(size = { capacity: 2, refillPerSecond: 1 }, maxWaitMs = 60_000) {
  const clock = new ManualClock(1000);
  const metrics = createMetrics();
  const limiter = new RateLimiter({ clock, metrics, maxWaitMs, sizes: { writes: size, reads: size } });
  return { clock, metrics, limiter };
}

test('writes start with 200 and get 10 a second', async () => {
  const clock = new ManualClock(0);
  const limiter = new RateLimiter({ clock });
  let gone = 0;
  for (let index = 0; index < 215; index++) void limiter.acquire(key).then(() => gone++);
  await turn();
  await clock.advance(0);
  expect(gone).toBe(200);
  await clock.advance(1000);
  await turn();
  expect(gone).toBe(210);
});

test('requests beyond the budget go in order of arrival', async () => {
  const { clock, limiter } = setup();
  const order: number[] = [];
  for (const index of [1, 2, 3, 4]) void limiter.acquire(key).then(() => order.push(index));
  await turn();
  expect(order).toEqual([1, 2]);
  await clock.advance(1000);
  await turn();
  expect(order).toEqual([1, 2, 3]);
  await clock.advance(1000);
  await turn();
  expect(order).toEqual([1, 2, 3, 4]);
});

test('a wait beyond the bound fails at once and says when to come back', async () => {
  const { limiter } = setup({ capacity: 1, refillPerSecond: 1 }, 2000);
  await limiter.acquire(key);
  limiter.pause(key, 10_000);
  await expect(limiter.acquire(key)).rejects.toMatchObject({
    code: 'AZ_ARM_THROTTLED',
    retryAfterMs: 10_000,
    retryable: true,
  });
});

test('a wait can be aborted, also from behind others, and takes no budget', async () => {
  const { clock, limiter } = setup({ capacity: 1, refillPerSecond: 1 });
  await limiter.acquire(key);
  const controller = new AbortController();
  const done: string[] = [];
  const second = limiter.acquire(key).then(() => done.push('second'));
  const third = limiter.acquire(key, controller.signal);
  const fourth = limiter.acquire(key).then(() => done.push('fourth'));
  controller.abort(new Error('enough'));
  await expect(third).rejects.toThrow('enough');
  await clock.advance(1000);
  await second;
  await clock.advance(1000);
  await fourth;
  expect(done).toEqual(['second', 'fourth']);
});

test('buckets of other subscriptions, regions and classes are apart', async () => {
  const { limiter } = setup({ capacity: 1, refillPerSecond: 1 });
  await limiter.acquire(key);
  limiter.pause(key, 50_000);
  await limiter.acquire({ ...key, subscriptionId: 's2' });
  await limiter.acquire({ ...key, region: 'eastus' });
  await limiter.acquire({ ...key, requestClass: 'reads' });
  expect(requestClassOf('GET')).toBe('reads');
  expect(requestClassOf('DELETE')).toBe('deletes');
  expect([requestClassOf('PUT'), requestClassOf('PATCH'), requestClassOf('POST')]).toEqual([
    'writes',
    'writes',
    'writes',
  ]);
});

test.each([
  [{ 'x-ms-ratelimit-remaining-subscription-writes': '0' }],
  [{ 'x-ms-ratelimit-remaining-subscription-global-writes': '0' }],
  [{ 'x-ms-ratelimit-remaining-tenant-writes': '0' }],
  [{ 'x-ms-ratelimit-remaining-resource': 'Microsoft.Compute/PutVM3Min;237,Microsoft.Compute/PutVM30Min;0' }],
])('%p empties the bucket', async (headers) => {
  const { clock, limiter } = setup({ capacity: 5, refillPerSecond: 1 });
  limiter.observe(key, headers);
  let gone = false;
  const waiting = limiter.acquire(key).then(() => {
    gone = true;
  });
  await turn();
  expect(gone).toBe(false);
  await clock.advance(1000);
  await waiting;
});

test('headers of another class, with much left or without a number change nothing but the metric', async () => {
  const { limiter, metrics } = setup({ capacity: 1, refillPerSecond: 1 });
  limiter.observe(key, { 'x-ms-ratelimit-remaining-subscription-reads': '0' });
  limiter.observe(key, { 'x-ms-ratelimit-remaining-subscription-writes': '1199' });
  limiter.observe(key, {
    'x-ms-ratelimit-remaining-subscription-writes': 'many',
    'x-ms-ratelimit-remaining-resource': ';;,x',
  });
  await limiter.acquire(key);
  expect(await metrics.metrics()).toMatch(
    /azimuth_arm_remaining_requests\{subscription="s1",limit="subscription-writes"\} 1199/,
  );
});

test('never more requests go out than capacity and refill allow', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 20 }), async (steps) => {
      const { clock, limiter } = setup({ capacity: 3, refillPerSecond: 2 });
      let gone = 0;
      for (let index = 0; index < 30; index++) void limiter.acquire(key).then(() => gone++);
      let elapsed = 0;
      for (const step of steps) {
        await clock.advance(step);
        await turn();
        elapsed += step;
        expect(gone).toBeLessThanOrEqual(3 + (elapsed / 1000) * 2);
      }
    }),
    { numRuns: 30 },
  );
});
