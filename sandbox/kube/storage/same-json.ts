/** Whether two values are the same JSON: the order of members does not matter, an undefined member is an absent one. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  if (Array.isArray(a) && a.length !== (b as unknown[]).length) return false;
  for (const member of Object.keys(left)) if (!sameJson(left[member], right[member])) return false;
  return Object.keys(right).every((member) => right[member] === undefined || Object.hasOwn(left, member));
}
