/** .NET's formats of dates, in the invariant culture and UTC. */

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** The custom format of each standard one. */
const standards: Readonly<Record<string, string>> = {
  d: 'MM/dd/yyyy',
  D: 'dddd, dd MMMM yyyy',
  f: 'dddd, dd MMMM yyyy HH:mm',
  F: 'dddd, dd MMMM yyyy HH:mm:ss',
  g: 'MM/dd/yyyy HH:mm',
  G: 'MM/dd/yyyy HH:mm:ss',
  m: 'MMMM dd',
  M: 'MMMM dd',
  o: "yyyy-MM-dd'T'HH:mm:ss.fffffffK",
  O: "yyyy-MM-dd'T'HH:mm:ss.fffffffK",
  r: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  R: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  s: "yyyy-MM-dd'T'HH:mm:ss",
  t: 'HH:mm',
  T: 'HH:mm:ss',
  u: "yyyy-MM-dd HH:mm:ss'Z'",
  U: 'dddd, dd MMMM yyyy HH:mm:ss',
  y: 'yyyy MMMM',
  Y: 'yyyy MMMM',
};

const digits = (value: number, length: number) => String(value).padStart(length, '0');

/** Specifiers by their letter; `length` is how often it stands there. */
const specifiers: Readonly<Record<string, (date: Date, length: number) => string>> = {
  d: (date, length) => {
    if (length < 3) return digits(date.getUTCDate(), length);
    const name = days[date.getUTCDay()] as string;
    return length === 3 ? name.slice(0, 3) : name;
  },
  f: (date, length) => digits(date.getUTCMilliseconds(), 3).padEnd(7, '0').slice(0, length),
  F: (date, length) =>
    digits(date.getUTCMilliseconds(), 3)
      .padEnd(7, '0')
      .slice(0, length)
      .replace(/0{1,7}$/, ''),
  g: () => 'A.D.',
  h: (date, length) => digits(date.getUTCHours() % 12 || 12, Math.min(length, 2)),
  H: (date, length) => digits(date.getUTCHours(), Math.min(length, 2)),
  K: () => 'Z',
  m: (date, length) => digits(date.getUTCMinutes(), Math.min(length, 2)),
  M: (date, length) => {
    if (length < 3) return digits(date.getUTCMonth() + 1, length);
    const name = months[date.getUTCMonth()] as string;
    return length === 3 ? name.slice(0, 3) : name;
  },
  s: (date, length) => digits(date.getUTCSeconds(), Math.min(length, 2)),
  t: (date, length) => (date.getUTCHours() < 12 ? 'AM' : 'PM').slice(0, length),
  y: (date, length) => {
    const year = date.getUTCFullYear();
    return length < 3 ? digits(year % 100, length) : digits(year, length);
  },
  z: (_, length) => (length === 1 ? '+0' : length === 2 ? '+00' : '+00:00'),
};

/** Characters of a format. */
const longestFormat = 100;
/** Runs of one letter, texts in quotes, escapes, and every other character. */
const tokenForm = /d+|f+|F+|g+|h+|H+|K+|m+|M+|s+|t+|y+|z+|\\[\s\S]|'[^']*'|"[^"]*"|[\s\S]/g;

/**
 * A moment in a .NET format: a standard one of one letter, or a custom one such as `yyyy-MM-ddTHH:mm:ssZ`. Undefined for a
 * single letter that is no standard format. Without a format it is the general one.
 */
export function formatDate(now: number, format: string): string | undefined {
  if (format.length > longestFormat || (format.length === 1 && !Object.hasOwn(standards, format))) return undefined;
  const date = new Date(now);
  const pattern = format.length > 1 ? format : (standards[format || 'G'] as string);
  const texts = (pattern.match(tokenForm) ?? []).map((token) => {
    if (token === '%') return '';
    if (token.startsWith('\\')) return token.slice(1);
    if (/^['"]/.test(token)) return token.length > 1 ? token.slice(1, -1) : token;
    return specifiers[token[0] as string]?.(date, token.length) ?? token;
  });
  return texts.join('');
}
