import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import { WaitingRequests } from '../../runtime/nmi/waiting-requests.ts';

function world() {
  const clock = new ManualClock();
  let monotonic = 0;
  const handlers: (() => void)[] = [];
  const cache = { onChange: (handler: () => void) => handlers.push(handler) as unknown as () => void };
  const waiting = new WaitingRequests([cache], Object.assign(clock, { monotonic: () => clock.now() + monotonic }));
  return {
    clock,
    waiting,
    change: () => {
      for (const handler of handlers) handler();
    },
    /** Time that the caller's own work takes. */
    work: (ms: number) => {
      monotonic += ms;
    },
  };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

test('a request checks at once, after a change, and once more at its timeout', async () => {
  const { waiting, change, clock } = world();
  let value: string | undefined;
  const found = waiting.until('a', () => value, 1000, never);
  expect(waiting.waiting).toBe(1);
  value = 'there';
  change();
  expect(await found).toBe('there');
  const late = waiting.until('a', () => undefined, 1000, never);
  await clock.advance(1000);
  expect(await late).toBeUndefined();
  expect(waiting.waiting).toBe(0);
});

test('a namespace whose checks take long pauses nine times as long, and others proceed meanwhile', async () => {
  const { waiting, change, work, clock } = world();
  let slow = 0;
  const lookSlowly = () => {
    slow++;
    work(50);
    return undefined;
  };
  let quick = 0;
  const leave = new AbortController();
  const held = [
    waiting.until('slow', lookSlowly, 100_000, leave.signal),
    waiting.until('quick', () => void quick++, 100_000, leave.signal),
  ];
  for (let i = 0; i < 10; i++) {
    change();
    await turn();
  }
  // The first read was for each request by itself.
  expect([slow, quick]).toEqual([2, 11]);
  await clock.advance(450);
  await turn();
  expect(slow).toBe(3);
  leave.abort(new Error('over'));
  await Promise.allSettled(held);
});
