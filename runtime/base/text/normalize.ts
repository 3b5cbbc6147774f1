/**
 * The one normalisation of ids, names and secrets that people paste. A copy often brings blanks, line feeds or
 * invisible characters, and no id of Azure or Kubernetes begins or ends with one.
 */

/** White space, controls, and format characters, which web pages, dialogs and office programs add: zero width, directions. */
const invisible = /[\s\p{Cc}\p{Cf}]/u;

/** A text without blanks, line feeds and invisible characters at its ends. Linear in its length. */
export function normalizeText(text: string): string {
  let end = text.length;
  while (end > 0 && invisible.test(text[end - 1] as string)) end--;
  let start = 0;
  while (start < end && invisible.test(text[start] as string)) start++;
  return text.slice(start, end);
}

/** A password: without line feeds at its end, which editors and `echo` add. Blanks may belong to it. */
export function normalizePassword(password: string): string {
  let end = password.length;
  while (end > 0 && '\r\n'.includes(password[end - 1] as string)) end--;
  return password.slice(0, end);
}

/** A JSON value whose texts, names of members included, are normalised. Recurses as deep as the value is. */
export function normalizeTexts<T>(value: T): T {
  if (typeof value === 'string') return normalizeText(value) as T;
  if (Array.isArray(value)) return value.map(normalizeTexts) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [normalizeText(name), normalizeTexts(member)]);
  return Object.fromEntries(members) as T;
}
