import {
  type Address,
  type AddressRange,
  addressText,
  hasAddress,
  parseAddress,
  rangeText,
  sizeOf,
} from '../../../../runtime/base/address-range.ts';
import { isObject } from '../../../../runtime/base/json.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { WriteContext } from '../behaviour.ts';
import { rangesOf } from '../refusals/address-ranges.ts';
import type { StoredResource, StoredResources } from '../resources/stored-resources.ts';

/** The list below `properties` whose items have an address of a subnet, by type in lower case. */
const lists: Readonly<Record<string, string>> = {
  'microsoft.network/applicationgateways': 'frontendIPConfigurations',
  'microsoft.network/loadbalancers': 'frontendIPConfigurations',
  'microsoft.network/networkinterfaces': 'ipConfigurations',
};

/** The first four addresses of a subnet, and the last one of IPv4, are Azure's. */
const reservedAtStart = 4n;

/** Whether the type has addresses of subnets that are checked. */
export const refusesAddresses = (type: string): boolean => lists[type.toLowerCase()] !== undefined;

/**
 * Gives every configuration in a subnet an address of it, as Azure does, and throws Azure's refusal of one that the
 * subnet does not have or that is taken. Configurations in subnets that do not exist here stay as they are.
 */
export function assignAddresses(body: Json, { path, existing, state: { resources } }: WriteContext): void {
  const list = lists[path.type.toLowerCase()];
  const configurations = list === undefined ? [] : configurationsOf(body, list);
  if (list === undefined || configurations.length === 0) return;
  const before = existing ? configurationsOf(existing.body, list) : [];
  const assigned: Json[] = [];
  for (const [index, configuration] of configurations.entries()) {
    const later = configurations.slice(index + 1).filter(isStatic);
    const old = before.find(({ name }) => name === configuration['name']);
    const id = `${path.id}/${list}/${stringOf(configuration['name'])}`;
    const taken = (subnet: StoredResource) => [
      ...takenAddresses(subnet.id, resources, path.id),
      ...takenBy([...assigned, ...later], path.id, list, subnet.id),
    ];
    assigned.push(withAddress(configuration, old, id, taken, resources));
  }
  body['properties'] = { ...objectOf(body['properties']), [list]: assigned };
}

/** A free address of a subnet; undefined where the subnet does not exist here or has no range. */
export function freeAddress(subnetId: string, resources: StoredResources): string | undefined {
  const subnet = resources.get(subnetId);
  const taken = new Set(takenAddresses(subnetId, resources).map(({ address }) => address));
  return subnet && firstFree(subnet, rangesOf(subnet), taken);
}

function withAddress(
  configuration: Json,
  before: Json | undefined,
  id: string,
  takenIn: (subnet: StoredResource) => readonly Taken[],
  resources: StoredResources,
): Json {
  const properties = objectOf(configuration['properties']);
  const subnet = resources.get(subnetIdOf(configuration));
  const bits = stringOf(properties['privateIPAddressVersion']).toLowerCase() === 'ipv6' ? 128 : 32;
  const ranges = subnet ? rangesOf(subnet).filter((range) => range.bits === bits) : [];
  const given = stringOf(properties['privateIPAddress']);
  if (!subnet || ranges.length === 0 || (given !== '' && properties['privateIPAllocationMethod'] === undefined))
    return configuration;
  const taken = takenIn(subnet);
  if (given !== '' && isStatic(configuration)) {
    refuseAddress(given, id, ranges, taken);
    return configuration;
  }
  const old = stringOf(at(before, 'properties.privateIPAddress'));
  const keeps = old !== '' && sameId(subnetIdOf(before), subnet.id);
  const address = keeps ? old : firstFree(subnet, ranges, new Set(taken.map(({ address }) => address)));
  return { ...configuration, properties: { ...properties, privateIPAddress: address } };
}

function refuseAddress(text: string, id: string, ranges: readonly AddressRange[], taken: readonly Taken[]): void {
  const address = parseAddress(text);
  if (!address) return;
  const prefixes = ranges.map(rangeText).join(', ');
  const range = ranges.find((each) => hasAddress(each, address));
  if (!range) {
    const message = `Private static IP address ${text} does not belong to the range of subnet prefix ${prefixes}.`;
    throw refuse(400, 'PrivateIPAddressNotInSubnet', message);
  }
  if (isReserved(range, address)) {
    const message = `Private static IP address ${text} falls within reserved IP range of subnet prefix ${prefixes}.`;
    throw refuse(400, 'PrivateIPAddressInReservedRange', message);
  }
  const holder = taken.find((each) => each.address === text);
  if (!holder) return;
  const message = `IP configuration ${id} is using the private IP address ${text} which is already allocated to resource ${holder.id}.`;
  throw refuse(400, 'PrivateIPAddressIsAllocated', message);
}

function isReserved(range: AddressRange, { value }: Address): boolean {
  const [offset, size] = [value - range.network, sizeOf(range)];
  return offset < reservedAtStart || (range.bits === 32 && offset === size - 1n);
}

function firstFree(subnet: StoredResource, ranges: readonly AddressRange[], taken: ReadonlySet<string>): string {
  for (const range of ranges) {
    const end = range.network + sizeOf(range) - (range.bits === 32 ? 1n : 0n);
    for (let value = range.network + reservedAtStart; value < end; value += 1n) {
      const text = addressText({ value, bits: range.bits });
      if (!taken.has(text)) return text;
    }
  }
  const prefixes = ranges.map(rangeText).join(', ');
  const message = `Subnet ${subnet.name} with address prefix ${prefixes} does not have enough capacity for 1 IP addresses.`;
  throw refuse(400, 'SubnetIsFull', message);
}

/** An address with the id of the configuration that has it. */
interface Taken {
  readonly id: string;
  readonly address: string;
}

/** The addresses of a subnet that other resources than `except` have. */
const takenAddresses = (subnetId: string, resources: StoredResources, except = ''): Taken[] =>
  Object.entries(lists).flatMap(([type, list]) =>
    resources
      .ofType(type)
      .filter(({ id }) => !sameId(id, except))
      .flatMap(({ id, body }) => takenBy(configurationsOf(body, list), id, list, subnetId)),
  );

const takenBy = (configurations: readonly Json[], owner: string, list: string, subnetId: string): Taken[] =>
  configurations
    .filter((each) => sameId(subnetIdOf(each), subnetId))
    .map((each) => ({
      id: `${owner}/${list}/${stringOf(each['name'])}`,
      address: stringOf(at(each, 'properties.privateIPAddress')),
    }));

function configurationsOf(body: Json, list: string): Json[] {
  const items = at(body, `properties.${list}`);
  return Array.isArray(items) ? items.filter(isObject) : [];
}

const isStatic = (configuration: Json) =>
  stringOf(at(configuration, 'properties.privateIPAllocationMethod')).toLowerCase() === 'static';
const subnetIdOf = (configuration: unknown) => stringOf(at(configuration, 'properties.subnet.id'));
const sameId = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
