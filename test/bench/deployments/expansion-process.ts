import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExpandedLocation } from '../../../runtime/compute/deployments/expand-goal.ts';
import { expansionHeapMebibytes } from '../../../runtime/operator/deployments/expansions.ts';
import { bundle } from '../../../tools/bundle.ts';
import { builtOnce } from '../../fakes/built-once.ts';
import type { Figure } from '../bench.ts';

/** Jobs of each goal, one after the other in one process. */
const jobs = 6;
/** What a job may add to the ready process, and the rest of what the manifests reserve for both. MB. */
const goalMb = 160;

const location = 'westeurope';
const place = { namespace: 'bench', deployment: 'bench', location };
const groupId = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg';
const rest = { parameters: {}, locations: [{ name: location, parameters: {} }], at: '2026-01-01T00:00:00.000Z' };

/** A goal of an ARM template. */
const arm = (json: string) => ({
  goal: JSON.stringify({ ...rest, template: { arm: { json, owner: { name: 'rg' } } } }),
  place,
  target: { groupId, groupName: 'rg', tenantId: '' },
});

/** A goal of so many manifests, each with a text of so many characters. */
const manifests = (count: number, length: number) => {
  const each = (index: number) => ({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name: `rg-${index}-\${location}` },
    spec: { location, tags: { text: 'x'.repeat(length) } },
  });
  const template = { manifests: Array.from({ length: count }, (_, index) => each(index)) };
  return { goal: JSON.stringify({ ...rest, template }), place };
};

/** Resident memory of the bundled process that expands goals, with the largest goals that an operator takes. */
export async function expansionMemory(template: string): Promise<Figure[]> {
  const directory = await builtOnce('image', bundle);
  const goals = [
    ['an ARM template of 800 resources', 800, arm(template)],
    ['4,600 manifests, a goal of 1 MB', 4600, manifests(4600, 50)],
    ['100 manifests, a goal of 1 MB', 100, manifests(100, 9500)],
  ] as const;
  const figures: Figure[] = [];
  for (const [what, objects, job] of goals) {
    const child = await start(join(directory, 'expansion-program.mjs'));
    const ready = memoryOf(child).rss;
    for (let round = 0; round < jobs; round++) {
      const { nodes } = await answer(child, job);
      if (nodes.length !== objects) throw new Error(`${what} has ${nodes.length} objects`);
    }
    const { peak, own } = memoryOf(child);
    child.kill('SIGKILL');
    const mb = (value: number) => `${value.toFixed(0)} MB`;
    figures.push({
      what: `memory of the expansion, ${what}`,
      ours: `${mb(peak)} at most, ${mb(own)} of its own`,
      theirs: `${mb(ready)} when ready`,
      goal: `at most ${goalMb} MB`,
      ok: peak <= goalMb,
    });
  }
  return figures;
}

async function start(program: string): Promise<ChildProcess> {
  const execArgv = [`--max-old-space-size=${expansionHeapMebibytes}`, '--max-semi-space-size=1'];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child = fork(program, [], { execArgv, env: {}, serialization: 'advanced', stdio: [...stdio] });
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}

function answer(child: ChildProcess, job: object): Promise<ExpandedLocation> {
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error('the process that expands has ended'));
    child.once('exit', failed).once('message', (message) => {
      child.off('exit', failed);
      resolve(message as ExpandedLocation);
    });
    child.send(job);
  });
}

/** Resident memory in MB: now, its peak, and the part that no other process has. */
function memoryOf({ pid }: ChildProcess) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return { rss: field('VmRSS'), peak: field('VmHWM'), own: field('RssAnon') };
}
