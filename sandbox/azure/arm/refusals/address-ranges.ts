import {
  type AddressRange,
  contains,
  overlaps,
  parseAddress,
  parseRange,
  rangeText,
} from '../../../../runtime/base/address-range.ts';
import { isObject } from '../../../../runtime/base/json.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, stringOf, valuesAt } from '../../json.ts';
import type { WriteContext } from '../behaviour.ts';
import type { StoredResource, StoredResources } from '../resources/stored-resources.ts';
import table from './address-ranges.json' with { type: 'json' };
import { usersOf } from './in-use.ts';

/** The address ranges of a type. */
interface Ranges {
  /** Dotted paths of the members with ranges. */
  readonly paths: readonly string[];
  /**
   * The member below `properties` and type of children with parts of these ranges. Without any range of its own, the
   * resource takes every part.
   */
  readonly parts?: string;
}

/** A resource with its ranges. */
interface Part {
  readonly id: string;
  readonly name: string;
  readonly ranges: readonly AddressRange[];
}

/** By type in lower case. */
const rows = table as Readonly<Record<string, Ranges>>;
const rowOf = (type: string): Ranges => rows[type.toLowerCase()] ?? { paths: [] };

/** Whether the type has address ranges that are checked. */
export const refusesRanges = (type: string): boolean => rows[type.toLowerCase()] !== undefined;

/** Throws Azure's refusal of address ranges that are none, lie outside of their network, or overlap. */
export function refuseRanges({ path, request, state: { resources } }: WriteContext): void {
  const { parts } = rowOf(path.type);
  const whole = { id: path.id, name: path.name, ranges: rangesToWrite(request, path.type, path.id) };
  if (parts !== undefined) {
    const items = at(request, `properties.${parts}`);
    const children = (Array.isArray(items) ? items.filter(isObject) : []).map((item) => {
      const name = stringOf(item['name']);
      const id = `${path.id}/${parts}/${name}`;
      return { id, name, ranges: rangesToWrite(item, `${path.type}/${parts}`, id) };
    });
    for (const [index, child] of children.entries()) refusePart(child, whole, children.slice(0, index), resources);
    return;
  }
  const parent = resources.get(path.parentId ?? '');
  if (!parent || rowOf(parent.type).parts === undefined) return;
  const siblings = resources.ofType(path.type).filter(({ id }) => isSibling(id, path.id));
  refusePart(whole, storedPart(parent), siblings.map(storedPart), resources);
}

function refusePart(part: Part, whole: Part, others: readonly Part[], resources: StoredResources): void {
  const about = `Subnet '${part.name}' is not valid because its IP address range`;
  const isOutside = (range: AddressRange) => !whole.ranges.some((space) => contains(space, range));
  if (whole.ranges.length > 0 && part.ranges.some(isOutside)) {
    const message = `${about} is outside the IP address range of virtual network '${whole.name}'.`;
    throw refuse(400, 'NetcfgSubnetRangeOutsideVnet', message);
  }
  const isTaken = (range: AddressRange) => others.some(({ ranges }) => ranges.some((each) => overlaps(each, range)));
  if (part.ranges.some(isTaken)) {
    const message = `${about} overlaps with that of an existing subnet in virtual network '${whole.name}'.`;
    throw refuse(400, 'NetcfgSubnetRangesOverlap', message);
  }
  const stored = resources.get(part.id);
  if (!stored || part.ranges.length === 0) return;
  const kept = new Set(part.ranges.map(rangeText));
  const dropped = rangesOf(stored)
    .map(rangeText)
    .find((range) => !kept.has(range));
  if (dropped === undefined || usersOf(stored, resources).length === 0) return;
  const message = `IpPrefix ${dropped} on Subnet ${part.name} has active allocations and cannot be deleted.`;
  throw refuse(400, 'InUsePrefixCannotBeDeleted', message);
}

/** The ranges that a request has. Throws Azure's refusal of a text that is none. */
function rangesToWrite(body: Json, type: string, id: string): AddressRange[] {
  return textsOf(body, type).map((text) => {
    const range = parseRange(text);
    if (!range) {
      const message = `Address prefix ${text} of resource ${id} is not formatted correctly. It should follow CIDR notation, for example 10.0.0.0/24.`;
      throw refuse(400, 'InvalidAddressPrefixFormat', message);
    }
    if (parseAddress(text.split('/')[0] ?? '')?.value !== range.network) {
      const message = `The address prefix ${text} in resource ${id} has an invalid CIDR notation. For the given prefix length, the address prefix should be ${rangeText(range)}.`;
      throw refuse(400, 'InvalidCIDRNotation', message);
    }
    return range;
  });
}

/** The ranges of a resource that exists. */
export const rangesOf = ({ body, type }: Pick<StoredResource, 'body' | 'type'>): AddressRange[] =>
  textsOf(body, type).flatMap((text) => parseRange(text) ?? []);

const textsOf = (body: Json, type: string): string[] => [
  ...new Set(rowOf(type).paths.flatMap((path) => valuesAt(body, path.split('.')).map(String))),
];

const storedPart = (resource: StoredResource): Part => ({
  id: resource.id,
  name: resource.name,
  ranges: rangesOf(resource),
});

/** Whether two ids are those of two children of one resource. */
function isSibling(id: string, other: string): boolean {
  const [a, b] = [id.toLowerCase(), other.toLowerCase()];
  return a !== b && a.slice(0, a.lastIndexOf('/')) === b.slice(0, b.lastIndexOf('/'));
}
