import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../../runtime/api/kinds.ts';
import { specOf } from '../../../runtime/arm-kinds/body/from-arm.ts';

test('a private endpoint of an alias names the alias as well-known, and another one refers to the service by its id', () => {
  const { arm } = kindOf('network.azure.com', 'PrivateEndpoint') as ArmKindDefinition;
  const version = Object.keys(arm.apiVersions)[0] as string;
  const service = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateLinkServices/p';
  const alias = 'p.d57b5457-3beb-4618-b1ec-3bf491125e8c.westus2.azure.privatelinkservice';
  const connection = (privateLinkServiceId: string) => ({ name: 'c', properties: { privateLinkServiceId } });
  const body = { properties: { manualPrivateLinkServiceConnections: [connection(alias), connection(service)] } };
  const { spec, inputs } = specOf(arm, version, body, { refer: (armId) => ({ armId }) });
  expect(spec).toEqual({
    manualPrivateLinkServiceConnections: [
      { name: 'c', privateLinkServiceReference: { wellKnownName: alias } },
      { name: 'c', privateLinkServiceReference: { armId: service } },
    ],
  });
  const path = (index: number) => `manualPrivateLinkServiceConnections[${index}].privateLinkServiceReference`;
  expect([...inputs]).toEqual([
    [path(0), alias],
    [path(1), service],
  ]);
});
