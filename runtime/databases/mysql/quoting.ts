/** The modes of a session in which the functions below are exact: a backslash is a character like any other. */
export const sessionModes = 'NO_BACKSLASH_ESCAPES';

/** Quotes the name of a database for MySQL. Throws RangeError for a character that no name can have. */
export function quoteIdentifier(name: string): string {
  return `\`${usable(name).replaceAll('`', '``')}\``;
}

/** Quotes a text for MySQL, in a session with `sessionModes`. Throws RangeError as above. */
export function quoteText(text: string): string {
  return `'${usable(text).replaceAll("'", "''")}'`;
}

function usable(text: string): string {
  if (text.includes('\0')) throw new RangeError('A text for MySQL cannot have the character NUL');
  return text;
}
