import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  clientOf,
  identityModule,
  moduleOf,
  roleModule,
  textOf,
} from '../../../compute/deployments/rounds/azd-template.ts';
import { types, until, type World } from '../../support.ts';
import { deploymentType, namesOf, runIn, runsOf, startDeploymentWorld } from '../deployment-world.ts';
import { assignmentType, identityType, specOf } from './identity-deployment.ts';

let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
});
afterAll(async () => world.close());

const type = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** An identity whose name is the client of the first one, and whose principal names an assignment. */
const second = moduleOf(
  'identity-second',
  {
    parameters: { name: { type: 'string' } },
    resources: [
      { type, apiVersion: '2023-01-31', name: "[parameters('name')]", location: '[resourceGroup().location]' },
    ],
    outputs: {
      principalId: {
        type: 'string',
        value: `[reference(resourceId('${type}', parameters('name')), '2023-01-31').principalId]`,
      },
    },
  },
  { name: { value: clientOf('first') } },
);

const first = async () => (await world.get(identityType, 'westeurope-first'))['status'];

test('each change of an answer gives new names to all resources that follow from it', async () => {
  await world.apply(types.group, 'azd', { location: 'westeurope' });
  const json = textOf([roleModule('second'), second, identityModule('first')]);
  await world.apply(deploymentType, 'azd', { ...specOf([]), template: { arm: { json, owner: { name: 'azd' } } } });
  await runIn(world, 'azd', 'Succeeded');
  for (const turn of [1, 2, 3]) {
    const { id, clientId } = await first();
    await world.portal.arm('DELETE', id, '2023-01-31');
    const body = { spec: { tags: { turn: `${turn}` } } };
    await world.client.patch(identityType, { namespace: 'default', name: 'westeurope-first' }, { type: 'merge', body });
    const next = await until('the first identity is another one', async () => {
      const now = (await first()).clientId;
      return now !== clientId && now;
    });
    await until('the second one follows', async () => {
      const names = await namesOf(world, identityType);
      return names.length === 2 && names.includes(`westeurope-${next}`);
    });
    await until('its assignment follows', async () => {
      const { principalId } = (await world.get(identityType, `westeurope-${next}`))['status'] ?? {};
      const { items } = await world.client.list(assignmentType, { namespace: 'default' });
      return items.length === 1 && items[0]?.['spec'].principalId === principalId;
    });
    await runIn(world, 'azd', 'Succeeded');
  }
  const record = String((await runsOf(world, 'azd')).at(-1)?.metadata.annotations?.['azimuth.dev/run']);
  expect(record).toContain('"rounds":2');
});
