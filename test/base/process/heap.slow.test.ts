import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('V8 knows the flag that keeps the heap small, also when it already runs', () => {
  const script = "import { keepHeapSmall } from './runtime/base/process/heap.ts'; keepHeapSmall();";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
