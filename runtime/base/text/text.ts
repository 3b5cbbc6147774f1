/**
 * Small things that a pattern such as `/\/+$/` does in time that grows with the square of the text, as it starts again at each
 * character. These are linear.
 */

/** Without the characters at the end that are among these. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

/** Without the characters at both ends that are among these. */
export function trimOf(text: string, characters: string): string {
  const rest = trimEndOf(text, characters);
  let start = 0;
  while (start < rest.length && characters.includes(rest[start] as string)) start++;
  return rest.slice(start);
}

/** The first characters of a text, at most so many: a copy, since a part of a text keeps the whole of it in memory. */
export function beginningOf(text: string, most: number): string {
  return text.length > most ? `${Buffer.from(text.slice(0, most))}` : text;
}

/** Lines joined by a space, without the blanks around their ends. */
export function onOneLine(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  return lines
    .map((line, index) => (index === 0 ? line.trimEnd() : index === lines.length - 1 ? line.trimStart() : line.trim()))
    .filter((line, index) => line !== '' || index === 0 || index === lines.length - 1)
    .join(' ');
}
