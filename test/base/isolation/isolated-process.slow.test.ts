import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { IsolatedProcess } from '../../../runtime/base/isolation/isolated-process.ts';
import { eventually } from '../../fakes/eventually.ts';

const program = fileURLToPath(new URL('./slow-program.ts', import.meta.url));
const started: IsolatedProcess<object, string>[] = [];
/** Milliseconds in which a job gets its processor on a busy machine too. */
const patientMs = 60_000;
function startProcess(maxMs: number, waitMs?: number): IsolatedProcess<object, string> {
  const found = new IsolatedProcess<object, string>({ program, maxMs, ...(waitMs && { waitMs }) });
  started.push(found);
  return found;
}
afterEach(() => {
  for (const each of started.splice(0)) each.close();
});

test('a job that gets no processor for longer than its time is answered, and costs little', async () => {
  const result = await startProcess(300, patientMs).run('team', { waitMs: 600 });
  expect(result).toMatchObject({ answer: 'done' });
  expect(result.ms).toBeLessThan(300);
});

test('a job that computes for longer than its time is ended, and the next one gets a new process', async () => {
  const isolated = startProcess(100, patientMs);
  const result = await isolated.run('team', { computeMs: 60_000 });
  expect(result).toMatchObject({ exceeded: 'time' });
  expect(result.ms).toBeGreaterThanOrEqual(100);
  expect(await isolated.run('team', {})).toMatchObject({ answer: 'done' });
});

test('a job that gets no processor is ended after four times its time, which is no limit that it exceeded', async () => {
  const isolated = startProcess(100);
  expect(await isolated.run('team', { waitMs: 60_000 })).toMatchObject({ exceeded: 'processor' });
  // On a busy machine a job may get no processor in these 400 ms.
  await eventually('a new process answers', async () => 'answer' in (await isolated.run('team', {})));
});

test('a process that does not start is an error that can pass', async () => {
  const isolated = new IsolatedProcess<object, string>({ program: `${program}.gone` });
  started.push(isolated);
  const refusal = {
    code: 'AZ_ISOLATION',
    retryable: true,
    message: expect.stringMatching(/does not start \(exit code/),
  };
  await expect(isolated.run('team', {})).rejects.toMatchObject(refusal);
  await expect(isolated.run('team', {})).rejects.toMatchObject(refusal);
});
