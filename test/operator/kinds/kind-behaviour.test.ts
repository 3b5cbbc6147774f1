import { expect, test } from '@jest/globals';
import { allKinds } from '../../../runtime/api/kinds.ts';
import { checkExpression, evaluate } from '../../../runtime/arm-kinds/export/expressions.ts';
import type { ExtensionTools } from '../../../runtime/arm-kinds/extensions/extension.ts';
import { extensionOf } from '../../../runtime/arm-kinds/extensions/index.ts';
import { serializedResource } from '../../../runtime/arm-kinds/extensions/serialized-writes.ts';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';

const object = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x' } };

/** ETags that PUTs were bound to. */
const bound: string[] = [];

/** Resources that were read to see whether they are in sync. */
const awaited: string[] = [];

/** What Azure has, by path; asked for anything else it says 404. */
function prepare(kind: string, body: JsonObject, azure: Readonly<Record<string, unknown>>): Promise<JsonObject> {
  const [group = '', name = ''] = kind.split('/');
  const tools: ExtensionTools = {
    resourceId: '/subscriptions/s/resourceGroups/g/providers/P/servers/own/parts/one',
    subscriptionId: 's',
    apiVersion: '2024-01-01',
    send: () => Promise.reject(new Error('not expected')),
    tryResource: async (id) => azure[id.split('/').slice(-2).join('/')] as JsonObject | undefined,
    tryGet: async (path) => azure[path.split('/').slice(-2).join('/')],
    tryGetAndWatch: async (path) => {
      awaited.push(path.split('/').slice(-2).join('/'));
      return azure[path.split('/').slice(-2).join('/')];
    },
    onlyIf: (etag) => void bound.push(etag),
    complete: async () => undefined,
    checkReach: () => undefined,
  };
  return extensionOf(group, name).beforePut?.(object, body, tools) ?? Promise.resolve(body);
}

test.each([
  ['VirtualNetwork', 'subnets'],
  ['NetworkSecurityGroup', 'securityRules'],
  ['RouteTable', 'routes'],
])('a PUT of a %s carries the %s that Azure has, so that they stay', async (kind, member) => {
  const id = `network.azure.com/${kind}`;
  const body = { location: 'westeurope', properties: { other: true } };
  const live = { properties: { [member]: [{ name: 'theirs' }] } };
  expect(await prepare(id, body, { 'parts/one': live })).toEqual({
    location: 'westeurope',
    properties: { other: true, [member]: [{ name: 'theirs' }] },
  });
  expect(await prepare(id, body, {})).toEqual(body);
  expect(await prepare(id, body, { 'parts/one': { properties: {} } })).toEqual(body);
});

test('a PUT that carries what Azure has is bound to the ETag that came with it, where there is one', async () => {
  bound.length = 0;
  const live = { etag: 'W/"one"', properties: { subnets: [] } };
  await prepare('network.azure.com/VirtualNetwork', {}, { 'parts/one': live });
  await prepare('network.azure.com/VirtualNetwork', {}, {});
  await prepare('compute.azure.com/VirtualMachineScaleSet', {}, { 'parts/one': { properties: {} } });
  expect(bound).toEqual(['W/"one"']);
});

test('a resource whose PUT carries its children, or that is busy with them, takes turns with them', () => {
  const network = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/Net';
  expect(serializedResource(network)).toBe(network.toLowerCase());
  expect(serializedResource(`${network}/subnets/one`)).toBe(network.toLowerCase());
  expect(serializedResource('/subscriptions/s/resourceGroups/g')).toBeUndefined();
  const cluster = '/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c';
  expect(serializedResource(`${cluster}/agentPools/a`)).toBe(cluster.toLowerCase());
  const account = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a';
  expect(serializedResource(`${account}/blobServices/default`)).toBeUndefined();
});

test.each([
  ['network.azure.com/LoadBalancer', 'inboundNatRules'],
  ['compute.azure.com/VirtualMachineScaleSet', 'virtualMachineProfile.extensionProfile.extensions'],
])('a PUT of a %s adds what others put into its %s, and its own wins', async (kind, path) => {
  const nest = (items: unknown) => path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), items);
  const live = { properties: nest([{ name: 'Mine', old: true }, { name: 'theirs' }]) };
  const password = new SecretValue('p');
  const body = { properties: nest([{ name: 'mine', password }]) } as JsonObject;
  const sent = await prepare(kind, body, { 'parts/one': live });
  expect(sent).toEqual({ properties: nest([{ name: 'mine', password }, { name: 'theirs' }]) });
  expect(await prepare(kind, { properties: {} }, { 'parts/one': live })).toEqual(live);
  expect(await prepare(kind, body, { 'parts/one': { properties: {} } })).toBe(body);
});

test('nothing is sent while Azure changes a cluster, or the cluster of a pool', async () => {
  const cluster = (provisioningState: string) => ({ properties: { provisioningState } });
  const pool = (azure: Record<string, unknown>) =>
    prepare('containerservice.azure.com/ManagedClustersAgentPool', {}, azure);
  await expect(pool({ 'servers/own': cluster('Upgrading') })).rejects.toMatchObject({
    code: 'AZ_ARM_BUSY',
    retryAfterMs: 30_000,
  });
  await expect(pool({ 'servers/own': cluster('Succeeded'), 'parts/one': cluster('Scaling') })).rejects.toThrow(
    'Scaling',
  );
  expect(await pool({ 'servers/own': cluster('Succeeded'), 'parts/one': cluster('Failed') })).toEqual({});
  awaited.length = 0;
  expect(await pool({ 'servers/own': cluster('Succeeded') })).toEqual({});
  expect(awaited).toEqual(['servers/own', 'parts/one']);
});

test('nothing is sent into a PostgreSQL server that is not ready', async () => {
  const rule = (state: string) =>
    prepare('dbforpostgresql.azure.com/FlexibleServersFirewallRule', {}, { 'servers/own': { properties: { state } } });
  await expect(rule('Updating')).rejects.toThrow(/in the state Updating/);
  expect(await rule('Ready')).toEqual({});
});

const evaluated = (expression: string, self: unknown) =>
  evaluate({ expression, where: 'spec.x', seesSecrets: false }, { self });

test('a private endpoint is ready once every connection that needs it is approved', () => {
  const { readyWhen = '' } = extensionOf('network.azure.com', 'PrivateEndpoint');
  const ready = (self: unknown) => evaluated(readyWhen, self);
  const connections = (...states: string[]) => ({
    properties: {
      manualPrivateLinkServiceConnections: states.map((status) => ({
        properties: { privateLinkServiceConnectionState: { status } },
      })),
    },
  });
  expect(ready({ properties: {} })).toBe(true);
  expect(ready(connections())).toBe(true);
  expect(ready(connections('Approved', 'Approved'))).toBe(true);
  expect(ready(connections('Approved', 'Pending'))).toBe(false);
});

test('what kinds say of being ready is an expression that may be evaluated', () => {
  const said = allKinds.flatMap(({ group, kind }) => extensionOf(group, kind).readyWhen ?? []);
  expect(said.length).toBeGreaterThan(0);
  for (const expression of said) checkExpression({ expression, where: 'spec.x', seesSecrets: false, yields: 'bool' });
});

test('an expression can take an ARM id apart, as in ASO v2', () => {
  const self = { id: '/subscriptions/abc/resourceGroups/g/providers/Microsoft.Sql/servers/s/databases/d' };
  const part = (name: string) => evaluated(`aso.parseResourceId(self.id).${name}`, self);
  expect(
    ['subscriptionId', 'resourceGroupName', 'name', 'resourceType.namespace', 'resourceType.type'].map(part),
  ).toEqual(['abc', 'g', 'd', 'Microsoft.Sql', 'servers/databases']);
  expect(() => evaluated('aso.parseResourceId("nonsense").name', self)).toThrow(/cannot be evaluated/);
});
