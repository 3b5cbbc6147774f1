import { expect, test } from '@jest/globals';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
import { startWorld, types } from '../support.ts';
import { deploymentType, runIn } from './deployment-world.ts';

const apiVersion = types.network.version.replace(/^.*?(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
const json = JSON.stringify({
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  resources: [
    {
      type: 'Microsoft.Network/virtualNetworks',
      apiVersion,
      name: "[concat('net-', take(deployer().objectId, 8))]",
      location: '[resourceGroup().location]',
      tags: { by: '[deployer().objectId]', of: '[deployer().tenantId]' },
      properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
    },
  ],
});

test('a template gets the identity whose credential makes its resources', async () => {
  const names = [types.group, types.network].map(({ group, kind }) => `${group}/${kind}`).join(';');
  const world = await startWorld({ deployments: true, clock: new ScaledClock(10), kinds: names });
  try {
    await world.startOperator();
    await world.apply(types.group, 'shop-westeurope', { location: 'westeurope' });
    await world.apply(deploymentType, 'shop', {
      locations: [{ name: 'westeurope' }],
      template: { arm: { json, owner: { name: 'shop-${location}' } } },
    });
    const run = await runIn(world, 'shop', 'Succeeded');
    const { deployer } = JSON.parse(run['spec'].goal) as { readonly deployer: Record<string, string> };
    const { objectId = '', tenantId } = deployer;
    expect(objectId).toMatch(/^[0-9a-f-]{36}$/);
    const network = await world.get(types.network, `westeurope-net-${objectId.slice(0, 8)}`);
    const { body } = await world.portal.arm('GET', network['status'].id as string, apiVersion);
    expect(body.tags).toEqual({ by: objectId, of: tenantId });
  } finally {
    await world.close();
  }
});
