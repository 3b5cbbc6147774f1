type Members = Record<string, unknown>;

/**
 * Returns `fresh` with every part that equals the same part of `template` replaced by that part itself, or `template` when
 * all of it is equal. Objects of one origin differ in a few fields only, so that a cache of them, each compared with the
 * one before, holds what they have in common once. Both are JSON values; `fresh` is modified, `template` is not.
 */
export function share<T>(template: unknown, fresh: T): T {
  // Equal strings are two copies until one takes the place of the other.
  if (fresh === template) return template as T;
  if (typeof fresh !== 'object' || typeof template !== 'object' || fresh === null || template === null) return fresh;
  const list = Array.isArray(fresh);
  if (list !== Array.isArray(template)) return fresh;
  const same = list ? shareItems(template as unknown[], fresh) : shareMembers(template as Members, fresh as Members);
  return same ? (template as T) : fresh;
}

function shareItems(template: readonly unknown[], fresh: unknown[]): boolean {
  let same = fresh.length === template.length;
  const shared = Math.min(fresh.length, template.length);
  for (let i = 0; i < shared; i++) {
    fresh[i] = share(template[i], fresh[i]);
    if (fresh[i] !== template[i]) same = false;
  }
  return same;
}

/** Runs for every member of every object, hence without a call for plain values and without lists of names. */
function shareMembers(template: Members, fresh: Members): boolean {
  let same = true;
  let count = 0;
  for (const name in fresh) {
    count++;
    const own = fresh[name];
    const other = template[name];
    if (own === other && (own !== undefined || name in template)) continue;
    if (typeof own === 'object' && own !== null) {
      const shared = share(other, own);
      if (shared === other) {
        fresh[name] = other;
        continue;
      }
    }
    same = false;
  }
  if (same) {
    for (const _ in template) count--;
    if (count === 0) return true;
  }
  for (const name in fresh) {
    const own = fresh[name];
    if (typeof own === 'string' && own.length > 10 && own === template[name]) fresh[name] = template[name];
  }
  return false;
}
