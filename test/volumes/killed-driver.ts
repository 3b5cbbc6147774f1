/**
 * The driver, ended by SIGKILL before the step whose number is in KILL_AT. Prints the steps where none is. With DENIED the
 * newer mount calls fail with that error number, or the one of them whose number follows it after a blank.
 */
import { runDriver } from '../../runtime/volumes/driver/driver.ts';
import { writtenAnswer } from '../../runtime/volumes/driver/driver-answer.ts';
import { systemMounts } from '../../runtime/volumes/mount/system-mounts.ts';
import { readSettings } from '../../runtime/volumes/options/settings.ts';
import { denyMountCalls } from './denied-mount-calls.ts';

const [denial, call] = (process.env['DENIED'] ?? '').split(' ').filter(Boolean).map(Number);
if (denial !== undefined) denyMountCalls(denial, call, call);
const kill = process.env['KILL_AT'];
const steps: string[] = [];
const settings = readSettings(process.env['AZIMUTH_KV_SETTINGS'] ?? '');
Object.assign(process.env, settings.environment);
const answer = await runDriver(process.argv.slice(2), {
  settings,
  env: process.env,
  mounts: systemMounts(),
  signal: new AbortController().signal,
  step(name) {
    if (kill !== undefined && steps.length === Number(kill)) process.kill(process.pid, 'SIGKILL');
    steps.push(name);
  },
});
process.stdout.write(kill === undefined ? JSON.stringify(steps) : writtenAnswer(answer));
process.exit(0);
