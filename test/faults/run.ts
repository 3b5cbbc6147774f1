/**
 * `npm run test:faults`: faults on a running operator, and a table of what came of them. Words pick scenarios;
 * `--seed=N` repeats a run, `--kills=N` and `--resources=N` set its size. `tenant` runs a hostile tenant beside a good
 * one, with all attacks or those of the points that follow the word: `tenant A1 C4`. `answers` and `restore` run on a
 * current etcd and kube-apiserver; a run without words has none of these three.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../../tools/bundle.ts';
import { apiServerScenarios, runOnApiServer } from './api-server/run-on-api-server.ts';
import { problemsOf } from './outcome.ts';
import { Random } from './random.ts';
import { type Outcome, scenarios } from './scenarios.ts';
import { runTenants } from './tenant/run-tenants.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    kills: { type: 'string', default: '200' },
    resources: { type: 'string', default: '50' },
  },
});
// Children are killed on exit, which a signal alone would skip.
for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  process.once(signal, () => process.exit(128 + number));
}
const help = `npm run test:faults -- [word...] [--kills=200] [--resources=50] [--seed=N]
  ${Object.keys(scenarios).join(', ')}
      faults on the embedded cluster and Azure; without words all of them run
  ${Object.keys(apiServerScenarios).join(', ')}
      wrong answers before a current API server, and a restore of its etcd. They take both programs from
      KUBEBUILDER_ASSETS, or build them, and run only when they are named
  tenant [point...]
      a hostile tenant beside a good one; runs alone`;
if (values.help) {
  console.log(help);
  process.exit(0);
}
if (positionals[0] === 'tenant') process.exit(await tenants(positionals.slice(1)));
const seed = Number(values.seed);
const sizes = { kills: Number(values.kills), resources: Number(values.resources) };
const unknown = positionals.filter((word) => !(word in scenarios) && !(word in apiServerScenarios));
if (unknown.length > 0 || [seed, ...Object.values(sizes)].some((number) => !Number.isInteger(number) || number < 0)) {
  console.error(`Expected the words below, and whole numbers for the options\n${help}`);
  process.exit(2);
}
const chosen = Object.entries(scenarios).filter(([word]) => positionals.length === 0 || positionals.includes(word));
const onApiServer = Object.keys(apiServerScenarios).filter((word) => positionals.includes(word));

const columns = [
  'fault',
  'times',
  'resources',
  'goals',
  'not one PUT',
  'repeated',
  'stuck',
  'left',
  'orphans',
  'seconds',
];
const row = (cells: readonly (string | number)[]) =>
  cells.map((cell, index) => (index === 0 ? String(cell).padEnd(30) : String(cell).padStart(11))).join(' ');

const program = await bundleOfRun();
if (chosen.length > 0) console.log(`seed ${seed}\n${row(columns)}`);
for (const [, scenario] of chosen) {
  const started = performance.now();
  const outcome = await scenario({ ...sizes, program, random: new Random(seed) });
  const { what, faults, resources, goals } = outcome;
  const wrong = [outcome.wrongPuts, outcome.repeatedPuts, outcome.stuck, outcome.left, outcome.orphans];
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(row([what, faults, resources, goals, ...wrong.map(({ length }) => length), seconds]));
  tell(outcome);
}
if (onApiServer.length > 0) {
  const problems = await runOnApiServer(onApiServer, program, (text) => console.log(text));
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}

/** What the image runs, which starts in a third of the time that the sources take. Other runs at this time have others. */
async function bundleOfRun(): Promise<string> {
  mkdirSync('dist', { recursive: true });
  const directory = mkdtempSync('dist/faults-');
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await bundle(directory);
  return join(directory, 'azimuth.mjs');
}

function tell(outcome: Outcome): void {
  const { hit, faults } = outcome;
  if (hit) {
    console.log(
      `  of ${faults} kills ${hit.inWrite} cut off a write that Azure had not answered, ${hit.inOperation} hit while Azure ` +
        `went on with an operation; on average ${hit.atWork} of ${outcome.resources} resources were on the way to their goal`,
    );
  }
  const problems = problemsOf(outcome);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

/** Prints what a good tenant feels beside a hostile one; gives the exit code. */
async function tenants(points: readonly string[]): Promise<number> {
  await bundle('dist/image');
  const { memory, problems } = await runTenants(points, (text) => console.log(text));
  console.log(
    `megabytes ${Object.entries(memory)
      .map(([name, size]) => `${name} ${size}`)
      .join(', ')}`,
  );
  console.log(
    problems.length === 0
      ? 'Everything held.'
      : `\nWhat did not hold:\n${problems.map((each) => `- ${each}`).join('\n')}`,
  );
  return problems.length === 0 ? 0 : 1;
}
