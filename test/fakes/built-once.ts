import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../runtime/base/errors.ts';
import { eventually } from './eventually.ts';

/**
 * The path of a file or directory that the first file of a test run builds, and all others of the run share. `build` gets
 * the path. Outside a run of the tests each process builds its own.
 */
export async function builtOnce(name: string, build: (path: string) => Promise<unknown>): Promise<string> {
  process.env['AZIMUTH_TEST_RUN'] ??= mkdtempSync(join(tmpdir(), 'azimuth-test-run-'));
  const path = join(process.env['AZIMUTH_TEST_RUN'], name);
  const [begun, done, failed] = ['begun', 'done', 'failed'].map((step) => `${path}.${step}`) as [
    string,
    string,
    string,
  ];
  try {
    mkdirSync(begun);
  } catch {
    await eventually(`${name} is built`, () => existsSync(done) || existsSync(failed), 170_000);
    if (existsSync(failed)) throw new Error(`${name} could not be built: the first test that needed it has the reason`);
    return path;
  }
  try {
    await build(path);
    writeFileSync(done, '');
    return path;
  } catch (error) {
    writeFileSync(failed, messageOf(error));
    throw error;
  }
}
