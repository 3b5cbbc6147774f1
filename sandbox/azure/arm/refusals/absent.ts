import { isObject } from '../../../../runtime/base/json.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { WriteContext } from '../behaviour.ts';
import { groupIdOf, type ResourcePath, tryParsePath } from '../resources/resource-path.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import { sameName } from '../write-checks.ts';
import table from './absent.json' with { type: 'json' };
import { filled } from './message.ts';

/** References of a type that must be there, with one refusal. */
interface References {
  /** Dotted paths of members with resource ids. Those in the items of a list are each checked. */
  readonly paths: readonly string[];
  /** Only where a member around it has the createOption Attach: Azure makes other disks, with names of its own. */
  readonly attached?: boolean;
  /** @default 400 */
  readonly status?: number;
  /** @default InvalidResourceReference */
  readonly code?: string;
  /** `{target}` is the absent id, `{targetName}` its name, `{id}` the resource, or the part of it that refers. */
  readonly message?: string;
}

/** By type in lower case; a list where a type has several refusals. */
const rows = table as Readonly<Record<string, References | readonly References[]>>;

const defaultMessage =
  'Resource {target} referenced by resource {id} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.';

/** Whether the type has references that must be there. */
export const refusesAbsent = (type: string): boolean => rows[type.toLowerCase()] !== undefined;

/** Throws Azure's refusal of a reference that is no resource id, or names a resource that is not there. */
export function refuseAbsent(write: WriteContext, store: ResourceStore): void {
  for (const row of [rows[write.path.type.toLowerCase()] ?? []].flat()) refuseRow(row, write, store);
}

function refuseRow(row: References, { path, request }: WriteContext, store: ResourceStore): void {
  const references = row.paths.flatMap((each) => referencesAt(request, each.split('.')));
  for (const { target, place, part, createOption } of references) {
    if (row.attached && createOption !== 'attach') continue;
    if (!/^\/(subscriptions|providers)\//i.test(target)) {
      const message = `Property id '${target}' at path '${place}' is invalid. Expect fully qualified resource Id that start with '/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/'.`;
      throw refuse(400, 'LinkedInvalidPropertyId', message);
    }
    if (!isAbsent(target, path, request, store)) continue;
    const { status = 400, code = 'InvalidResourceReference', message = defaultMessage } = row;
    const id = part !== undefined && isBelow(target, path.id) ? `${path.id}/${part}` : path.id;
    const targetName = target.split('/').at(-1) ?? '';
    throw refuse(status, code, filled(message, { id, target, targetName }), { details: [] });
  }
}

interface Reference {
  readonly target: string;
  /** Where it is, such as `properties.subnets[0].properties.routeTable.id`. */
  readonly place: string;
  /** The item of a list that has it, such as `subnets/first`. */
  readonly part: string | undefined;
  /** `createOption` of the innermost object around it that has one, in lower case. */
  readonly createOption: string | undefined;
}

function referencesAt(
  value: unknown,
  names: readonly string[],
  around: Omit<Reference, 'target'> = { place: '', part: undefined, createOption: undefined },
): Reference[] {
  const { place, part } = around;
  if (Array.isArray(value)) {
    const list = place.slice(place.lastIndexOf('.') + 1);
    return value.flatMap((item, index) => {
      const inner = part ?? `${list}/${stringOf(at(item, 'name'))}`;
      return referencesAt(item, names, { ...around, place: `${place}[${index}]`, part: inner });
    });
  }
  const [name, ...rest] = names;
  if (name === undefined) return typeof value === 'string' ? [{ ...around, target: value }] : [];
  if (!isObject(value)) return [];
  const option = stringOf(value['createOption']).toLowerCase();
  const inner = place === '' ? name : `${place}.${name}`;
  return referencesAt(value[name], rest, { ...around, place: inner, ...(option ? { createOption: option } : {}) });
}

/**
 * Whether a resource is known not to be there: its group exists here, and neither the resource nor, of a part such as
 * a front end, the item in the resource that it is part of. What lies in other groups may be there: whoever replays
 * a recording has groups that nobody made here.
 */
function isAbsent(id: string, writer: ResourcePath, request: Json, store: ResourceStore): boolean {
  const path = tryParsePath(id.split('/').filter(Boolean));
  if (!path?.resourceGroup || !path.namespace || path.tail !== undefined) return false;
  if (!store.find(groupIdOf(path)) || store.find(id)) return false;
  const [parentId, list] = [path.parentId ?? '', path.types.at(-1) ?? ''];
  const isOwn = sameName(parentId, writer.id);
  const parent = store.find(parentId);
  if (!isOwn && !parent) return path.types.length <= 2;
  const { embeds = [] } = store.behaviourOf(parent?.type ?? writer.type);
  if (!isOwn && embeds.some(({ childType }) => sameName(childType, list))) return true;
  return !itemsOf((isOwn ? request : parent?.body) ?? {}, list).some((item) =>
    sameName(stringOf(at(item, 'name')), path.name),
  );
}

function itemsOf(body: Json, list: string): unknown[] {
  const members = Object.entries(objectOf(body['properties']));
  const items = members.find(([name]) => sameName(name, list))?.[1];
  return Array.isArray(items) ? items : [];
}

const isBelow = (id: string, parent: string) => id.toLowerCase().startsWith(`${parent.toLowerCase()}/`);
