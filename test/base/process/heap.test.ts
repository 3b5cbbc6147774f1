import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

/** What a script wrote that runs as a program with the heap of the node agent. */
function outputOf(script: string, ...options: string[]): string {
  const heap = ['--max-old-space-size=64', '--max-semi-space-size=1'];
  const args = [...heap, ...options, '--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('V8 knows the flag that keeps the heap small, also when it already runs', () => {
  outputOf("import { keepHeapSmall } from './runtime/base/process/heap.ts'; keepHeapSmall();");
});

/** Each factor by which V8 let the heap grow over the live objects before the next collection of all garbage. */
function growthFactors(script: string): Set<number> {
  const output = outputOf(`${script} for (let each = 0; each < 5; each++) gc();`, '--expose-gc', '--trace-gc-verbose');
  return new Set(Array.from(output.matchAll(/\[HeapController\] factor ([\d.]+)/g), ([, factor]) => Number(factor)));
}

test('V8 lets the heap grow to twice the live objects where a program says so', () => {
  const seldom = "import { collectSeldom } from './runtime/base/process/heap.ts'; collectSeldom();";
  expect(Math.max(...growthFactors(''))).toBeLessThan(1.5);
  expect(growthFactors(seldom)).toEqual(new Set([2]));
});
