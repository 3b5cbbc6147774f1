/**
 * Quotes a name for PostgreSQL, whatever characters it has. Throws RangeError for the only one that PostgreSQL cannot
 * have, NUL.
 */
export function quoteIdentifier(name: string): string {
  return `"${withoutNul(name).replaceAll('"', '""')}"`;
}

/**
 * Quotes a text for PostgreSQL. With a backslash it is an escape string, so that it means the same whatever
 * `standard_conforming_strings` is. Throws RangeError for NUL.
 */
export function quoteLiteral(text: string): string {
  const quoted = withoutNul(text).replaceAll("'", "''");
  return quoted.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}

function withoutNul(text: string): string {
  if (text.includes('\0')) throw new RangeError('A text for PostgreSQL cannot have the character NUL');
  return text;
}
