/** Templates whose names depend on answers of Azure, on the embedded cluster and Azure. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ScaledClock } from '../../../fakes/scaled-clock.ts';
import { armRequests, type RunningOperator, types, until, type World } from '../../support.ts';
import { deploymentType, namesOf, runIn, runsOf, runType, startDeploymentWorld } from '../deployment-world.ts';
import { assignmentType, identityType, specOf } from './identity-deployment.ts';

const assignmentPath = /roleAssignments\/[^/?]+$/i;

const clock = new ScaledClock(10);
let world: World;
let operator: RunningOperator;

beforeAll(async () => {
  world = await startDeploymentWorld(clock);
  operator = await world.startOperator();
});
afterAll(async () => world.close());

/** Names of the role assignments that Azure has got, in order. */
const put = () => armRequests(world, 'PUT', assignmentPath).map(({ path }) => path.split('/').at(-1));

test('a role assignment that is named by the principal of an identity is made, kept, and pruned', async () => {
  await world.apply(types.group, 'azd', { location: 'westeurope' });
  await world.apply(deploymentType, 'azd', specOf(['app', 'job']));
  const run = await runIn(world, 'azd', 'Succeeded');
  expect(run['status'].percent).toBe(100);
  const identity = await world.get(identityType, 'westeurope-app');
  const assignments = await namesOf(world, assignmentType);
  expect([assignments.length, new Set(put()).size]).toEqual([2, 2]);
  const { items } = await world.client.list(assignmentType, { namespace: 'default' });
  expect(items.map(({ spec: each }) => each.principalId)).toContain(identity['status'].principalId);
  const record = String((await runsOf(world, 'azd'))[0]?.metadata.annotations?.['azimuth.dev/run']);
  expect(record).toContain(identity['status'].principalId);
  expect(record).not.toContain('"tenantId"');

  // Again: no PUT.
  const before = armRequests(world, 'PUT', /./).length;
  await world.apply(deploymentType, 'azd', specOf(['app', 'job'], { retry: 'again' }));
  await runIn(world, 'azd', 'Succeeded', 2);
  expect(armRequests(world, 'PUT', /./)).toHaveLength(before);
  expect(await namesOf(world, assignmentType)).toEqual(assignments);
  expect(armRequests(world, 'DELETE', assignmentPath)).toEqual([]);

  // Without the job: its assignment and its identity go.
  await world.apply(deploymentType, 'azd', specOf(['app']));
  await runIn(world, 'azd', 'Succeeded', 3);
  await until('the rest is gone', async () => (await namesOf(world, identityType)).length === 1);
  const [kept, ...others] = await namesOf(world, assignmentType);
  expect(others).toEqual([]);
  expect(assignments).toContain(kept);
  expect(armRequests(world, 'DELETE', assignmentPath)).toHaveLength(1);
});

test('an identity that somebody deletes in Azure gets another assignment, and the former one goes', async () => {
  const [former] = await namesOf(world, assignmentType);
  const { id, principalId } = (await world.get(identityType, 'westeurope-app'))['status'];
  const requests = () => armRequests(world, 'GET', /userAssignedIdentities\/app/).length;
  const before = requests();
  await clock.sleep(5000);
  const reads = requests() - before;
  expect((await world.portal.arm('DELETE', id, '2023-01-31')).status).toBeLessThan(300);
  const body = { spec: { tags: { again: 'yes' } } };
  await world.client.patch(identityType, { namespace: 'default', name: 'westeurope-app' }, { type: 'merge', body });
  await until('the assignment is another one', async () => {
    const names = await namesOf(world, assignmentType);
    return names.length === 1 && names[0] !== former;
  });
  const { items } = await world.client.list(assignmentType, { namespace: 'default' });
  const now = (await world.get(identityType, 'westeurope-app'))['status'].principalId;
  expect(now).not.toBe(principalId);
  expect(items.map(({ spec: each }) => each.principalId)).toEqual([now]);
  expect(await runsOf(world, 'azd')).toHaveLength(3);
  expect(reads).toBe(0);
});

test('nothing is pruned while names are not decided, and the step says what it waits for', async () => {
  const [kept] = await namesOf(world, assignmentType);
  const fault = world.azure.faults.add({ method: 'GET', path: 'userAssignedIdentities/app', status: 403, times: 0 });
  await world.apply(deploymentType, 'azd', specOf(['app'], { retry: 'held' }));
  const step = await until('the step waits', async () => {
    const run = await world.client.tryGet(runType, { namespace: 'default', name: 'azd-4-westeurope' });
    const blocks: { resource: string; message?: string }[] = run?.['status']?.blocks ?? [];
    return blocks.find(({ resource, message }) => resource.startsWith('TemplateRound') && message);
  });
  expect(step).toMatchObject({ resource: 'TemplateRound.azimuth.dev/westeurope' });
  expect(await namesOf(world, assignmentType)).toEqual([kept]);
  world.azure.faults.remove(fault);
  const before = armRequests(world, 'PUT', assignmentPath).length;
  await runIn(world, 'azd', 'Succeeded', 4);
  expect(await namesOf(world, assignmentType)).toEqual([kept]);
  expect(armRequests(world, 'PUT', assignmentPath)).toHaveLength(before);
  expect((await runsOf(world, 'azd')).at(-1)?.['status'].percent).toBe(100);
});

test('an operator that stops and starts again has the same names, and sends no PUT', async () => {
  const before = armRequests(world, 'PUT', /./).length;
  const names = await namesOf(world, assignmentType);
  await operator.stop();
  await world.startOperator();
  await clock.sleep(5000);
  expect(await namesOf(world, assignmentType)).toEqual(names);
  expect([armRequests(world, 'PUT', /./).length, armRequests(world, 'DELETE', assignmentPath).length]).toEqual([
    before,
    2,
  ]);
  await world.client.delete(deploymentType, { namespace: 'default', name: 'azd' });
  await until('it is gone', async () => (await namesOf(world, identityType)).length === 0);
  expect(await namesOf(world, assignmentType)).toEqual([]);
});
