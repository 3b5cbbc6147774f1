/**
 * Functions on texts. Those that a pattern such as `/\/+$/` could replace are linear: the pattern starts again at each
 * character, so that its time grows with the square of the text.
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

/** The beginning of a name that the value of a label can have: at most 63 characters, of which the last is a letter or digit. */
export function labelValueOf(name: string): string {
  return trimEndOf(name.slice(0, 63), '-._');
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

/**
 * CEL's `charAt`: the character at a position, counted in characters, not in UTF-16 units; '' right after the last one.
 *
 * @throws RangeError before the first and after that position. Source: github.com/google/cel-go, ext/strings.go
 */
export function characterAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0 || index > characters.length) throw new RangeError('index out of range');
  return characters[Number(index)] ?? '';
}

/**
 * CEL's `replace`, from the same source: the first `most` occurrences; all where that is negative. An empty `from` is
 * before each character and at the end.
 */
export function replaceTexts(text: string, from: string, to: string, most = -1): string {
  const parts = from === '' ? ['', ...text, ''] : text.split(from);
  const count = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1);
  const rest = parts.slice(count + 1).map((part) => from + part);
  return parts.slice(0, count + 1).join(to) + rest.join('');
}
