/** What whoever may write the statuses of ComputeRuns costs the operator: memory, and time of its one thread. */
import { expect, test } from '@jest/globals';
import { type BlockStatus, computeRun } from '../../../runtime/api/deployments/compute-run.ts';
import { validate } from '../../../runtime/api/validate.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ObjectKey } from '../../../runtime/kube/client/types.ts';
import { DeploymentReconciler } from '../../../runtime/operator/deployments/deployment-reconciler.ts';
import { sizeOf } from '../../../runtime/operator/deployments/deployment-run.ts';
import { RunLoader } from '../../../runtime/operator/deployments/run-loader.ts';
import { RunStore } from '../../../runtime/operator/deployments/run-store.ts';
import {
  type DeploymentObject,
  type RecordedRun,
  type Runs,
  runType,
} from '../../../runtime/operator/deployments/runs/runs.ts';

const signal = new AbortController().signal;
const clock = new ManualClock(1_700_000_000_000);
const keyOf = (name: string | number) => `VirtualNetwork.network.azure.com/${name}`;
const block = (change: Partial<BlockStatus> = {}): BlockStatus => ({
  resource: keyOf('net'),
  pipeline: 'network',
  state: 'Succeeded',
  action: 'Modify',
  outcome: 'Succeeded',
  hash: '0123456789abcdef',
  run: 'd-1',
  since: '2026-01-01T00:00:00.000Z',
  ...change,
});

const recordedOf = (name: string) =>
  ({
    object: {
      kind: 'ComputeRun',
      metadata: { namespace: 'team', name: `${name}-1`, uid: `${name}-r` },
      spec: { deployment: name },
      status: { state: 'Running' },
    },
    record: { number: 1 },
  }) as unknown as RecordedRun;

/** A store of a run with these statuses of its locations, by location; `rest` is on each of their objects. */
function storeOf(statuses: Readonly<Record<string, object>>, rest: object = {}) {
  const found = (run: string) =>
    Object.entries(statuses).map(([location, status]) => ({
      apiVersion: 'v',
      kind: 'ComputeRun',
      metadata: { namespace: 'team', name: `${run}-${location}`, uid: location },
      spec: { deployment: 'd', location },
      ...rest,
      status: { ...(rest as { status?: object }).status, ...status },
    }));
  const read: string[] = [];
  const client = {
    tryGet: async (_: unknown, { name }: ObjectKey) => {
      read.push(name);
      return found(name.slice(0, name.lastIndexOf('-'))).find(({ metadata }) => metadata.name === name);
    },
  } as unknown as KubeClient;
  const runs = { locationsOf: (_: string, deployment: string) => found(`${deployment}-1`) } as unknown as Runs;
  return { store: new RunStore(client, runs), read };
}

const readBlocks = async (blocks: readonly BlockStatus[], rest?: object) =>
  await storeOf({ east: { blocks } }, rest).store.read(recordedOf('d'), signal);

test('of a stored block no more is kept than the operator writes', async () => {
  const { blocks } = await readBlocks([
    block({ message: 'm'.repeat(1_400_000), reason: 'r'.repeat(1_400_000) }),
    block({ resource: keyOf('x'.repeat(1000)) }),
    block({ resource: keyOf('long-hash'), hash: 'h'.repeat(1000) }),
    block({ resource: keyOf('long-run'), run: 'r'.repeat(1000) }),
    block({ resource: keyOf('kept'), message: `${'m'.repeat(240)}…` }),
  ]);
  expect(blocks.map(({ resource }) => resource)).toEqual([keyOf('net'), keyOf('kept')]);
  expect(blocks[0]).toMatchObject({ message: `${'m'.repeat(240)}…`, reason: 'r'.repeat(240) });
  expect(blocks[1]).toEqual(block({ resource: keyOf('kept'), message: `${'m'.repeat(240)}…` }));
});

test('of the run of a location no more than its identity is kept', async () => {
  const text = 'x'.repeat(100_000);
  const { locationRuns } = await readBlocks([], { status: { message: text }, extra: text });
  expect(JSON.stringify([...locationRuns]).length).toBeLessThan(300);
  expect(locationRuns.get('east')?.object.metadata).toEqual({ namespace: 'team', name: 'd-1-east', uid: 'east' });
});

test('of the dependencies of stored blocks as many are read as goals can have', async () => {
  const after = Array.from({ length: 15_000 }, (_, index) => `A.b/${index}`);
  const blocks = Array.from({ length: 3 }, (_, index) => block({ resource: keyOf(index), after }));
  const count = ({ records }: { records: readonly { after: readonly string[] }[] }) =>
    records.map((record) => record.after.length);
  expect(count(await readBlocks(blocks))).toEqual([15_000, 5000, 0]);
  const names = Array.from({ length: 60 }, (_, index) => `l${index}`);
  const { store } = storeOf(Object.fromEntries(names.map((name) => [name, { blocks }])));
  const all = count(await store.read(recordedOf('d'), signal)).reduce((sum, each) => sum + each, 0);
  expect(all).toBe(500_000);
});

test('runs of locations are read until they have 32 million characters together', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `l${index}`);
  const { store, read } = storeOf(
    Object.fromEntries(names.map((name) => [name, { blocks: [block({ resource: keyOf(name) })] }])),
    { status: { message: 'x'.repeat(1_000_000) } },
  );
  const { blocks, characters } = await store.read(recordedOf('d'), signal);
  expect(read).toHaveLength(32);
  expect(blocks).toHaveLength(32);
  expect(characters).toBeGreaterThan(32_000_000);
});

test('the definition refuses what the operator never writes, and takes what it writes', () => {
  const problems = (change: object) => {
    const status = { blocks: [block(change)] };
    const [apiVersion, metadata] = [apiVersionOf(runType), { name: 'd-1' }];
    const object = { apiVersion, kind: 'ComputeRun', metadata, spec: { deployment: 'd' }, status };
    return validate(computeRun, object as unknown as KubeObject).map(({ path }) => path);
  };
  const key = keyOf('n'.repeat(253));
  const longest = { resource: key, message: `${'m'.repeat(240)}…`, reason: 'r'.repeat(240), run: 'r'.repeat(253) };
  expect(problems({ ...longest, after: Array.from({ length: 20_000 }, () => key) })).toEqual([]);
  const long = 'x'.repeat(513);
  for (const member of ['resource', 'hash', 'run', 'reason', 'message'])
    expect(problems({ [member]: long })).toEqual([`status.blocks[0].${member}`]);
  expect(problems({ after: [long] })).toEqual(['status.blocks[0].after[0]']);
  expect(problems({ after: Array.from({ length: 20_001 }, () => key) })).toEqual(['status.blocks[0].after']);
});

/** A loader of deployments with one object each, whose goal and stored blocks these are. */
function loaderOf(blocks: readonly BlockStatus[], parameters: object = {}) {
  const { store } = storeOf({ east: { blocks } });
  const goal = { locations: [{ name: 'east' }], at: '2026-01-01T00:00:00Z', template: {}, parameters };
  const node = { key: keyOf('net'), location: 'east', pipeline: 'network', hash: 'h', dependsOn: [], manifest: {} };
  const loader = new RunLoader({
    runtime: { clock },
    runs: { goal: async () => JSON.stringify(goal), of: () => [] },
    store,
    expansions: { expand: async () => ({ nodes: [node], problems: [] }) },
    children: { owned: () => new Map() },
  } as never);
  const load = async (name: string) => {
    const deployment = { metadata: { name, namespace: 'team', uid: name }, spec: {} } as DeploymentObject;
    const run = await loader.load(deployment, recordedOf(name), signal);
    if (!('graph' in run)) throw new Error('the goal has problems');
    return run;
  };
  return { loader, load };
}

test('a dependency on what is no object of the run is not kept', async () => {
  const { load } = loaderOf([block({ resource: keyOf('old'), after: [keyOf('net'), keyOf('forged')] })]);
  const { graph } = await load('d');
  expect(graph.records.get(keyOf('old'))?.after).toEqual([keyOf('net')]);
});

test('texts and dependencies of a run count as objects', async () => {
  const size = async (blocks: readonly BlockStatus[]) => sizeOf(await loaderOf(blocks).load('d'));
  const keys = Array.from({ length: 200 }, (_, index) => keyOf(index));
  const texts = { message: 'm'.repeat(240), reason: 'r'.repeat(240) };
  expect(await size([])).toBe(1);
  expect(await size(keys.map((resource) => block({ resource })))).toBe(201);
  expect(await size(keys.map((resource) => block({ resource, ...texts })))).toBe(201 + 96);
  expect(await size(keys.map((resource) => block({ resource, after: keys.slice(0, 100) })))).toBe(201 + 1000);
});

test('a run with a goal of a megabyte takes the memory of a thousand objects', async () => {
  const { loader, load } = loaderOf([], { text: 'x'.repeat(999_000) });
  const names = Array.from({ length: 110 }, (_, index) => `d${index}`);
  for (const name of names) await load(name);
  expect(names.filter((name) => loader.has({ namespace: 'team', name }))).toHaveLength(50);
});

test.each([
  ['forged records', 20_000, 0, {}],
  ['forged dependencies', 20, 20_000, {}],
  ['forged records of a deployment that is deleted', 20_000, 0, { deletionTimestamp: '2026-01-01T00:00:00Z' }],
])('a namespace waits for the credit that %s cost', async (_what, count, dependencies, metadata) => {
  const resources = Array.from({ length: count }, (_, index) => keyOf(index));
  const blocks = resources.map((resource) => {
    const after = Array.from({ length: dependencies / count }, (_, index) => keyOf(index % count));
    return block({ resource, after });
  });
  const { loader, load } = loaderOf(blocks);
  await load('d');
  const parts = {
    runtime: { clock, client: { tryGet: async () => deployment, list: async () => definitions } },
    deployments: { get: () => ({}) },
    runs: { records: { load: async () => undefined }, catchUp: async () => undefined },
    current: { forget: () => undefined, find: async () => ({ recorded: recordedOf('d'), problems: [] }) },
    loader: Object.assign(Object.create(loader), {
      has: () => true,
      load: async () => await load('d'),
      loadForDeletion: async () => await load('d'),
      forget: () => undefined,
    }),
    driver: { drive: () => Promise.reject(new Error('enough')) },
    rounds: { readAgain: async () => ({ isOther: false, problems: [] }) },
    store: {},
  };
  const definitions = { items: [{ metadata: { name: 'computedeployments.azimuth.dev' } }] };
  const deployment = {
    metadata: { name: 'd', namespace: 'team', uid: 'd', finalizers: ['azimuth.dev/deployment'], ...metadata },
    spec: { template: {} },
  };
  const { reconcile } = new DeploymentReconciler(parts as never);
  const answers: unknown[] = [];
  for (let edits = 0; edits < 300; edits++)
    answers.push(
      await reconcile({ namespace: 'team', name: 'd', key: 'd' }, signal).catch((error: Error) => error.message),
    );
  expect(answers[0]).toBe('enough');
  expect(answers.at(-1)).toEqual({ requeueAfterMs: expect.any(Number) });
});
