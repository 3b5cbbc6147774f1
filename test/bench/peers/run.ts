/**
 * The comparison of `npm run test:judges -- peers`: ours and the Go programs that they replace, in turn on the same
 * stubs. Words name the programs to compare. A program that cannot be built or run is NOT RUN, with the reason.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, report } from '../bench.ts';
import { csiProvider } from './csi-provider.ts';
import { nodeDaemon } from './node-daemon.ts';

// Temporary files of all processes, which go with the run.
const directory = mkdtempSync(join(tmpdir(), 'azimuth-'));
process.env['TMPDIR'] = directory;
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const comparisons: readonly Bench[] = [nodeDaemon, csiProvider];

const words = process.argv.slice(2);
const names = comparisons.map(({ name }) => name);
const unknown = words.filter((word) => !names.includes(word));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}: name some of ${names.join(', ')}, or none for all.`);
  process.exit(2);
}
for (const comparison of comparisons.filter(({ name }) => words.length === 0 || words.includes(name))) {
  try {
    if (!report(comparison, await comparison.run())) process.exitCode = 1;
  } catch (error) {
    console.error(`NOT RUN: ${comparison.name}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
