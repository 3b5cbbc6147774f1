type Members = Record<string, unknown>;

/** JSON.parse itself holds strings up to this length only once. */
const internedLength = 10;

/** Levels that are compared. A tenant decides how deep an object goes, and recursion ends at some thousand levels. */
const maxLevels = 100;

/**
 * Returns `fresh` with every part that equals the same part of `template` replaced by that part itself, or `template` when
 * all of it is equal. Objects of one origin differ in a few fields only, so that a cache of them, each compared with the
 * one before, holds their common parts once. Both are JSON values; `fresh` is modified, `template` is not. Parts below 100
 * levels stay as they are.
 */
export function share<T>(template: unknown, fresh: T, levels = maxLevels): T {
  // Equal strings are two copies until one takes the place of the other.
  if (fresh === template) return template as T;
  if (typeof fresh !== 'object' || typeof template !== 'object' || fresh === null || template === null) return fresh;
  const list = Array.isArray(fresh);
  if (list !== Array.isArray(template) || levels === 0) return fresh;
  const same = list
    ? shareItems(template as unknown[], fresh, levels - 1)
    : shareMembers(template as Members, fresh as Members, levels - 1);
  return same ? (template as T) : fresh;
}

function shareItems(template: readonly unknown[], fresh: unknown[], levels: number): boolean {
  let same = fresh.length === template.length;
  const shared = Math.min(fresh.length, template.length);
  for (let i = 0; i < shared; i++) {
    fresh[i] = share(template[i], fresh[i], levels);
    if (fresh[i] !== template[i]) same = false;
  }
  return same;
}

/** Runs for every member of every object, so in one pass, without lists of names and without a call for plain values. */
function shareMembers(template: Members, fresh: Members, levels: number): boolean {
  let same = true;
  let equal = 0;
  for (const name in fresh) {
    const freshValue = fresh[name];
    const other = template[name];
    if (typeof freshValue === 'string') {
      if (freshValue !== other) same = false;
      else {
        equal++;
        if (freshValue.length > internedLength) fresh[name] = other;
      }
    } else if (typeof freshValue === 'object' && freshValue !== null) {
      if (share(other, freshValue, levels) !== other) same = false;
      else {
        equal++;
        fresh[name] = other;
      }
    } else if (freshValue === other && (freshValue !== undefined || name in template)) equal++;
    else same = false;
  }
  if (!same) return false;
  for (const _ in template) equal--;
  return equal === 0;
}
