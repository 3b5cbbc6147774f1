/** Equal as JSON whatever the order of members; a member that is null, an empty list or undefined counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value ?? {}, (_, member: unknown) => {
      if (member === null || (Array.isArray(member) && member.length === 0)) return undefined;
      if (typeof member !== 'object' || Array.isArray(member)) return member;
      return Object.fromEntries(Object.entries(member as object).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ''
  );
}
