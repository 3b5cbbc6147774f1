/** The one gate, `npm run check`: runs every step, prints which failed, exits non-zero if any did. */
import { spawnSync } from 'node:child_process';

const steps: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '--noEmit'],
  ['types of the page', 'tsc', '--noEmit', '--project', 'runtime/ui/page'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['import rule', 'node', 'tools/check/imports.ts'],
  ['layout', 'node', 'tools/check/layout.ts'],
  ['patterns', 'node', 'tools/check/patterns.ts'],
  ['prose', 'node', 'tools/check/prose.ts'],
  ['lengths of pages', 'node', 'tools/check/page-lengths.ts'],
  ['words (warnings)', 'node', 'tools/check/words.ts'],
  ['quotes of the tree', 'node', 'tools/check/quotes.ts'],
  ['docstrings', 'node', 'tools/check/docstrings.ts'],
  ['generated files', 'node', 'tools/generate.ts', '--check'],
];

const failed = steps.filter(([name, command, ...args]) => {
  const started = performance.now();
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  const ok = status === 0 && !error;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return !ok;
});
process.exitCode = failed.length === 0 ? 0 : 1;
