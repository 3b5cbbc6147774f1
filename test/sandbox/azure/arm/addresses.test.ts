import { expect, test } from '@jest/globals';
import { client, clock, code, provider } from './world.ts';

const version = '2024-03-01';
const network = provider('Microsoft.Network/virtualNetworks/net');
const bodyOf = (properties: object) => ({ location: 'westus2', properties });
const put = async (id: string, properties: object) => {
  const answer = await code('PUT', id, version, bodyOf(properties));
  await clock.advance(2000);
  return answer;
};
const subnet = (name: string, addressPrefix: string) => ({ name, properties: { addressPrefix } });
const networkOf = (...subnets: object[]) =>
  put(network, { addressSpace: { addressPrefixes: ['10.1.0.0/16'] }, subnets });
const subnetOf = (name: string, ...addressPrefixes: string[]) =>
  put(`${network}/subnets/${name}`, { addressPrefixes: addressPrefixes });
const interfaceId = (name: string) => provider(`Microsoft.Network/networkInterfaces/${name}`);
const address = (privateIPAddress?: string) => ({
  subnet: { id: `${network}/subnets/a` },
  privateIPAllocationMethod: privateIPAddress === undefined ? 'Dynamic' : 'Static',
  privateIPAddress,
});
const interfaceOf = (name: string, ...configurations: object[]) =>
  put(interfaceId(name), {
    ipConfigurations: configurations.map((properties, index) => ({ name: `c${index}`, properties })),
  });
const addressesOf = async (name: string) => {
  const { body } = await client.arm('GET', interfaceId(name), version);
  return body.properties.ipConfigurations.map(
    ({ properties }: { properties: { privateIPAddress: string } }) => properties.privateIPAddress,
  );
};

const created = [201, undefined];
const updated = [200, undefined];

test.each([
  ['a text that is no range', '10.1.0.0', 'InvalidAddressPrefixFormat'],
  ['a range with the address of a host', '10.1.0.1/24', 'InvalidCIDRNotation'],
  ['a range outside of the network', '10.2.0.0/24', 'NetcfgSubnetRangeOutsideVnet'],
  ['a range of another subnet', '10.1.0.128/25', 'NetcfgSubnetRangesOverlap'],
])('a subnet with %s is refused, alone and in its network', async (_title, prefix, refusal) => {
  expect(await networkOf(subnet('a', '10.1.0.0/24'))).toEqual(created);
  expect(await subnetOf('b', prefix)).toEqual([400, refusal]);
  expect(await networkOf(subnet('a', '10.1.0.0/24'), subnet('b', prefix))).toEqual([400, refusal]);
  expect(await subnetOf('b', '10.1.1.0/24', '10.1.2.0/24')).toEqual(created);
});

test('a network keeps the address space that its subnets are in, and the ranges that are in use', async () => {
  expect(await networkOf(subnet('a', '10.1.0.0/24'))).toEqual(created);
  const shrunk = { addressSpace: { addressPrefixes: ['10.1.1.0/24'] }, subnets: [subnet('a', '10.1.0.0/24')] };
  expect(await put(network, shrunk)).toEqual([400, 'NetcfgSubnetRangeOutsideVnet']);
  expect(await networkOf(subnet('a', '10.1.3.0/24'))).toEqual(updated);
  expect(await interfaceOf('one', address())).toEqual(created);
  expect(await subnetOf('a', '10.1.4.0/24')).toEqual([400, 'InUsePrefixCannotBeDeleted']);
  expect(await subnetOf('a', '10.1.3.0/24', '10.1.4.0/24')).toEqual(updated);
});

test('two subnets change their ranges in one write of the network', async () => {
  expect(await networkOf(subnet('a', '10.1.0.0/24'), subnet('b', '10.1.1.0/24'))).toEqual(created);
  expect(await networkOf(subnet('a', '10.1.1.0/24'), subnet('b', '10.1.0.0/24'))).toEqual(updated);
});

test.each([
  ['outside of the subnet', '10.1.1.4', 'PrivateIPAddressNotInSubnet'],
  ['that is reserved', '10.1.0.1', 'PrivateIPAddressInReservedRange'],
  ['that is taken', '10.1.0.9', 'PrivateIPAddressIsAllocated'],
])('an interface has no address %s', async (_title, text, refusal) => {
  expect(await networkOf(subnet('a', '10.1.0.0/24'))).toEqual(created);
  expect(await interfaceOf('one', address('10.1.0.9'))).toEqual(created);
  expect(await interfaceOf('two', address(text))).toEqual([400, refusal]);
  expect(await interfaceOf('one', address('10.1.0.9'))).toEqual(updated);
});

test('interfaces get the free addresses of their subnet, and keep them', async () => {
  expect(await networkOf(subnet('a', '10.1.0.0/29'))).toEqual(created);
  expect(await interfaceOf('one', address('10.1.0.5'))).toEqual(created);
  expect(await interfaceOf('two', address(), address('10.1.0.4'))).toEqual(created);
  expect(await addressesOf('two')).toEqual(['10.1.0.6', '10.1.0.4']);
  expect(await interfaceOf('three', address())).toEqual([400, 'SubnetIsFull']);
  expect(await interfaceOf('two', address('10.1.0.6'), address())).toEqual(updated);
  expect(await addressesOf('two')).toEqual(['10.1.0.6', '10.1.0.4']);
});
