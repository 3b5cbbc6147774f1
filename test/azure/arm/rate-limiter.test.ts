import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BucketKey, RateLimiter, requestClassOf } from '../../../runtime/azure/arm/rate-limiter.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';

const key: BucketKey = {
  cloud: 'https://management.azure.com',
  principal: 'p1',
  subscriptionId: 's1',
  region: 'westus2',
  requestClass: 'writes',
};
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

test('a wait beyond the limit fails at once, with the time to retry', async () => {
  const { limiter } = setup({ capacity: 1, refillPerSecond: 1 }, 2000);
  await limiter.acquire(key);
  limiter.pause(key, 10_000);
  await expect(limiter.acquire(key)).rejects.toMatchObject({
    code: 'AZ_ARM_THROTTLED',
    retryAfterMs: 10_000,
    retryable: true,
  });
});

test('a 429 for one share stops no other, which gets its tokens meanwhile', async () => {
  const { clock, limiter } = setup({ capacity: 3, refillPerSecond: 1 });
  limiter.pause(key, 3_600_000, 'hostile');
  await expect(limiter.acquire(key, { share: 'hostile' })).rejects.toMatchObject({ code: 'AZ_ARM_THROTTLED' });
  await limiter.acquire(key, { share: 'good' });
  await limiter.acquire(key, { share: 'good' });
  // Nor does a share that waits for the end of its pause.
  limiter.pause(key, 30_000, 'paused');
  const order: string[] = [];
  const paused = limiter.acquire(key, { share: 'paused' }).then(() => order.push('paused'));
  await turn();
  const good = limiter.acquire(key, { share: 'good' }).then(() => order.push('good'));
  await turn();
  expect(order).toEqual(['good']);
  await clock.advance(29_999);
  expect(order).toEqual(['good']);
  await clock.advance(1);
  await Promise.all([paused, good]);
  expect(order).toEqual(['good', 'paused']);
});

test('a wait can be aborted, also from behind others, and takes no budget', async () => {
  const { clock, limiter } = setup({ capacity: 1, refillPerSecond: 1 });
  await limiter.acquire(key);
  const controller = new AbortController();
  const done: string[] = [];
  const second = limiter.acquire(key).then(() => done.push('second'));
  const third = limiter.acquire(key, { signal: controller.signal });
  const fourth = limiter.acquire(key).then(() => done.push('fourth'));
  controller.abort(new Error('enough'));
  await expect(third).rejects.toThrow('enough');
  await clock.advance(1000);
  await second;
  await clock.advance(1000);
  await fourth;
  expect(done).toEqual(['second', 'fourth']);
});

test('a request that comes when all others are cancelled waits for the next token and no longer', async () => {
  const { clock, limiter } = setup({ capacity: 1, refillPerSecond: 1 });
  await limiter.acquire(key);
  const controller = new AbortController();
  const given = limiter.acquire(key, { signal: controller.signal });
  controller.abort(new Error('enough'));
  let gone = false;
  const last = limiter.acquire(key).then(() => {
    gone = true;
  });
  await expect(given).rejects.toThrow('enough');
  await clock.advance(999);
  expect(gone).toBe(false);
  await clock.advance(1);
  await last;
});

test('a namespace with few requests waits for one of each other namespace, and not for all of theirs', async () => {
  const { clock, limiter } = setup({ capacity: 1, refillPerSecond: 1 }, 6000);
  await limiter.acquire(key);
  const order: string[] = [];
  const send = (share: string) => void limiter.acquire(key, { share }).then(() => order.push(share));
  for (let index = 0; index < 6; index++) send('flood');
  await expect(limiter.acquire(key, { share: 'flood' })).rejects.toMatchObject({ retryAfterMs: 7000 });
  for (let index = 0; index < 2; index++) send('shop');
  for (let second = 0; second < 5; second++) {
    await clock.advance(1000);
    await turn();
  }
  expect(order).toEqual(['flood', 'shop', 'flood', 'shop', 'flood']);
});

test('background requests go after the others, but are served under load too', async () => {
  const { clock, limiter } = setup({ capacity: 1, refillPerSecond: 1 });
  await limiter.acquire(key);
  const order: string[] = [];
  for (const name of ['read 1', 'read 2']) {
    void limiter.acquire(key, { background: true }).then(() => order.push(name));
  }
  for (let index = 0; index < 9; index++) void limiter.acquire(key).then(() => order.push('change'));
  for (let second = 0; second < 11; second++) {
    await clock.advance(1000);
    await turn();
  }
  const changes = (count: number) => Array.from({ length: count }, () => 'change');
  expect(order).toEqual([...changes(6), 'read 1', ...changes(3), 'read 2']);
});

test('a change does not wait for reads, also where reads wait as long as the limit allows', async () => {
  const { clock, limiter } = setup({ capacity: 1, refillPerSecond: 1 }, 3000);
  await limiter.acquire(key);
  const reads = [1, 2, 3].map(() => limiter.acquire(key, { background: true }));
  await expect(limiter.acquire(key, { background: true })).rejects.toMatchObject({ retryAfterMs: 4000 });
  let gone = false;
  const change = limiter.acquire(key).then(() => {
    gone = true;
  });
  await clock.advance(1000);
  await turn();
  expect(gone).toBe(true);
  await clock.advance(3000);
  await Promise.all([change, ...reads]);
});

test('buckets that are full again are dropped, with their metrics', async () => {
  const { clock, limiter, metrics } = setup({ capacity: 2, refillPerSecond: 1 });
  const paused = { ...key, subscriptionId: 'paused' };
  limiter.pause(paused, 3_600_000);
  for (let month = 0; month < 1000; month++) {
    const other = { ...key, subscriptionId: `s${month}` };
    await limiter.acquire(other);
    limiter.observe(other, { 'x-ms-ratelimit-remaining-subscription-writes': '1199' });
    await clock.advance(100);
  }
  expect(limiter.size).toBeLessThanOrEqual(100);
  const series = (await metrics.metrics()).match(/^azimuth_arm_remaining_requests\{/gm);
  expect(series?.length).toBeLessThanOrEqual(100);
  await expect(limiter.acquire(paused)).rejects.toMatchObject({ code: 'AZ_ARM_THROTTLED' });
});

test('buckets of other clouds, subscriptions, regions and classes are apart', async () => {
  const { limiter } = setup({ capacity: 1, refillPerSecond: 1 });
  await limiter.acquire(key);
  limiter.pause(key, 50_000);
  await limiter.acquire({ ...key, cloud: 'https://management.chinacloudapi.cn' });
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

test('a service of one namespace that reports an empty budget again and again takes no token from another', async () => {
  const { clock, limiter } = setup({ capacity: 5, refillPerSecond: 1 });
  const empty = { 'x-ms-ratelimit-remaining-resource': 'Any.Service/Any;0' };
  const order: string[] = [];
  limiter.observe(key, empty, 'hostile');
  void limiter.acquire(key, { share: 'hostile' }).then(() => order.push('hostile'));
  void limiter.acquire(key, { share: 'good' }).then(() => order.push('good'));
  await turn();
  expect(order).toEqual(['good']);
  void limiter.acquire(key, { share: 'good' }).then(() => order.push('good'));
  for (let tenth = 0; tenth < 10; tenth++) {
    await clock.advance(100);
    limiter.observe(key, empty, 'hostile');
    await turn();
  }
  expect(order).toEqual(['good', 'good']);
});

test('a service that reports limits without an end adds few series to the metric', async () => {
  const { limiter, metrics } = setup();
  for (let answer = 0; answer < 100; answer++) {
    const policies = Array.from({ length: 100 }, (_, index) => `My.Service/Policy${answer}x${index};9`);
    limiter.observe(key, { 'x-ms-ratelimit-remaining-resource': policies.join(',') });
  }
  limiter.observe({ ...key, region: 'b' }, { 'x-ms-ratelimit-remaining-resource': `${'x'.repeat(8000)};9` });
  const series = (await metrics.metrics()).match(/^azimuth_arm_remaining_requests\{.*/gm) ?? [];
  expect(series.length).toBe(32);
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
