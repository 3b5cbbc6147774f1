import { expect, test } from '@jest/globals';
import { ManualClock, systemClock } from '../../runtime/base/clock.ts';

test('a manual clock ends sleeps in the order of their deadlines, and only those that are due', async () => {
  const clock = new ManualClock(1000);
  const woken: string[] = [];
  void clock.sleep(30).then(() => woken.push(`c at ${clock.now()}`));
  void clock.sleep(10).then(() => woken.push(`a at ${clock.now()}`));
  void clock.sleep(20).then(() => woken.push(`b at ${clock.now()}`));
  await clock.advance(20);
  expect(woken).toEqual(['a at 1010', 'b at 1020']);
  expect(clock.now()).toBe(1020);
});

test('a sleep that starts during an advance can end within it', async () => {
  const clock = new ManualClock();
  let wakes = 0;
  const loop = async () => {
    for (;;) {
      await clock.sleep(10);
      wakes += 1;
    }
  };
  void loop();
  await clock.advance(35);
  expect(wakes).toBe(3);
});

test.each([
  ['manual', () => new ManualClock()],
  ['system', () => systemClock],
] as const)('the %s clock ends a sleep with the reason of the signal', async (_name, make) => {
  const clock = make();
  const controller = new AbortController();
  const sleeping = clock.sleep(1_000_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(clock.sleep(1, controller.signal)).rejects.toThrow('enough');
});
