import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Gives each run of the tests a directory, which is removed when the run ends: for what is built once in it
 * (test/fakes/built-once.ts), for the keys that its sandboxes share (sandbox/shared-keys.ts), and for the temporary files
 * of all tests and of the processes that they start, killed ones included.
 */
export default function setup() {
  // A short name: paths of Unix sockets below it have 107 bytes at most.
  process.env.AZIMUTH_TEST_RUN = mkdtempSync(join(tmpdir(), 'azimuth-'));
  // Processes of other users, which some tests start, need it as they need /tmp.
  chmodSync(process.env.AZIMUTH_TEST_RUN, 0o1777);
  process.env.TMPDIR = process.env.AZIMUTH_TEST_RUN;
  process.env.AZIMUTH_SANDBOX_KEYS = join(process.env.AZIMUTH_TEST_RUN, 'keys');
  // Programs that tests start find their code compiled: that halves the processor time of a start.
  process.env.NODE_COMPILE_CACHE = resolve('node_modules/.cache/azimuth-compiled');
  process.on('exit', () => rmSync(process.env.AZIMUTH_TEST_RUN, { recursive: true, force: true }));
}
