import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  identityModule,
  networkAfter,
  outputOfRole,
  roleModule,
  textOf,
} from '../../../compute/deployments/rounds/azd-template.ts';
import { configMaps, types, until, type World } from '../../support.ts';
import { deploymentType, namesOf, runIn, runType, startDeploymentWorld } from '../deployment-world.ts';
import { assignmentType, identityType, specOf } from './identity-deployment.ts';

let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
});
afterAll(async () => world.close());

/** Two locations, with the outputs of the assignments in a ConfigMap of each. */
const several = (strategy: object) => {
  const outputs = Object.fromEntries(
    (['id', 'principal'] as const).map((member) => [member, { type: 'string', value: outputOfRole('app', member) }]),
  );
  const json = textOf([roleModule('app'), identityModule('app')], { outputs });
  return {
    locations: [{ name: 'westeurope' }, { name: 'northeurope' }],
    strategy,
    outputs: { configMap: { name: 'shown-${location}' } },
    template: { arm: { json, owner: { name: 'azd-${location}' } } },
  };
};

test.each([
  ['waves', { waves: [['westeurope'], ['northeurope']] }],
  ['both', {}],
])('each location has its rounds, and outputs about what they decided: %s', async (name, strategy) => {
  const count = world.azure.journal.entries({ method: 'PUT' }).length;
  for (const location of ['westeurope', 'northeurope']) await world.apply(types.group, `azd-${location}`, { location });
  await world.apply(deploymentType, name, several(strategy));
  await runIn(world, name, 'Succeeded');
  for (const location of ['westeurope', 'northeurope']) {
    const { principalId } = (await world.get(identityType, `${location}-app`))['status'];
    const shown = await until('the outputs', () =>
      world.client.tryGet(configMaps, { namespace: 'default', name: `shown-${location}` }),
    );
    expect(shown['data']).toEqual({
      id: expect.stringMatching(new RegExp(`azd-${location}/providers/Microsoft.Authorization/roleAssignments/`)),
      principal: principalId,
    });
  }
  const order = world.azure.journal
    .entries({ method: 'PUT' })
    .slice(count)
    .flatMap(
      ({ path }) => /azd-(\w+)\/.*\/(userAssignedIdentities|roleAssignments)\//.exec(path)?.slice(1).join(' ') ?? [],
    );
  expect(order).toHaveLength(4);
  if (name === 'waves')
    expect(order).toEqual([
      'westeurope userAssignedIdentities',
      'westeurope roleAssignments',
      'northeurope userAssignedIdentities',
      'northeurope roleAssignments',
    ]);
  await world.client.delete(deploymentType, { namespace: 'default', name });
  await until('it is gone', async () => (await namesOf(world, identityType)).length === 0);
});

test('a failure ends the run before its names are decided, and nothing is pruned', async () => {
  await world.apply(types.group, 'azd', { location: 'westeurope' });
  await world.apply(deploymentType, 'azd', specOf(['app']));
  await runIn(world, 'azd', 'Succeeded');
  const kept = await namesOf(world, assignmentType);
  const { name: _, ...refused } = networkAfter('x', 'identity-app');
  const json = textOf([roleModule('app'), identityModule('app'), { ...refused, name: 'refused' }]);
  const fault = world.azure.faults.add({
    method: 'GET',
    path: 'userAssignedIdentities/app',
    status: 403,
    times: 0,
  });
  const invalid = { error: { code: 'InvalidParameter', message: 'refused' } };
  world.azure.faults.add({ method: 'PUT', path: 'virtualNetworks/refused', status: 400, body: invalid, times: 0 });
  await world.apply(deploymentType, 'azd', { ...specOf([]), template: { arm: { json, owner: { name: 'azd' } } } });
  const run = await runIn(world, 'azd', 'Failed', 2);
  expect(run['status'].message).toContain('refused');
  expect(await namesOf(world, assignmentType)).toEqual(kept);
  world.azure.faults.remove(fault);
});

test('an identity that exists in Azure decides the name of an assignment', async () => {
  const group = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/elsewhere`;
  await world.portal.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
  const id = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/there`;
  const json = textOf([{ ...roleModule('there', `[reference('${id}', '2023-01-31').principalId]`), dependsOn: [] }]);
  await world.apply(deploymentType, 'there', { ...specOf([]), template: { arm: { json, owner: { name: 'azd' } } } });
  const step = await until('the step names it', async () => {
    const run = await world.client.tryGet(runType, { namespace: 'default', name: 'there-1-westeurope' });
    const blocks: { resource: string; message?: string }[] = run?.['status']?.blocks ?? [];
    return blocks.find(({ message }) => message?.includes('does not exist in Azure'));
  });
  expect(step.resource).toBe('TemplateRound.azimuth.dev/westeurope');
  const { body } = await world.portal.arm('PUT', id, '2023-01-31', { location: 'westeurope' });
  await runIn(world, 'there', 'Succeeded');
  const { items } = await world.client.list(assignmentType, { namespace: 'default' });
  expect(items.map(({ spec }) => spec.principalId)).toContain(body.properties.principalId);
});
