/**
 * Lives of resources by OpenTofu and its provider azurerm on the embedded Azure: create, plan without a change, destroy.
 * Words select resources. A resource of `known-failures.ts` that fails as told there does not fail the run.
 */
import { knownFailures } from './known-failures.ts';
import { type Life, liveThrough } from './life.ts';
import { buildTerraform, type TerraformPrograms } from './programs.ts';
import { resourceNames } from './resources.ts';

/** Lives at a time: the provider waits most of theirs. */
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

async function livesOf(programs: TerraformPrograms): Promise<ReadonlyMap<string, Life>> {
  const lives = new Map<string, Life>();
  const names = wanted.values();
  const work = async () => {
    for (const name of names) {
      const life = await liveThrough(name, programs);
      lives.set(name, life);
      const { failed, reason = '' } = life;
      console.error(failed === undefined ? `${name} passes` : `${name}: ${failed} failed: ${reason}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return lives;
}

const steps = ['create', 'plan', 'destroy'] as const;

function row(name: string, failed: Life['failed']): string {
  const end = failed === undefined ? steps.length : steps.indexOf(failed);
  const cells = steps.map((_, index) => (index < end ? 'yes' : index === end ? 'no' : ''));
  return `| \`${name}\` | ${cells.join(' | ')} |`;
}

const programs = programsOrReason();
if (programs) {
  const lives = await livesOf(programs);
  console.log('| resource | create | plan without a change | destroy |\n|---|---|---|---|');
  for (const name of wanted) console.log(row(name, lives.get(name)?.failed));
  const unexpected = [...lives].filter(([name, { failed }]) => failed !== knownFailures[name]?.step);
  for (const [name] of unexpected) console.error(`${name} is not as known-failures.ts tells.`);
  if (unexpected.length > 0) process.exitCode = 1;
}
