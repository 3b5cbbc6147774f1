/** A thread that asks for tokens: the sandbox works in the thread that started it, which would be measured too. */
import { parentPort, workerData } from 'node:worker_threads';
import { askForToken } from './token-request.ts';

/** What the thread is given. */
export interface MeterInput {
  readonly metadata: string;
  readonly ip: string;
  readonly count: number;
}

/** What it answers: milliseconds of each request, and what failed. */
export interface MeterOutput {
  readonly times: readonly number[];
  readonly lost: readonly string[];
}

const { metadata, ip, count } = workerData as MeterInput;
const times: number[] = [];
const lost: string[] = [];
for (let turn = 0; turn < count; turn++) {
  const started = performance.now();
  const { status, body } = await askForToken(metadata, ip).catch((error: Error) => ({
    status: 0,
    body: error.message,
  }));
  times.push(performance.now() - started);
  if (status !== 200) lost.push(`a token: ${status} ${body.slice(0, 200)}`);
  await new Promise((resolve) => setTimeout(resolve, 10));
}
parentPort?.postMessage({ times, lost } satisfies MeterOutput);
