import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

/** What a script wrote that runs as a program with the heap of the node agent. */
function outputOf(script: string): string {
  const heap = ['--max-old-space-size=64', '--max-semi-space-size=1'];
  const args = [...heap, '--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('V8 knows the flag that keeps the heap small, also when it already runs', () => {
  outputOf("import { keepHeapSmall } from './runtime/base/process/heap.ts'; keepHeapSmall();");
});

/** Counts collections of all garbage while eight large requests are held at a time, beside 20 MB of live objects. */
const requests = `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  import { setImmediate as turn } from 'node:timers/promises';
  const live = Array.from({ length: 200_000 }, (_, index) => ({ index, text: 'x' + index }));
  const held = [];
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  }).observe({ entryTypes: ['gc'] });
  for (let each = 0; each < 400; each++) {
    held[each % 8] = Buffer.alloc(512 * 1024, live.length).toString();
    await turn();
  }
  console.log(collections);
`;

test('V8 collects at most half as often where a program says so', () => {
  const seldom = `import { collectSeldom } from './runtime/base/process/heap.ts'; collectSeldom(); ${requests}`;
  const [before, after] = [Number(outputOf(requests)), Number(outputOf(seldom))];
  expect(before).toBeGreaterThan(4);
  expect(after).toBeLessThan(before / 2);
});
