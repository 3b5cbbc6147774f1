/** What one process keeps of ComputeDeployments whose runs have ended: run by deployments.bench.ts with the counts. */
import { ManualClock } from '../../../runtime/base/clock.ts';
import { expandLocation } from '../../../runtime/compute/deployments/expand-goal.ts';
import { parseGoal } from '../../../runtime/compute/deployments/goal.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { keysByLocation } from '../../../runtime/operator/deployments/deployment-run.ts';
import { RunLoader, type RunLoaderDeps } from '../../../runtime/operator/deployments/run-loader.ts';
import { RunStore } from '../../../runtime/operator/deployments/run-store.ts';
import type { DeploymentObject, RecordedRun, Runs } from '../../../runtime/operator/deployments/runs/runs.ts';

const [count = 1, objects = 10_000] = process.argv.slice(2).map(Number);
const locations = Array.from({ length: 10 }, (_, index) => `region${index}`);
const clock = new ManualClock(1_700_000_000_000);
const signal = new AbortController().signal;

/** A goal of manifests: a network, and what needs it. */
const goal = JSON.stringify({
  parameters: {},
  at: '2026-01-01T00:00:00.000Z',
  locations: locations.map((name) => ({ name, parameters: {} })),
  template: {
    manifests: Array.from({ length: objects / locations.length }, (_, index) => ({
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: `application-${index}-\${location}` },
      spec: { location: `\${location}`, tags: { team: 'shop', number: `${index}` } },
    })),
  },
});
let writes = 0;
const client = {
  create: async (_: unknown, object: KubeObject) => ({
    ...object,
    metadata: { ...object.metadata, uid: `u${writes++}` },
  }),
  patch: async () => ({ metadata: {} }),
};
const runs = { goal: async () => goal, of: () => [], locationsOf: () => [], remember: (object: KubeObject) => object };
const store = new RunStore(client as never, runs as unknown as Runs);
const loader = new RunLoader({
  runtime: { clock },
  runs,
  store,
  // As from the process that expands.
  expansions: {
    expand: async (text: { text: string }, place: Parameters<typeof expandLocation>[1]) =>
      structuredClone(expandLocation(parseGoal(text.text), place, undefined)),
  },
  children: { owned: () => new Map() },
} as unknown as RunLoaderDeps);

async function run(name: string): Promise<void> {
  const deployment = { metadata: { name, namespace: 'team', uid: name }, spec: { strategy: {} } } as DeploymentObject;
  const object = {
    apiVersion: '',
    kind: '',
    metadata: { name: `${name}-1`, uid: `${name}-r`, namespace: 'team' },
    spec: { deployment: name },
  };
  const recorded = { object, record: { number: 1 } } as unknown as RecordedRun;
  const made = await loader.load(deployment, recorded, signal);
  if (!('graph' in made)) throw new Error(made.problems[0]?.message);
  for (;;) {
    const { effects } = made.graph.next(clock.now());
    if (effects.length === 0) break;
    for (const { key } of effects) {
      made.notes.set(key, { reason: 'Succeeded', message: '', generation: 1 });
      made.graph.ended(key, { outcome: 'Succeeded' }, clock.now());
    }
  }
  if (made.graph.records.size !== objects) throw new Error(`${name} has ${made.graph.records.size} objects`);
  for (const [location, keys] of keysByLocation(made)) await store.writeLocation(made, location, keys, signal);
}

const used = () => {
  for (let round = 0; round < 3; round++) (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
};
await run('first');
const before = used();
const cpu = process.cpuUsage();
for (let index = 0; index < count; index++) await run(`shop${index}`);
const { user } = process.cpuUsage(cpu);
console.log(JSON.stringify({ bytes: (used() - before) / count, goal: goal.length, cpuMs: user / 1000 / count }));
