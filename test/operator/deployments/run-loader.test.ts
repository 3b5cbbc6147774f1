import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { RunLoader, type RunLoaderDeps } from '../../../runtime/operator/deployments/run-loader.ts';
import type { DeploymentObject, RecordedRun } from '../../../runtime/operator/deployments/runs/runs.ts';

const clock = new ManualClock(1_700_000_000_000);

/** What a loader uses, with a goal of one location, these nodes and these objects, without stored progress. */
function partsOf(nodes: (namespace: string) => readonly object[], owned: readonly string[] = []): RunLoaderDeps {
  const goal = JSON.stringify({ locations: [{ name: 'east' }], at: '2026-01-01T00:00:00Z', template: {} });
  const parts = {
    runtime: { clock },
    runs: { goal: async () => goal, of: () => [] },
    store: { read: async () => ({ records: [], blocks: [], locationRuns: [] }) },
    expansions: {
      expand: async (_: unknown, { namespace }: { namespace: string }) => ({ nodes: nodes(namespace), problems: [] }),
    },
    children: { owned: () => new Map(owned.map((key) => [key, { metadata: {} }])) },
  };
  return parts as unknown as RunLoaderDeps;
}

/** The graph of a run, made from its goal and from the objects of the deployment, without stored progress. */
async function graphOf(keys: readonly string[], strategy: object = {}, owned: readonly string[] = []) {
  const nodes = keys.map((key) => {
    return { key, location: 'east', pipeline: 'vm', hash: 'h', dependsOn: [], manifest: {} };
  });
  const parts = partsOf(() => nodes, owned);
  const deployment = { metadata: { name: 'd', namespace: 'team', uid: 'u' }, spec: { strategy } } as DeploymentObject;
  const recorded = { object: { metadata: { name: 'd-1', uid: 'r' }, spec: {} }, record: { number: 1 } };
  const run = await new RunLoader(parts).load(deployment, recorded as RecordedRun, new AbortController().signal);
  if (!('graph' in run)) throw new Error('the goal has problems');
  return run.graph;
}

test('machines of deployments wait for the tokens of a process that has just started', async () => {
  const network = 'VirtualNetwork.network.azure.com/net';
  const machines = ['VirtualMachine.compute.azure.com/a', 'VirtualMachine.compute.azure.com/b'];
  const graph = await graphOf([...machines, network]);
  const first = graph.next(clock.now());
  expect(first.effects.map(({ key }) => key)).toEqual([network]);
  expect(first.askAt).toBe(clock.now() + 15_000);
  expect(graph.next(clock.now() + 15_000).effects.map(({ key }) => key)).toEqual(machines);
});

test('objects whose progress is lost are changed within maxUnavailable', async () => {
  const networks = ['a', 'b', 'c'].map((name) => `VirtualNetwork.network.azure.com/${name}`);
  const graph = await graphOf(networks, { maxUnavailable: 1 }, networks);
  const started = () => graph.next(clock.now()).effects.map(({ key, action }) => `${action} ${key}`);
  expect(started()).toEqual([`Modify ${networks[0]}`]);
  expect(started()).toEqual([]);
  graph.ended(networks[0] ?? '', { outcome: 'Succeeded' }, clock.now());
  expect(started()).toEqual([`Modify ${networks[1]}`]);
});

test('runs of more than 50,000 objects are not kept: those of the heaviest namespace go, and a small one stays', async () => {
  const nodes = Array.from({ length: 10_000 }, (_, index) => {
    const key = `VirtualNetwork.network.azure.com/${index}`;
    return { key, location: 'east', pipeline: 'network', hash: 'h', dependsOn: [], manifest: {} };
  });
  const parts = partsOf((namespace) => (namespace === 'large' ? nodes : nodes.slice(0, 5)));
  const loader = new RunLoader(parts);
  const load = async (namespace: string, name: string) => {
    const recorded = { object: { metadata: { name: `${name}-1`, uid: name }, spec: {} }, record: { number: 1 } };
    const deployment = { metadata: { name, namespace, uid: name }, spec: { strategy: {} } } as DeploymentObject;
    await loader.load(deployment, recorded as RecordedRun, new AbortController().signal);
  };
  await load('small', 'kept');
  for (let index = 0; index < 12; index++) await load('large', `d${index}`);
  const left = Array.from({ length: 12 }, (_, index) => loader.has({ namespace: 'large', name: `d${index}` }));
  expect(left.filter(Boolean)).toHaveLength(4);
  expect(left.slice(0, 8)).toEqual(Array(8).fill(false));
  expect(loader.has({ namespace: 'small', name: 'kept' })).toBe(true);
  // One that is gone is made again.
  await load('large', 'd0');
  expect(loader.has({ namespace: 'large', name: 'd0' })).toBe(true);
});
