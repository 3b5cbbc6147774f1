/**
 * Runs resources through OpenTofu and its provider azurerm on the embedded Azure: create, plan without a change, destroy.
 * Words select resources. A resource of `known-failures.ts` that fails as listed there does not fail the run.
 */
import { knownFailures } from './known-failures.ts';
import { buildTerraform, type TerraformPrograms } from './programs.ts';
import { type Outcome, runResource } from './resource-run.ts';
import { resourceNames } from './resources.ts';

/** Resources at a time: the provider waits most of the time. */
const atOnce = 4;

const words = process.argv.slice(2);
const wanted = resourceNames.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));

function programsOrReason(): TerraformPrograms | undefined {
  try {
    return buildTerraform();
  } catch (error) {
    console.error(`NOT RUN: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return undefined;
  }
}

async function outcomesOf(programs: TerraformPrograms): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const names = wanted.values();
  const work = async () => {
    for (const name of names) {
      const outcome = await runResource(name, programs);
      outcomes.set(name, outcome);
      const { failed, reason = '' } = outcome;
      console.error(failed === undefined ? `${name} passes` : `${name}: ${failed} failed: ${reason}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}

const steps = ['create', 'plan', 'destroy'] as const;

function row(name: string, failed: Outcome['failed']): string {
  const end = failed === undefined ? steps.length : steps.indexOf(failed);
  const cells = steps.map((_, index) => (index < end ? 'yes' : index === end ? 'no' : ''));
  return `| \`${name}\` | ${cells.join(' | ')} |`;
}

const programs = programsOrReason();
if (programs) {
  const outcomes = await outcomesOf(programs);
  console.log('| resource | create | plan without a change | destroy |\n|---|---|---|---|');
  for (const name of wanted) console.log(row(name, outcomes.get(name)?.failed));
  const unexpected = [...outcomes].filter(([name, { failed }]) => failed !== knownFailures[name]?.step);
  for (const [name] of unexpected) console.error(`${name} differs from known-failures.ts.`);
  if (unexpected.length > 0) process.exitCode = 1;
}
