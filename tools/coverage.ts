/**
 * `node tools/coverage.ts [TEST PATHS]`: runs `npm test` with V8's coverage of runtime/, and prints the share of covered
 * lines and branches by folder, and the files of which few lines are covered. Processes that tests start are not counted,
 * so programs that only slow tests run show little or nothing.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Below this share of lines a file is listed by itself. */
const lowPercent = 50;

interface Counts {
  readonly total: number;
  readonly covered: number;
}

/** The lines and branches of one file, as Jest's reporter `json-summary` has them. */
export interface FileCoverage {
  readonly lines: Counts;
  readonly branches: Counts;
}

/** Percent, rounded down: 100 means that nothing is left. A file without branches has all of them covered. */
const percent = ({ total, covered }: Counts) => (total === 0 ? 100 : Math.floor((100 * covered) / total));
const sum = (all: readonly Counts[]): Counts => ({
  total: all.reduce((count, { total }) => count + total, 0),
  covered: all.reduce((count, { covered }) => count + covered, 0),
});

/** The table by folder (`runtime/kube/client`), and the files of which few lines are covered. Paths are of the tree. */
export function coverageTables(files: Readonly<Record<string, FileCoverage>>): string {
  const folders = new Map<string, FileCoverage[]>();
  for (const [file, coverage] of Object.entries(files)) {
    const folder = file.split('/').slice(0, -1).slice(0, 3).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), coverage]);
  }
  const row = (name: string, all: readonly FileCoverage[]) =>
    `| ${name} | ${all.length} | ${percent(sum(all.map(({ lines }) => lines)))} % | ` +
    `${percent(sum(all.map(({ branches }) => branches)))} % |`;
  const low = Object.entries(files)
    .filter(([, { lines }]) => percent(lines) < lowPercent)
    .map(([file, { lines }]) => `| \`${file}\` | ${percent(lines)} % |`);
  return [
    '| folder | files | lines | branches |\n|---|---|---|---|',
    ...[...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, all]) => row(`\`${folder}\``, all)),
    row('all', Object.values(files)),
    `\nFiles of which the quick tier covers less than ${lowPercent} % of the lines, such as programs, the driver and workers:\n`,
    '| file | lines |\n|---|---|',
    ...low.sort(),
  ].join('\n');
}

/** Whether a file has more than types, imports and comments: others never appear in a report. */
export function hasCode(text: string): boolean {
  const code = stripTypeScriptTypes(text)
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/^(?:import|export \*|export \{)[\s\S]*?;$/gm, '');
  return code.trim() !== '';
}

if (import.meta.main) {
  const part = process.argv.slice(2);
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-coverage-'));
  const reporter = ['--coverageReporters=json-summary', `--coverageDirectory=${directory}`];
  const scope = [
    '--coverageProvider=v8',
    // Code that V8 has from a cache lacks some counts.
    '--testEnvironment=node',
    '--collectCoverageFrom=runtime/**/*.ts',
    '--collectCoverageFrom=!**/generated/**',
  ];
  const { status } = spawnSync('npm', ['test', '--', '--coverage', ...scope, ...reporter, ...part], {
    stdio: 'inherit',
  });
  const summary = JSON.parse(readFileSync(join(directory, 'coverage-summary.json'), 'utf8'));
  rmSync(directory, { recursive: true });
  delete summary.total;
  const files = Object.fromEntries(
    Object.entries<FileCoverage>(summary).map(([file, each]) => [relative('.', file), each]),
  );
  for (const file of part.length > 0 ? [] : globSync('runtime/**/*.ts')) {
    const text = readFileSync(file, 'utf8');
    if (file in files || /\/generated\/|\.d\.ts$/.test(file) || !hasCode(text)) continue;
    files[file] = { lines: { total: text.split('\n').length, covered: 0 }, branches: { total: 1, covered: 0 } };
  }
  console.log(coverageTables(files));
  process.exitCode = status ?? 1;
}
