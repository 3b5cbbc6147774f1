import { isObject, type JsonObject } from '../../base/json.ts';
import { withoutSecretMembers } from '../secret-value.ts';

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
