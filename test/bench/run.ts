/** `npm run bench` lists the benches; `npm run bench -- kube` runs that bench, or those whose name contains the word; `all` runs all. */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, report } from './bench.ts';

// Temporary files of the benches and of their processes, which go with the run.
const directory = mkdtempSync(join(tmpdir(), 'azimuth-'));
process.env['TMPDIR'] = directory;
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const files = globSync('*/*.bench.ts', { cwd: import.meta.dirname }).sort();
const benches = await Promise.all(files.map(async (file) => (await import(`./${file}`)).bench as Bench));
const words = process.argv.slice(2);
const isName = (word: string) => benches.some(({ name }) => name === word);
const fits = (name: string, word: string) => word === 'all' || (isName(word) ? name === word : name.includes(word));
const chosen = benches.filter(({ name }) => words.some((word) => fits(name, word)));

if (chosen.length === 0) {
  console.log('Name the benches to run, or `all`:');
  for (const { name, description } of benches) console.log(`  ${name}: ${description}`);
  process.exitCode = words.length === 0 ? 0 : 2;
}
for (const bench of chosen) {
  if (!report(bench, await bench.run())) process.exitCode = 1;
}
