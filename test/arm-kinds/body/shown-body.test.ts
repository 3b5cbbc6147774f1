import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../../runtime/api/kinds.ts';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';

const addresses = (count: number) => Array.from({ length: count }, (_, each) => ({ id: `/subscriptions/s/${each}` }));
const subnet = (count: number) => ({
  id: '/subscriptions/s/subnet',
  properties: { provisioningState: 'Succeeded', ipConfigurations: addresses(count) },
});

// ASO v2.20.0: api/network/customizations/virtual_network_subnet_extensions.go.
test('the status of a subnet with more than 2,000 addresses leaves the list out, so that the object has room', () => {
  const { status } = catalogueModel(kindOf('network.azure.com', 'VirtualNetworksSubnet') as ArmKindDefinition);
  const { id, properties } = subnet(2000);
  expect(status(subnet(2000))).toEqual({ id, ...properties });
  expect(status(subnet(2001))).toEqual({ id, provisioningState: 'Succeeded' });
});

test('the status of an ArmResource leaves out such lists, and members that look like secrets', () => {
  const { id } = subnet(0);
  expect(armResourceModel.status(subnet(2000))).toEqual({ id, resource: subnet(2000) });
  const { properties } = subnet(2001);
  const live = { id, properties: { ...properties, adminPassword: 'Abcd-1234' } };
  expect(armResourceModel.status(live)).toEqual({
    id,
    resource: { id, properties: { provisioningState: 'Succeeded' } },
  });
});
