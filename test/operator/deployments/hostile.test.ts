/** What whoever may write all objects of one namespace does to deployments. */
import { createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { WatchedCache } from '../../../runtime/kube/cache/types.ts';
import type { KubeClient, KubeObject, ObjectKey } from '../../../runtime/kube/client/types.ts';
import { TermCaches } from '../../../runtime/kube/controller/term-caches.ts';
import { Children } from '../../../runtime/operator/deployments/children.ts';
import { CurrentRuns } from '../../../runtime/operator/deployments/current-run.ts';
import { DeploymentReconciler } from '../../../runtime/operator/deployments/deployment-reconciler.ts';
import { RunStore } from '../../../runtime/operator/deployments/run-store.ts';
import { RunRecords, runAnnotation } from '../../../runtime/operator/deployments/runs/run-records.ts';
import { type DeploymentObject, type RunObject, Runs } from '../../../runtime/operator/deployments/runs/runs.ts';
import { LinkedSources } from '../../../runtime/operator/deployments/sources/linked-sources.ts';
import { KindCaches } from '../../../runtime/operator/objects/kind-caches.ts';

const signal = new AbortController().signal;
const deployment = {
  kind: 'ComputeDeployment',
  metadata: { namespace: 'team', name: 'd', uid: 'deployment', generation: 1 },
  spec: { locations: [{ name: 'east' }], template: { manifests: [] } },
} as unknown as DeploymentObject;
const runNamed = (name: string, spec: object = {}, metadata: object = {}): RunObject =>
  ({
    kind: 'ComputeRun',
    metadata: { namespace: 'team', name, uid: name, resourceVersion: '1', ...metadata },
    spec: { deployment: 'd', ...spec },
  }) as RunObject;

/** Runs on a cache with these objects, which `gone` removes again. */
async function runsOn(objects: readonly RunObject[], client: Partial<KubeClient> = {}) {
  let cached = objects;
  const handlers: ((change: object) => void)[] = [];
  const cache = {
    byIndex: () => cached,
    onChange: (handler: (change: object) => void) => void handlers.push(handler),
  } as unknown as WatchedCache<RunObject>;
  const records = new RunRecords({ load: async () => createSecretKey(Buffer.alloc(32, 1)) } as never);
  await records.load(signal);
  const clock = new ManualClock();
  const runs = new Runs(client as KubeClient, cache, records, { clock, termCaches: new TermCaches() });
  const gone = (old: RunObject) => {
    cached = cached.filter((each) => each !== old);
    for (const handler of handlers) handler({ type: 'deleted', old });
  };
  return { runs, records, clock, gone };
}

const signed = (records: RunRecords, run: RunObject, textHash?: string): RunObject => {
  const record = {
    number: 1,
    reason: 'GoalChanged',
    goalHash: 'h',
    trigger: 't',
    ...(textHash && { textHash }),
  } as const;
  return { ...run, metadata: { ...run.metadata, annotations: { [runAnnotation]: records.sign(run, record) } } };
};

const noSources = new LinkedSources({} as never, {} as never, {} as never, new ManualClock());

test('of forged runs of locations few are read, one after the other', async () => {
  const owner = { apiVersion: 'v', kind: 'ComputeRun', name: 'd-1', uid: 'd-1', controller: true };
  const forged = Array.from({ length: 3000 }, (_, index) =>
    runNamed(`${index % 2 ? 'd-1-' : 'other-'}x${index}`, { location: `x${index}` }, { ownerReferences: [owner] }),
  );
  const blocks = Array.from({ length: 1000 }, (_, index) => ({
    resource: `A.b/${index}`,
    pipeline: 'other',
    state: 'Waiting',
  }));
  const read: string[] = [];
  let reading = 0;
  const client = {
    tryGet: async (_: unknown, { name }: ObjectKey) => {
      expect(++reading).toBe(1);
      read.push(name);
      await new Promise((resolve) => setImmediate(resolve));
      reading--;
      return { ...forged.find(({ metadata }) => metadata.name === name), status: { blocks } };
    },
  } as unknown as KubeClient;
  const { runs, records } = await runsOn(forged, client);
  const object = runNamed('d-1');
  const found = await new RunStore(client, runs).read({ object, record: records.read(object) as never }, signal);
  expect(read.length).toBe(100);
  expect(read.every((name) => name.startsWith('d-1-'))).toBe(true);
  expect(found.blocks).toHaveLength(20_000);
  expect(JSON.stringify([...found.locationRuns.values()])).not.toContain('A.b/1');
});

test('a run that somebody deletes is not remembered, and none is without an end', async () => {
  const { runs, records, clock, gone } = await runsOn([]);
  const run = signed(records, runNamed('d-1'));
  runs.remember(run);
  expect(runs.of(deployment)).toHaveLength(1);
  gone(run);
  expect(runs.of(deployment)).toEqual([]);
  runs.remember(run);
  await clock.advance(30_001);
  expect(runs.of(deployment)).toEqual([]);
});

test('the goal of a run that somebody changed after the operator signed it is not run', async () => {
  const objects = new Map<string, RunObject>();
  const client = {
    create: async (_: unknown, object: RunObject) => ({ ...object, metadata: { ...object.metadata, uid: 'u' } }),
    patch: async (_: unknown, __: unknown, { body }: { body: { metadata: object } }) => ({
      ...runNamed('d-1', { goal: 'the goal' }, { uid: 'u', ...body.metadata }),
    }),
    tryGet: async () => objects.get('d-1'),
  } as unknown as KubeClient;
  const { runs } = await runsOn([], client);
  const record = { number: 1, reason: 'GoalChanged', goalHash: 'h', trigger: 't' } as const;
  const made = await runs.create(deployment, { goal: 'the goal' }, record, signal);
  objects.set('d-1', { ...made.object, spec: { deployment: 'd', goal: 'the goal' } });
  expect(await runs.goal(made, signal)).toBe('the goal');
  objects.set('d-1', { ...made.object, spec: { deployment: 'd', goal: 'another one' } });
  expect(await runs.goal(made, signal)).toBeUndefined();
});

test('a goal is computed once for a generation, in the process for templates, and of requests ten are taken at a time', async () => {
  const { runs, records } = await runsOn([
    ...Array.from({ length: 500 }, (_, index) => runNamed(`ask-${index}`, { goalOf: 'none' })),
  ]);
  let computed = 0;
  let refused = 0;
  const known = signed(records, runNamed('d-1'));
  const parts = {
    runtime: { clock: new ManualClock() },
    runs: Object.assign(Object.create(runs), {
      of: () => [{ object: known, record: { number: 1, trigger: 'other', goalHash: 'h' } }],
      requested: () => runs.requested(deployment),
      create: async () => ({ object: known, record: {} }),
    }),
    store: { writeStatus: async () => void refused++ },
    expansions: {
      goal: async () => ({ hash: `${++computed}`, text: '{}' }),
      expand: async () => ({ nodes: [], problems: [{ path: 'template', message: 'wrong' }] }),
    },
    children: { serves: () => true },
    sources: noSources,
  };
  const current = new CurrentRuns(parts as never);
  await current.find(deployment, signal);
  expect([computed, refused]).toEqual([1, 10]);
  await current.find(deployment, signal);
  expect(computed).toBe(1);
  const edited = { ...deployment, metadata: { ...deployment.metadata, generation: 2 } };
  await current.find(edited, signal);
  expect(computed).toBe(2);
});

test('goals that never get a run are kept within a bound, and that of a neighbour stays', async () => {
  const { runs } = await runsOn([]);
  const computed: string[] = [];
  const problem = { nodes: [], problems: [{ path: 'template', message: 'wrong' }] };
  const goal = async (namespace: string) => {
    computed.push(namespace);
    return { hash: namespace, text: '{}'.padEnd(namespace === 'team' ? 2 : 1_000_000) };
  };
  const expansions = { goal, expand: async () => problem };
  const current = new CurrentRuns({
    runtime: { clock: new ManualClock() },
    runs,
    expansions,
    children: {},
    sources: noSources,
  } as never);
  const of = (namespace: string, name: string) =>
    ({ ...deployment, metadata: { ...deployment.metadata, namespace, name, uid: name } }) as DeploymentObject;
  await current.find(of('team', 'small'), signal);
  const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
  for (const name of names) await current.find(of('hostile', name), signal);
  computed.length = 0;
  for (const name of names.toReversed()) await current.find(of('hostile', name), signal);
  // At most eight are still there; the others are computed again.
  expect(computed.length).toBeGreaterThanOrEqual(22);
  computed.length = 0;
  await current.find(of('team', 'small'), signal);
  expect(computed).toEqual([]);
});

test('an object of another namespace is not of a deployment, whatever owner it names', () => {
  const ownerReferences = [
    { apiVersion: 'v', kind: 'ComputeDeployment', name: 'd', uid: 'deployment', controller: true },
  ];
  const object = (namespace: string): KubeObject => ({
    apiVersion: 'network.azure.com/v1',
    kind: 'VirtualNetwork',
    metadata: { namespace, name: `of-${namespace}`, ownerReferences },
  });
  const cache = {
    type: { group: 'network.azure.com', kind: 'VirtualNetwork' },
    byIndex: () => [object('team'), object('hostile')],
  } as unknown as WatchedCache;
  const children = new Children({} as KubeClient, new KindCaches([cache]), new TermCaches(), {
    check: async () => undefined,
  });
  expect([...children.owned(deployment).keys()]).toEqual(['VirtualNetwork.network.azure.com/of-team']);
});

test.each([
  ['in memory', true, 25],
  ['not in memory, which costs more', false, 9],
])(
  'a namespace whose deployments of ten thousand objects change without a pause waits for its credit: %s',
  async (_what, isInMemory, most) => {
    const clock = new ManualClock();
    let loaded = 0;
    const nodes = new Map(Array.from({ length: 10_000 }, (_, index) => [`${index}`, { dependsOn: [] }]));
    const of = (namespace: string) => ({
      ...deployment,
      metadata: { ...deployment.metadata, namespace, finalizers: ['azimuth.dev/deployment'] },
    });
    const recorded = { object: runNamed('d-1', {}, {}), record: { number: 1 } };
    const parts = {
      runtime: { clock, client: { tryGet: async (_: unknown, { namespace = '' }: ObjectKey) => of(namespace) } },
      deployments: { get: () => ({}) },
      runs: { records: { load: async () => undefined }, catchUp: async () => undefined },
      current: { find: async () => ({ recorded, problems: [] }) },
      loader: {
        load: async () => {
          loaded++;
          const graph = { suspend: () => undefined, records: new Map() };
          return { nodes, graph, notes: new Map(), goal: { text: '' }, characters: 0 };
        },
        has: () => isInMemory,
        forget: () => undefined,
      },
      driver: { drive: () => Promise.reject(new Error('enough')) },
      rounds: { readAgain: async () => ({ isOther: false, problems: [] }) },
      store: {},
    };
    const { reconcile } = new DeploymentReconciler(parts as never);
    const run = (namespace: string) =>
      reconcile({ namespace, name: 'd', key: 'd' }, signal).catch((error: Error) => error.message);
    for (let edits = 0; edits < 100; edits++) await run('hostile');
    expect(loaded).toBe(most);
    expect(await run('hostile')).toEqual({ requeueAfterMs: expect.any(Number) });
    expect(await run('good')).toBe('enough');
    await clock.advance(2000);
    expect(await run('hostile')).toBe('enough');
  },
);
