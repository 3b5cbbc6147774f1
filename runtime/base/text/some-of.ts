/** Names that a sentence lists. */
const most = 5;

/** The first names of a list, and how many there are beside them: `a, b and 7 more`. */
export function someOf(names: readonly string[]): string {
  const few = names.slice(0, most).join(', ');
  return names.length > most ? `${few} and ${names.length - most} more` : few;
}
