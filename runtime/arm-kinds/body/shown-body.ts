import type { ArmKind, FieldTree } from '../../api/types.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { withoutSecretMembers } from '../secret-value.ts';
import { rootPath } from './arm-body.ts';
import { namedMembers } from './one-of.ts';

/** Items; longer lists of Azure, such as the addresses in use of a subnet, would not fit into an object. */
const longestList = 2000;

function withoutLongLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLongLists);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => !(Array.isArray(member) && member.length > longestList));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutLongLists(member)]));
}

/** The part of ARM's answer that a status shows: without secrets and without lists of more than 2,000 items. */
export function shownBody(live: JsonObject): JsonObject {
  return withoutLongLists(withoutSecretMembers(live)) as JsonObject;
}

/** The members of `properties` beside those of its parent, under ASO v2's other name where the parent has the name. */
function spread({ properties, ...parent }: JsonObject): JsonObject {
  const taken = new Map(Object.keys(parent).map((name) => [name.toLowerCase(), `properties_${name}`]));
  const members = Object.entries(properties as JsonObject);
  return {
    ...Object.fromEntries(members.map(([name, value]) => [taken.get(name.toLowerCase()) ?? name, value])),
    ...parent,
  };
}

/** The value with the `properties` of its members, and of theirs, spread. A `properties` in another one stays. */
function spreadMembers(value: unknown, keptIn: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => spreadMembers(each, keptIn));
  if (!isObject(value)) return value;
  const shown = Object.entries(value).map(([name, member]) => {
    const inner = spreadMembers(member, keptIn);
    if (name === 'properties' || keptIn.includes(name)) return [name, inner];
    return [name, Array.isArray(inner) ? inner.map(spreadIfNested) : spreadIfNested(inner)];
  });
  return Object.fromEntries(shown);
}

const spreadIfNested = (value: unknown) => (isObject(value) && isObject(value['properties']) ? spread(value) : value);

/** The differences of a kind's status to the usual shape. */
export interface StatusShape {
  /** Whether `properties` of the resource are spread over the status. @default as the spec has them */
  readonly spread?: boolean;
  /** Members whose items keep their `properties`, beside those of the spec. @default none */
  readonly keptIn?: readonly string[];
  /** The member for the resource's own `conditions`, as `status.conditions` is Kubernetes'. @default none */
  readonly conditionsIn?: string;
  /** Whether the one-ofs of the spec are one-ofs in the status too. @default true */
  readonly oneOfs?: boolean;
}

/** Names of the fields that have a field `properties` of their own, such as a map of the user's. */
function keptInSpec(tree: FieldTree, name?: string): string[] {
  const own = name !== undefined && tree.properties?.['properties'] ? [name] : [];
  const { items, values, properties = {} } = tree;
  const inner = [items, values].filter((each) => each !== undefined).flatMap((each) => keptInSpec(each, name));
  return [...own, ...inner, ...Object.entries(properties).flatMap(([field, each]) => keptInSpec(each, field))];
}

/**
 * ASO v2's shape of a status: one-ofs have their members' names, and `properties` of the resource, unless the kind
 * keeps them, and of its parts are spread.
 */
export function statusOf(arm: ArmKind, live: JsonObject, shape: StatusShape = {}): JsonObject {
  const { spread: spreads = arm.propertiesFlattened || arm.noProperties, conditionsIn, oneOfs = true } = shape;
  const keptIn = [...(shape.keptIn ?? []), ...keptInSpec(arm.fields)];
  const body = shownBody(live);
  const named = oneOfs ? namedMembers(arm.fields, body, (name, field) => rootPath(arm, name, field)) : body;
  const nested = spreadMembers(named, keptIn) as JsonObject;
  const shown = spreads && isObject(nested['properties']) ? spread(nested) : nested;
  // Where the resource itself is a one-of, ASO v2 has its name beside the member too.
  if (body['name'] !== undefined) shown['name'] = body['name'];
  if (conditionsIn === undefined) return shown;
  const { conditions, ...others } = shown;
  return { ...others, ...(conditions !== undefined && { [conditionsIn]: conditions }) };
}
