import type { JsonObject } from '../../base/json.ts';
import { withSharedEntries } from '../carried/with-carried.ts';
import type { ArmModel } from '../model.ts';
import { withMovedValues } from '../moved/with-moved.ts';
import { withSharedList } from '../values/shared-list.ts';
import { withEnumWords } from './enum-values.ts';
import { type BodyPath, withoutPaths } from './ignored-fields.ts';

/** The declared body without the fields left to others, with markers at values that have a comparison of their own. */
export function comparedBody(
  { definition, extension }: ArmModel,
  declared: JsonObject | undefined,
  ignored: readonly BodyPath[],
): JsonObject | undefined {
  const shown = declared && withoutPaths(declared, ignored);
  if (!shown) return undefined;
  const movedBody = withSharedEntries(definition, withMovedValues(definition, shown));
  const marked = definition.arm ? withEnumWords(definition.arm, movedBody) : movedBody;
  const { sharedList } = extension;
  return sharedList === undefined ? marked : withSharedList(marked, sharedList);
}
