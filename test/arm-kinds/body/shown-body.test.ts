import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../../runtime/api/kinds.ts';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';

const statusOf = (id: string, live: JsonObject) => {
  const [group, kind = ''] = id.split('/');
  return catalogueModel(kindOf(`${group}.azure.com`, kind) as ArmKindDefinition).status(live);
};

const addresses = (count: number) => Array.from({ length: count }, (_, each) => ({ id: `/subscriptions/s/${each}` }));
const subnet = (count: number) => ({
  id: '/subscriptions/s/subnet',
  properties: { provisioningState: 'Succeeded', ipConfigurations: addresses(count) },
});

// ASO v2.20.0: api/network/customizations/virtual_network_subnet_extensions.go.
test('the status of a subnet with more than 2,000 addresses leaves the list out, so that the object has room', () => {
  const { id, properties } = subnet(2000);
  expect(statusOf('network/VirtualNetworksSubnet', subnet(2000))).toEqual({ id, ...properties });
  expect(statusOf('network/VirtualNetworksSubnet', subnet(2001))).toEqual({ id, provisioningState: 'Succeeded' });
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

const connections = [{ id: '/c', properties: { status: 'Approved' } }];
const spreadConnections = [{ id: '/c', status: 'Approved' }];

// The types with the suffix _STATUS in ASO v2.20.0, below api/.
test.each<[string, string, JsonObject, JsonObject]>([
  [
    'of a part and of its parts are members of it',
    'network/LoadBalancer',
    {
      properties: {
        pools: [{ name: 'a', properties: { addresses: [{ name: 'b', properties: { ip: '10.0.0.1' } }] } }],
      },
    },
    { pools: [{ name: 'a', addresses: [{ name: 'b', ip: '10.0.0.1' }] }] },
  ],
  [
    'of a part are members of it where those of the resource are not',
    'keyvault/Vault',
    { id: '/v', properties: { privateEndpointConnections: connections } },
    { id: '/v', properties: { privateEndpointConnections: spreadConnections } },
  ],
  [
    'with the name of a member beside them have a name of their own',
    'authorization/RoleDefinition',
    { type: 'Microsoft.Authorization/roleDefinitions', properties: { type: 'BuiltInRole' } },
    { type: 'Microsoft.Authorization/roleDefinitions', properties_type: 'BuiltInRole' },
  ],
  [
    'with the name of the conditions of Kubernetes have the name that the spec has',
    'cdn/Rule',
    { properties: { order: 0, conditions: [{ name: 'UrlPath' }] } },
    { order: 0, ruleconditions: [{ urlPath: { name: 'UrlPath' } }] },
  ],
  [
    'of the connections of a SQL server stay',
    'sql/Server',
    { properties: { state: 'Ready', privateEndpointConnections: connections } },
    { state: 'Ready', privateEndpointConnections: connections },
  ],
  [
    'of a MariaDB server are members of the status, and those of its connections stay',
    'dbformariadb/Server',
    { properties: { fullyQualifiedDomainName: 'm.example', privateEndpointConnections: connections } },
    { fullyQualifiedDomainName: 'm.example', privateEndpointConnections: connections },
  ],
  [
    'with the name of a member beside them, but for capitals, have a name of their own',
    'insights/Webtest',
    { name: 'w', properties: { Name: 'W', Enabled: true } },
    { name: 'w', properties_name: 'W', Enabled: true },
  ],
  [
    'of the errors of a backup instance stay',
    'dataprotection/BackupVaultsBackupInstance',
    { properties: { protectionStatus: { errorDetails: { code: 'c', properties: { color: 'red' } } } } },
    { properties: { protectionStatus: { errorDetails: { code: 'c', properties: { color: 'red' } } } } },
  ],
  [
    'that are one member of the properties stay',
    'apimanagement/Backend',
    { id: '/b', properties: { url: 'u', properties: { serviceFabricCluster: {} } } },
    { id: '/b', url: 'u', properties: { serviceFabricCluster: {} } },
  ],
  [
    'that the spec has as a map of the user stay',
    'servicebus/NamespacesTopicsSubscriptionsRule',
    { properties: { correlationFilter: { label: 'l', properties: { color: 'red' } } } },
    { correlationFilter: { label: 'l', properties: { color: 'red' } } },
  ],
])('in a status as in ASO v2, properties %s', (_, kind, live, expected) => {
  expect(statusOf(kind, live)).toEqual(expected);
});

const metrics = (word: string) => ({ 'odata.type': `Microsoft.Azure.Monitor.${word}` });
const fqdn = { type: 'FQDN', destination: 'pypi.org' };
const service = { type: 'ServiceTag', destination: { serviceTag: 'Storage' } };

test.each<[string, string, JsonObject, JsonObject]>([
  [
    'a member, with its properties',
    'eventgrid/EventSubscription',
    { properties: { destination: { endpointType: 'WebHook', properties: { endpointBaseUrl: 'https://a.example' } } } },
    { destination: { webHook: { endpointType: 'WebHook', endpointBaseUrl: 'https://a.example' } } },
  ],
  [
    'each item of a list',
    'eventgrid/EventSubscription',
    {
      properties: {
        filter: { advancedFilters: [{ operatorType: 'BoolEquals', key: 'a' }, { operatorType: 'StringIn' }] },
      },
    },
    {
      filter: {
        advancedFilters: [
          { boolEquals: { operatorType: 'BoolEquals', key: 'a' } },
          { stringIn: { operatorType: 'StringIn' } },
        ],
      },
    },
  ],
  [
    'each value of a map',
    'machinelearningservices/Workspace',
    { properties: { managedNetwork: { outboundRules: { a: fqdn, b: service } } } },
    { managedNetwork: { outboundRules: { a: { fqdn }, b: { serviceTag: service } } } },
  ],
  [
    'a one-of in a one-of',
    'insights/MetricAlert',
    {
      properties: {
        criteria: {
          ...metrics('MultipleResourceMultipleMetricCriteria'),
          allOf: [{ criterionType: 'StaticThresholdCriterion', threshold: 1 }],
        },
      },
    },
    {
      criteria: {
        microsoftAzureMonitorMultipleResourceMultipleMetricCriteria: {
          ...metrics('MultipleResourceMultipleMetricCriteria'),
          allOf: [{ staticThresholdCriterion: { criterionType: 'StaticThresholdCriterion', threshold: 1 } }],
        },
      },
    },
  ],
  [
    'all properties',
    'dataprotection/BackupVaultsBackupPolicy',
    { name: 'p', properties: { objectType: 'BackupPolicy', datasourceTypes: ['d'] } },
    { name: 'p', properties: { backupPolicy: { objectType: 'BackupPolicy', datasourceTypes: ['d'] } } },
  ],
  [
    'the resource itself, but for its name, and the member has another name than in the spec',
    'kusto/Database',
    { id: '/d', name: 'c/d', kind: 'ReadWrite', properties: { softDeletePeriod: 'P1D' } },
    { name: 'c/d', readWrite: { id: '/d', name: 'c/d', kind: 'ReadWrite', softDeletePeriod: 'P1D' } },
  ],
  [
    'a member of which Azure leaves out what all members have',
    'machinelearningservices/WorkspacesConnection',
    { properties: { authType: 'PAT', target: 't' } },
    { properties: { pat: { authType: 'PAT', target: 't' } } },
  ],
  [
    'nothing where the value is none of the members',
    'eventgrid/EventSubscription',
    { properties: { destination: { endpointType: 'PartnerDestination' }, deadLetterDestination: null } },
    { destination: { endpointType: 'PartnerDestination' }, deadLetterDestination: null },
  ],
  [
    'nothing of a MariaDB server',
    'dbformariadb/Server',
    { properties: { createMode: 'Replica', version: '10.3' } },
    { createMode: 'Replica', version: '10.3' },
  ],
])('in a status as in ASO v2, a one-of names %s', (_, kind, live, expected) => {
  expect(statusOf(kind, live)).toEqual(expected);
});

test('a status has the challenge that proves a domain, and the time of a key, but no key', () => {
  const validationProperties = { expirationDate: '2030-01-01', validationToken: 'challenge' };
  const key1 = '2026-01-01T00:00:00.0000000Z';
  expect(statusOf('cdn/AfdCustomDomain', { properties: { validationProperties } })).toEqual({ validationProperties });
  expect(statusOf('storage/StorageAccount', { properties: { keyCreationTime: { key1 }, key1: 'abc' } })).toEqual({
    keyCreationTime: { key1 },
  });
});

test('a status has the connection string of Application Insights, which ASO v2 writes into ConfigMaps, and no other', () => {
  const ConnectionString =
    'InstrumentationKey=11111111-1111-4111-8111-111111111111;IngestionEndpoint=https://i.example/';
  expect(statusOf('insights/Component', { properties: { ConnectionString } })).toEqual({ ConnectionString });
  const other = 'Endpoint=https://c.example/;accesskey=InstrumentationKey=1;';
  expect(statusOf('insights/Component', { properties: { ConnectionString: other } })).toEqual({});
});
