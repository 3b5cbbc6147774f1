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

test.each([
  [
    'the resource itself',
    'kusto.azure.com/DataConnection',
    { kind: 'EventGrid', location: 'westus', properties: { consumerGroup: 'c' } },
    { eventGridDataConnection: { kind: 'EventGrid', location: 'westus', consumerGroup: 'c' } },
  ],
  [
    'a part from which Azure leaves out what all members have',
    'machinelearningservices.azure.com/WorkspacesConnection',
    { properties: { authType: 'PAT', target: 't' } },
    { properties: { pat: { authType: 'PAT', target: 't' } } },
  ],
])('a one-of that is %s becomes the one member that Azure has', (_, id, body, expected) => {
  const [group = '', kind = ''] = id.split('/');
  const { arm } = kindOf(group, kind) as ArmKindDefinition;
  const { spec } = specOf(arm, Object.keys(arm.apiVersions)[0] as string, body, { refer: (armId) => ({ armId }) });
  expect(spec).toEqual(expected);
});
