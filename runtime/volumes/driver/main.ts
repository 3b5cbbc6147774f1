/**
 * The FlexVolume driver `kv`: `init`, `mount DIR JSON`, `unmount DIR`. kubelet reads both output streams as one JSON
 * document, so the driver discards standard error and always writes exactly one document.
 */
import { writeSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { systemMounts } from '../mount/system-mounts.ts';
import { readSettings, settingsFile } from '../options/settings.ts';
import { runDriver } from './driver.ts';
import { type DriverAnswer, plainAnswer, writtenAnswer } from './driver-answer.ts';
import { leaveCaller, startWithCleanEnvironment } from './environment.ts';

let answered = false;

function answer(document: DriverAnswer): void {
  if (answered) return;
  answered = true;
  const bytes = Buffer.from(writtenAnswer(document));
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(1, bytes, offset);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') break;
    }
  }
  process.exit(0);
}

function fail(error: unknown): void {
  answer({ status: 'Failure', message: messageOf(error) });
}

async function main(argv: readonly string[]): Promise<void> {
  startWithCleanEnvironment(argv);
  leaveCaller();
  const plain = plainAnswer(argv[0]);
  if (plain) return answer(plain);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(new Error(`the driver was ended by ${signal}`)));
  }
  const settings = readSettings(settingsFile(process.env, process.execPath));
  Object.assign(process.env, settings.environment);
  // kubelet gets an answer even if a call ignores its deadline.
  setTimeout(() => fail(new Error('the driver did not finish in time')), (settings.deadlineSeconds + 30) * 1000);
  answer(await runDriver(argv, { settings, env: process.env, mounts: systemMounts(), signal: stop.signal }));
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
main(process.argv.slice(2)).catch(fail);
