import { spawnSync } from 'node:child_process';
import setup from './run-directory.js';

const programs = ['operator', 'identity', 'nmi', 'volumes', 'secrets', 'sandbox'];

/** As run-directory.js; and compiles the programs, as one that a test kills keeps nothing for the next start. */
export default function compile() {
  setup();
  for (const program of programs) {
    const { status } = spawnSync(process.execPath, ['runtime/cli/azimuth.ts', program, '--help']);
    if (status !== 0) throw new Error(`azimuth ${program} --help ended with ${status}`);
  }
}
