import { isObject, type JsonObject } from '../../base/json.ts';
import { MovedValue } from '../moved/moved-value.ts';
import { getPath } from '../values/json-object.ts';
import { withPath } from '../values/shared-list.ts';

/** Where an ARM body has the identities of a resource, by their ids. */
export const identities = 'identity.userAssignedIdentities';
const userAssigned = 'UserAssigned';

/** The body with an identity type that covers its identities: those of others were carried into it. */
export function withIdentityType(body: JsonObject, live: JsonObject): JsonObject {
  const assigned = getPath(body, identities);
  if (!isObject(assigned) || Object.keys(assigned).length === 0) return body;
  const type = getPath(body, 'identity.type') ?? undefined;
  if (type === undefined) return withPath(body, ['identity', 'type'], getPath(live, 'identity.type') ?? userAssigned);
  if (wordsOf(type).includes(userAssigned.toLowerCase())) return body;
  return withPath(body, ['identity', 'type'], isNone(type) ? userAssigned : `${String(type)}, ${userAssigned}`);
}

const isNone = (type: unknown) => String(type).toLowerCase() === 'none';

/** The body for comparisons: user-assigned identities of others change the declared type. */
export function withComparedIdentityType(body: JsonObject): JsonObject {
  const type = getPath(body, 'identity.type');
  if (typeof type !== 'string' || isNone(type) || wordsOf(type).includes(userAssigned.toLowerCase())) return body;
  const covers = (live: unknown) => sameWords(wordsOf(live), [...wordsOf(type), userAssigned.toLowerCase()]);
  return withPath(body, ['identity', 'type'], new MovedValue(type, covers));
}

const wordsOf = (type: unknown): string[] =>
  typeof type === 'string'
    ? type
        .toLowerCase()
        .split(',')
        .map((word) => word.trim())
    : [];

const sameWords = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((word) => others.includes(word));
