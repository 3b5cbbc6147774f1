import type { ArmKind } from '../api/types.ts';
import type { JsonObject } from '../base/json.ts';

/**
 * The `owner` of a spec: by name where `refer` names an object of a kind that can own the resource, by ARM id otherwise.
 * `parent` is the ARM id of the owner; `refer` gives `{armId}` or `{group, kind, name}`.
 */
export function ownerOf(
  { extension, kinds }: NonNullable<ArmKind['owner']>,
  parent: string,
  refer: (armId: string) => JsonObject,
): JsonObject {
  const owner = refer(parent);
  if (extension || 'armId' in owner) return owner;
  return kinds.includes(String(owner['kind'])) ? { name: owner['name'] } : { armId: parent };
}
