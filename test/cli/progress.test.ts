import { expect, test } from '@jest/globals';
import { createProgress } from '../../runtime/cli/demo/progress.ts';

function recorder(isTTY: boolean) {
  const output = {
    text: '',
    isTTY,
    write: (text: string) => {
      output.text += text;
    },
  };
  return output;
}

test('a step that is no terminal gives one line, with its last remark and its time', async () => {
  const output = recorder(false);
  let now = 0;
  const progress = createProgress(output, () => now);
  await progress.step('Work', async (note) => {
    note('a');
    note('b');
    progress.line('  detail');
    now = 1500;
  });
  expect(output.text).toBe('  detail\n✓ Work: b (1.5 s)\n');
});

test('a step that fails is marked and its error goes on', async () => {
  const output = recorder(false);
  const failing = createProgress(output, () => 0).step('Work', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(output.text).toBe('✗ Work (0.0 s)\n');
});

test('a terminal sees the step while it runs', async () => {
  const output = recorder(true);
  await createProgress(output).step('Work', async (note) => note('half'));
  expect(output.text).toContain('Work: half');
  expect(output.text.endsWith('\n')).toBe(true);
});
