import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { identityModule, roleModule, textOf } from '../../../compute/deployments/rounds/azd-template.ts';
import { ScaledClock } from '../../../fakes/scaled-clock.ts';
import { armRequests, types, until, type World } from '../../support.ts';
import { deploymentType, namesOf, runIn, runType, startDeploymentWorld } from '../deployment-world.ts';
import { assignmentType } from './identity-deployment.ts';

const clock = new ScaledClock(10);
let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld(clock);
  await world.startOperator();
});
afterAll(async () => world.close());

test('runs that somebody deletes prune nothing of a location that waits, while another one is decided', async () => {
  const locations = ['westeurope', 'northeurope'].map((name) => ({ name }));
  for (const { name } of locations) await world.apply(types.group, `azd-${name}`, { location: name });
  const json = textOf([roleModule('app'), identityModule('app')]);
  const template = { arm: { json, owner: { name: 'azd-${location}' } } };
  await world.apply(deploymentType, 'both', { locations, template });
  await runIn(world, 'both', 'Succeeded');
  const before = await namesOf(world, assignmentType);
  const deletions = () => armRequests(world, 'DELETE', /roleAssignments/);

  const path = 'azd-northeurope/providers/Microsoft.ManagedIdentity/userAssignedIdentities/app';
  const fault = world.azure.faults.add({ method: 'GET', path, status: 403, times: 0 });
  for (const { metadata } of (await world.client.list(runType, { namespace: 'default' })).items)
    await world.client.delete(runType, { namespace: 'default', name: metadata.name }).catch(() => undefined);
  await until('northeurope waits', async () => {
    const { items } = await world.client.list(runType, { namespace: 'default' });
    return items.some((run) =>
      (run['status']?.blocks ?? []).some(
        (each: { resource: string; message?: string }) =>
          each.resource === 'TemplateRound.azimuth.dev/northeurope' && each.message,
      ),
    );
  });
  await clock.sleep(30_000);
  expect([await namesOf(world, assignmentType), deletions()]).toEqual([before, []]);

  world.azure.faults.remove(fault);
  await runIn(world, 'both', 'Succeeded');
  expect([await namesOf(world, assignmentType), deletions()]).toEqual([before, []]);
});
