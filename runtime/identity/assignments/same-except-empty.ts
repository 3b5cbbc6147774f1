import { canonicalJson } from '../../base/json.ts';

/** Whether two values are equal as JSON, where a member that is null, an empty list or undefined counts as absent. */
export function sameExceptEmpty(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? {}, 'left out') === canonicalJson(b ?? {}, 'left out');
}
