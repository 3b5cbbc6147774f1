import { tryParseResourceId } from '../azure/arm/resource-ids.ts';
import type { JsonObject } from '../base/json.ts';
import { normalizeText } from '../base/text/normalize.ts';
import { SecretValue } from './secret-value.ts';

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Members of ARM bodies that hold ids of Microsoft Entra ID and of subscriptions, such as `tenantId` or `objectIds`. */
const idMember = /ids?$/i;

/**
 * The body with each pasted id without the blanks and line feeds around it: texts that are an ARM id, and those that are a
 * GUID in a member of an id. All other texts stay as they are, as blanks may belong to them.
 */
export function withoutBlanksAroundIds(body: JsonObject): JsonObject {
  return cleaned(body, '') as JsonObject;
}

/** `member`: name of the member that has the value, of an array as well. Returns the value itself where nothing changes. */
function cleaned(value: unknown, member: string): unknown {
  if (typeof value === 'string') return idIn(value, member) ?? value;
  if (Array.isArray(value)) {
    const items = value.map((item) => cleaned(item, member));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null || value instanceof SecretValue) return value;
  const members = Object.entries(value).map(([name, each]) => [name, cleaned(each, name)] as const);
  const isSame = members.every(([name, each]) => each === (value as JsonObject)[name]);
  return isSame ? value : Object.fromEntries(members);
}

/** The id that a text with blanks around it is; undefined for any other text. */
function idIn(text: string, member: string): string | undefined {
  const normalized = normalizeText(text);
  if (normalized.length === text.length) return undefined;
  const isId = tryParseResourceId(normalized) !== undefined || (idMember.test(member) && guid.test(normalized));
  return isId ? normalized : undefined;
}
