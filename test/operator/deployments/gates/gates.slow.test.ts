import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { computeApproval } from '../../../../runtime/api/deployments/compute-approval.ts';
import { resourceOf } from '../../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import type { RunningOperator } from '../../in-process-operator.ts';
import { events, types, until, type World } from '../../support.ts';
import {
  deploymentType,
  namesOf,
  networkSpec,
  readyOf,
  runIn,
  runsOf,
  runType,
  startDeploymentWorld,
} from '../deployment-world.ts';

const approvals = resourceOf(computeApproval);
const jobs = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true } as const;
const apiVersion = 'rbac.authorization.k8s.io/v1';
const key = { namespace: 'default', name: 'checker' };

let world: World;
let operator: RunningOperator;
const restart = async () => {
  await operator?.stop();
  operator = await world.startOperator({}, { gateJobs: true });
};
beforeAll(async () => {
  world = await startDeploymentWorld();
  await restart();
  const rules = [
    { apiGroups: ['resources.azure.com', 'network.azure.com'], resources: ['*'], verbs: ['create', 'patch', 'delete'] },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create'] },
  ];
  const role = { apiVersion, kind: 'Role', metadata: key, rules } as KubeObject;
  await world.client.create({ ...rbac, plural: 'roles', kind: 'Role' }, role);
  await world.client.create({ ...rbac, plural: 'rolebindings', kind: 'RoleBinding' }, {
    apiVersion,
    kind: 'RoleBinding',
    metadata: key,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: key.name },
    subjects: [{ kind: 'ServiceAccount', ...key }],
  } as KubeObject);
});
afterAll(() => world.close());

const waves = [['westus'], ['eastus']];
const apply = (name: string, gate: object, change: object = {}) => {
  const spec = networkSpec(['westus', 'eastus'], { strategy: { waves, gate }, ...change });
  // The objects of two tests must not meet.
  const text = JSON.stringify(spec).replaceAll('rg-${', `${name}-rg-\${`).replaceAll('net-${', `${name}-net-\${`);
  return world.apply(deploymentType, name, JSON.parse(text));
};
const approve = (name: string, run: string, wave: number) =>
  world.client.create(approvals, {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ComputeApproval',
    metadata: { namespace: 'default', name },
    spec: { run, wave, approvedBy: 'alice' },
  } as KubeObject);
const waitsAt = (name: string, wave: number) =>
  until(`${name} waits at the gate of wave ${wave}`, async () => {
    const [run] = await runsOf(world, name);
    const gates = run?.['status']?.gates ?? [];
    return run?.['status']?.state === 'Paused' && gates.at(-1)?.wave === wave ? run : undefined;
  });
const networksOf = async (name: string) =>
  (await namesOf(world, types.network)).filter((each) => each.startsWith(`${name}-`));

test('a wave starts after the approval of the one before, across a restart, and no status stands for an approval', async () => {
  await apply('approved', { approval: true });
  const run = await waitsAt('approved', 1);
  expect(run['status'].message).toBe('gate after wave 1: waits for a ComputeApproval');
  expect((await readyOf(world, 'approved'))?.reason).toBe('Paused');
  expect(await networksOf('approved')).toEqual(['approved-net-westus']);

  // Before the restart: the one of wave 1 is the only approval that this operator sees come.
  await approve('other-wave', run.metadata.name, 2);
  await operator.stop();
  const forged = { gates: [{ wave: 1, state: 'Passed', approvedBy: 'root' }], state: 'Running' };
  const runKey = { namespace: 'default', name: run.metadata.name };
  await world.client.patch(runType, runKey, { type: 'merge', body: { status: forged } }, { subresource: 'status' });
  await restart();
  await waitsAt('approved', 1);
  expect(await networksOf('approved')).toEqual(['approved-net-westus']);

  // Nothing else wakes the deployment.
  await approve('first', run.metadata.name, 1);
  const done = await runIn(world, 'approved', 'Succeeded');
  expect(done['status'].gates).toEqual([
    { wave: 1, state: 'Passed', approvedBy: expect.stringMatching(/^alice \(unverified/) },
    { wave: 2, state: 'Passed', approvedBy: expect.stringMatching(/^alice/) },
  ]);
  // A resource that somebody deletes later comes back without another approval.
  await world.client.delete(types.network, { namespace: 'default', name: 'approved-net-eastus' });
  await until('the network is made again', async () => (await networksOf('approved')).length === 2);
});

test('events say what holds a gate, each time that something else does', async () => {
  // Twelve seconds of this clock, so that the operator sees the wave bake.
  await apply('told', { bakeFor: '2m', approval: true });
  const notes = await until('an event asks for the approval', async () => {
    const { items } = await world.client.list<KubeObject>(events, { namespace: 'default' });
    const ofRun = items.filter((each) => each['reason'] === 'RunPaused' && each['regarding'].name === 'told');
    const found = ofRun.map((each) => String(each['note']));
    return found.some((note) => note.endsWith('waits for a ComputeApproval')) && found;
  });
  expect(
    notes.filter((note) => /^told-1 is Paused: gate after wave 1: bakes until /.test(note)).length,
  ).toBeGreaterThan(0);
  await world.client.delete(deploymentType, { namespace: 'default', name: 'told' });
});

/** Plays the Job controller for the Job of a deployment. */
async function endJob(deployment: string, type: 'Complete' | 'Failed'): Promise<string> {
  const job = await until(`the Job of ${deployment}`, async () => {
    const { items } = await world.client.list<KubeObject>(jobs, { namespace: 'default' });
    return items.find((each) => each.metadata.name.startsWith(`${deployment}-`) && !each['status']?.conditions);
  });
  const conditions = [{ type, status: 'True', message: 'the page is white' }];
  const jobKey = { namespace: 'default', name: job.metadata.name };
  await world.client.patch(
    jobs,
    jobKey,
    { type: 'merge', body: { status: { conditions } } },
    { subresource: 'status' },
  );
  return job.metadata.name;
}

test('a Job that fails stops the run before the next wave, and the roll-back passes the same gate without approval', async () => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'smoke', image: 'curl' }] } };
  const gate = { checks: [{ name: 'smoke', job: { spec: { template } } }] };
  const change = { serviceAccountName: key.name };
  const strategy = (more: object) => ({ strategy: { waves, gate: { ...gate, ...more }, onFailure: 'Rollback' } });
  await apply('smoked', gate, { ...change, ...strategy({}) });
  await endJob('smoked', 'Complete');
  await endJob('smoked', 'Complete');
  await runIn(world, 'smoked', 'Succeeded');

  await apply('smoked', gate, { ...change, ...strategy({ approval: true }), parameters: { team: 'bad' } });
  const job = await endJob('smoked', 'Failed');
  await until('the second run failed', async () => (await runsOf(world, 'smoked'))[1]?.['status']?.state === 'Failed');
  const [, failed] = await runsOf(world, 'smoked');
  expect(failed?.['status'].message).toBe(`gate after wave 1: check smoke: the Job ${job} failed: the page is white`);
  expect((await world.get(types.group, 'smoked-rg-eastus'))['spec'].tags.team).toBe('shop');
  await endJob('smoked', 'Complete');
  await endJob('smoked', 'Complete');
  const back = await runIn(world, 'smoked', 'Succeeded', 3);
  expect(back['status']).toMatchObject({ reason: 'Rollback', gates: [{ state: 'Passed' }, { state: 'Passed' }] });
  expect((await world.get(types.group, 'smoked-rg-westus'))['spec'].tags.team).toBe('shop');
});

test('a check that the operator may not make fails the run, and says what is missing', async () => {
  const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } };
  await apply('nobody', { checks: [{ name: 'job', job: { spec } }] });
  const run = await runIn(world, 'nobody', 'Failed');
  expect(run['status'].message).toContain('a Job needs spec.serviceAccountName');
  await apply('outside', { checks: [{ name: 'page', http: { url: 'https://example.org' } }] });
  const other = await runIn(world, 'outside', 'Failed');
  expect(other['status'].message).toContain('https://example.org is not among the targets that the operator allows');
});

test('a metric of an object of the deployment is read from Azure, and another object is refused', async () => {
  const metric = (name: string) => ({
    name: 'load',
    azureMonitor: { metric: 'BytesInDDoS', below: 5, resource: { kind: 'VirtualNetwork.network.azure.com', name } },
  });
  const point = { timeStamp: '2026-01-01T00:00:00Z', average: 4 };
  world.azure.faults.add({
    service: 'arm',
    method: 'GET',
    path: 'metered-net-.*/providers/Microsoft.Insights/metrics\\?.*metricnames=BytesInDDoS',
    status: 200,
    times: 0,
    body: { value: [{ timeseries: [{ data: [point, { timeStamp: 'x' }, { ...point, average: 5 }] }] }] },
  });
  await apply('metered', { checks: [metric('net-${location}')] });
  await runIn(world, 'metered', 'Succeeded');
  world.azure.faults.clear();
  await apply('foreign', { checks: [metric('approved-net-westus')] });
  const run = await runIn(world, 'foreign', 'Failed');
  expect(run['status'].message).toContain('is no object of the deployment');
});
