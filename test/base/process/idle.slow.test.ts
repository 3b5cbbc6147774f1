import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { collectWhenIdle } from '../../../runtime/base/process/idle.ts';

test('garbage is collected once after many requests, when hardly any come', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  let [requests, collections] = [0, 0];
  const collect = () => {
    collections++;
  };
  const running = collectWhenIdle({ clock, count: () => requests, collect }, stop.signal);
  const seconds = async (count: number, perSecond: number) => {
    for (let i = 0; i < count; i++) {
      requests += perSecond;
      await clock.advance(1000);
    }
    return collections;
  };
  expect(await seconds(60, 1)).toBe(0);
  expect(await seconds(60, 1000)).toBe(0);
  // Few is no burst, and rest after rest leaves nothing.
  expect(await seconds(60, 1)).toBe(1);
  expect(await seconds(60, 0)).toBe(1);
  expect(await seconds(30, 1000)).toBe(1);
  expect(await seconds(21, 0)).toBe(2);
  stop.abort(new Error('the test has ended'));
  await running;
});

test('collecting gives the heap of a burst back', () => {
  const script = `
    import { collectGarbage } from './runtime/base/process/idle.ts';
    let all = Array.from({ length: 400_000 }, (_, i) => ({ i, text: 'x' + i }));
    const before = process.memoryUsage().heapTotal;
    all = undefined;
    collectGarbage();
    console.log(process.memoryUsage().heapTotal < before / 2);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
});
