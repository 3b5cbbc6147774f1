import { beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { TimeCredit } from '../../../../runtime/base/isolation/time-credit.ts';
import type { GoalOutput } from '../../../../runtime/compute/deployments/goal-outputs.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import type { DeploymentRun } from '../../../../runtime/operator/deployments/deployment-run.ts';
import {
  DeploymentOutputs,
  type DeploymentOutputsDeps,
} from '../../../../runtime/operator/deployments/outputs/deployment-outputs.ts';
import type { DeploymentObject } from '../../../../runtime/operator/deployments/runs/runs.ts';

const mark = 'marked-5c1d-value';
const hour = 3_600_000;
const deployment = {
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ComputeDeployment',
  metadata: { namespace: 'team', name: 'shop', uid: 'u', generation: 1 },
  spec: { outputs: { configMap: { name: 'config' }, secret: { name: 'out' } }, template: { arm: { json: '{}' } } },
} as unknown as DeploymentObject;
const run = {
  goal: { arm: {} },
  nodes: new Map([['a', { location: 'east' }]]),
  recorded: { object: { metadata: { uid: 'r' } } },
} as unknown as DeploymentRun;

const clock = new ManualClock(1000);
const objects = new Map<string, KubeObject>();
/** What the template makes of Azure's answers now, how often it was asked, and each write. */
const world = { endpoint: 'one', withSecret: true, reads: 0, writes: [] as string[] };
beforeEach(() => {
  objects.clear();
  Object.assign(world, { endpoint: 'one', withSecret: true, reads: 0, writes: [] });
});

const keyOf = (type: { kind: string }, name: string) => `${type.kind}/${name}`;
const client = {
  tryGet: async (type: { kind: string }, { name }: { name: string }) => objects.get(keyOf(type, name)),
  create: async (type: { kind: string }, object: KubeObject) => {
    world.writes.push(`create ${object.kind}`);
    objects.set(keyOf(type, object.metadata.name), object);
    return object;
  },
  patch: async (type: { kind: string }, { name }: { name: string }, { body }: { body: KubeObject }) => {
    world.writes.push(`patch ${type.kind}`);
    const { metadata, data, ...rest } = objects.get(keyOf(type, name)) as KubeObject & { data: object };
    const merged = { ...rest, metadata: { ...metadata, ...body.metadata }, data: { ...data, ...(body['data'] ?? {}) } };
    objects.set(keyOf(type, name), merged);
    return merged;
  },
};

/** An operator that has just started. */
function start(period: number | 'never' = hour) {
  const resyncMs = period === 'never' ? undefined : period;
  const outputs = async () => {
    world.reads++;
    const made: GoalOutput[] = [{ name: 'endpoint', text: world.endpoint }];
    if (world.withSecret) made.push({ name: 'key', expression: "[parameters('secret0')]", sources: [{ value: mark }] });
    return { outputs: made, needed: [], problems: [] };
  };
  const access = { check: async () => undefined };
  const parts = { client, access, expansions: { outputs }, answers: {}, clock, resyncMs };
  const writer = new DeploymentOutputs(parts as unknown as DeploymentOutputsDeps);
  const credit = new TimeCredit(clock, 1000);
  return (of = deployment) => writer.write(run, of, credit, new AbortController().signal);
}

test('a restart neither reads nor writes outputs that are there', async () => {
  await start()();
  expect(world.writes).toEqual(['create ConfigMap', 'create Secret']);
  const restarted = start();
  const { problems, againMs = 0 } = await restarted();
  expect([problems, world.reads, world.writes.length]).toEqual([[], 1, 2]);
  expect(againMs).toBeLessThanOrEqual(hour);
  for (const { metadata } of objects.values()) expect(JSON.stringify(metadata)).not.toContain(mark);
});

test.each(['ConfigMap/config', 'Secret/out'])('a restart writes %s again that somebody has deleted', async (gone) => {
  await start()();
  objects.delete(gone);
  await start()();
  expect(world.writes.slice(2)).toEqual([`create ${gone.split('/')[0]}`]);
});

test('outputs without a secret value are written too, and a mark on the object of another owner counts nothing', async () => {
  world.withSecret = false;
  await start()();
  await start()();
  expect([world.reads, [...objects.keys()]]).toEqual([1, ['ConfigMap/config']]);
  const config = objects.get('ConfigMap/config') as KubeObject;
  objects.set('ConfigMap/config', { ...config, metadata: { ...config.metadata, ownerReferences: [] } });
  expect((await start()()).problems).toMatchObject([{ message: expect.stringContaining('does not belong to this') }]);
});

test('a change of the deployment writes them again after a restart', async () => {
  await start()();
  await start()({ ...deployment, metadata: { ...deployment.metadata, generation: 2 } });
  expect(world.reads).toBe(2);
});

test('a resync brings a later change in Azure, and writes nothing else', async () => {
  const write = start();
  const { againMs = 0 } = await write();
  expect(againMs).toBeGreaterThanOrEqual(0.75 * hour);
  expect(againMs).toBeLessThanOrEqual(hour);
  world.endpoint = 'two';
  await write();
  expect(world.reads).toBe(1);
  await clock.advance(againMs);
  await write();
  expect(objects.get('ConfigMap/config')?.['data']).toEqual({ endpoint: 'two' });
  expect(world.writes.slice(2)).toEqual(['patch ConfigMap']);
  await clock.advance(hour);
  await write();
  expect([world.reads, world.writes.length]).toEqual([3, 3]);
});

test('outputs are not read again where the operator resyncs never', async () => {
  const write = start('never');
  expect(await write()).toEqual({ problems: [] });
  await clock.advance(100 * hour);
  await write();
  expect(world.reads).toBe(1);
});
