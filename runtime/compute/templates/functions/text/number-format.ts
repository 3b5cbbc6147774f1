/** .NET's formats of numbers, in the invariant culture. */

/** Characters of a format: the composite format's own bound is 64. */
const longestFormat = 100;
/** Largest precision that .NET takes; more digits would fill memory. */
const mostDigits = 99;

interface Decimal {
  readonly isNegative: boolean;
  /** Digits before and after the point. */
  readonly whole: string;
  readonly fraction: string;
}

/** A number as digits, without an exponent. */
function decimalOf(value: number | bigint): Decimal {
  const text = typeof value === 'bigint' ? String(value) : expanded(value);
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  return { isNegative, whole, fraction };
}

/** The shortest digits of a number, which `String` writes with an exponent below 1e-6 and from 1e21 on. */
function expanded(value: number): string {
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return digits;
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const all = whole + fraction;
  const point = whole.length + Number(exponent);
  const text = point <= 0 ? `0.${'0'.repeat(-point)}${all}` : all.padEnd(point, '0');
  return value < 0 ? `-${text}` : text;
}

/** Rounds half away from zero to so many digits after the point. */
function rounded({ isNegative, whole, fraction }: Decimal, digits: number): Decimal {
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const up = (fraction[digits] ?? '0') >= '5' ? 1n : 0n;
  const text = String(kept + up).padStart(digits + 1, '0');
  const [before, after] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return { isNegative: isNegative && kept + up !== 0n, whole: before, fraction: after };
}

function grouped(whole: string): string {
  const first = whole.length % 3 || 3;
  const groups = [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return groups.join(',');
}

const joined = (whole: string, fraction: string) => (fraction === '' ? whole : `${whole}.${fraction}`);

/** Scientific notation with so many digits after the point and in the exponent. */
function scientific(value: number | bigint, digits: number, letter: string, exponentDigits: number): string {
  const { isNegative, whole, fraction } = decimalOf(value);
  const all = (whole + fraction).replace(/^0+/, '');
  if (all === '') return `${joined('0', '0'.repeat(digits))}${letter}+${'0'.repeat(exponentDigits)}`;
  let exponent = whole.replace(/^0+/, '').length - 1;
  if (exponent < 0) exponent = -(/^0*/.exec(fraction)?.[0].length ?? 0) - 1;
  const mantissa = rounded({ isNegative, whole: all[0] as string, fraction: all.slice(1) }, digits);
  const carries = mantissa.whole.length > 1;
  const power = exponent + (carries ? 1 : 0);
  const text = joined(carries ? '1' : mantissa.whole, mantissa.fraction);
  const sign = power < 0 ? '-' : '+';
  return `${isNegative ? '-' : ''}${text}${letter}${sign}${String(Math.abs(power)).padStart(exponentDigits, '0')}`;
}

type Standard = (value: number | bigint, precision: number | undefined, letter: string) => string | undefined;

const fixed = (value: number | bigint, digits: number, show: (whole: string) => string = (whole) => whole): string => {
  const { isNegative, whole, fraction } = rounded(decimalOf(value), digits);
  return `${isNegative ? '-' : ''}${joined(show(whole), fraction)}`;
};
const isWhole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value);

/** Standard formats by their letter in upper case; undefined for a value that has none. */
const standards: Readonly<Record<string, Standard>> = {
  C: (value, precision = 2) => {
    const text = fixed(value, precision, grouped);
    return text.startsWith('-') ? `(¤${text.slice(1)})` : `¤${text}`;
  },
  D: (value, precision = 0) => {
    if (!isWhole(value)) return undefined;
    const { isNegative, whole } = decimalOf(value);
    return `${isNegative ? '-' : ''}${whole.padStart(precision, '0')}`;
  },
  E: (value, precision = 6, letter = 'E') => scientific(value, precision, letter, 3),
  F: (value, precision = 2) => fixed(value, precision),
  G: (value) => String(value),
  N: (value, precision = 2) => fixed(value, precision, grouped),
  P: (value, precision = 2) => `${percent(value, 2, precision)} %`,
  R: (value) => String(value),
  X: (value, precision = 0, letter = 'X') => {
    if (!isWhole(value)) return undefined;
    const hex = BigInt.asUintN(64, BigInt(value)).toString(16).padStart(precision, '0');
    return letter === 'X' ? hex.toUpperCase() : hex;
  },
};

function percent(value: number | bigint, shift: number, digits: number): string {
  const { isNegative, whole, fraction } = shifted(decimalOf(value), shift);
  const number = rounded({ isNegative, whole, fraction }, digits);
  return `${number.isNegative ? '-' : ''}${joined(grouped(number.whole), number.fraction)}`;
}

/** Multiplied by a power of ten. */
function shifted({ isNegative, whole, fraction }: Decimal, places: number): Decimal {
  if (places >= 0) {
    const moved = fraction.padEnd(places, '0');
    return { isNegative, whole: trimmed(whole + moved.slice(0, places)), fraction: moved.slice(places) };
  }
  const padded = whole.padStart(1 - places, '0');
  return {
    isNegative,
    whole: trimmed(padded.slice(0, places)),
    fraction: padded.slice(places) + fraction,
  };
}

const trimmed = (whole: string) => whole.replace(/^0+/, '') || '0';

/**
 * A number in a .NET format, such as `N2`, `x8`, `#,##0.00` or `0.0%`; undefined for a format that does not exist or does not
 * fit the number.
 */
export function formatNumber(value: number | bigint, format: string): string | undefined {
  if (format.length > longestFormat) return undefined;
  const [, letter = '', digits = ''] = /^([A-Za-z])([0-9]{0,2})$/.exec(format) ?? [];
  if (letter === '') return customNumber(value, format);
  const standard = Object.hasOwn(standards, letter.toUpperCase()) ? standards[letter.toUpperCase()] : undefined;
  return standard?.(value, digits === '' ? undefined : Math.min(Number(digits), mostDigits), letter);
}

/** The parts of a custom format: literals, and digits as `0` and `#`. */
interface Pattern {
  readonly parts: readonly string[];
  readonly integers: number;
  readonly leastIntegers: number;
  readonly fractions: number;
  readonly leastFractions: number;
  readonly isGrouped: boolean;
  readonly shift: number;
  readonly exponent: string | undefined;
}

const tokenForm = /\\.|'[^']*'|"[^"]*"|[Ee][+-]?0+|[\s\S]/g;

function patternOf(section: string): Pattern {
  const parts: readonly string[] = section.match(tokenForm) ?? [];
  const point = parts.indexOf('.');
  const before = point === -1 ? parts : parts.slice(0, point);
  const after = point === -1 ? [] : parts.slice(point);
  const digits = (list: readonly string[]) => list.filter((part) => part === '0' || part === '#');
  const [whole, fraction] = [digits(before), digits(after)];
  const lastDigit = Math.max(before.lastIndexOf('0'), before.lastIndexOf('#'));
  const firstDigit = before.findIndex((part) => part === '0' || part === '#');
  const trailing = before.slice(lastDigit + 1).filter((part) => part === ',').length;
  return {
    parts,
    integers: whole.length,
    leastIntegers: whole.includes('0') ? whole.length - whole.indexOf('0') : 0,
    fractions: fraction.length,
    leastFractions: fraction.lastIndexOf('0') + 1,
    isGrouped: before.slice(firstDigit, lastDigit).includes(','),
    shift: 2 * parts.filter((part) => part === '%').length - 3 * trailing,
    exponent: parts.find((part) => /^[Ee][+-]?0+$/.test(part)),
  };
}

function customNumber(value: number | bigint, format: string): string {
  const sections = format.split(';');
  const isNegative = value < 0;
  const index = isNegative && sections[1] ? 1 : Number(value) === 0 && sections[2] !== undefined ? 2 : 0;
  const pattern = patternOf(sections[index] ?? '');
  const text = fill(pattern, value);
  return isNegative && index === 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

function fill(pattern: Pattern, value: number | bigint): string {
  const { fractions, leastFractions, leastIntegers, isGrouped, exponent } = pattern;
  let number = shifted({ ...decimalOf(value), isNegative: false }, pattern.shift);
  let power = '';
  if (exponent !== undefined) {
    const [mantissa = '0', by = '+0'] = scientific(value, fractions, 'E', 1).replace('-', '').split('E');
    const [whole = '0', fraction = ''] = mantissa.split('.');
    number = { isNegative: false, whole, fraction };
    const zeros = exponent.replace(/[^0]/g, '').length;
    const sign = by.startsWith('-') ? '-' : exponent.includes('+') ? '+' : '';
    power = `${exponent[0]}${sign}${by.slice(1).padStart(zeros, '0')}`;
  }
  const { whole, fraction } = rounded(number, fractions);
  const integer = (whole === '0' ? '' : whole).padStart(leastIntegers, '0');
  let decimals = fraction;
  while (decimals.length > leastFractions && decimals.endsWith('0')) decimals = decimals.slice(0, -1);
  return place(pattern, isGrouped ? grouped(integer) : integer, decimals, power);
}

/** Puts the digits where the pattern has its first digit and its point; literals stay where they are. */
function place({ parts }: Pattern, integer: string, decimals: string, power: string): string {
  let [hasInteger, hasPoint] = [false, false];
  const text = parts.map((part) => {
    if (part === '0' || part === '#') {
      if (hasPoint || hasInteger) return '';
      hasInteger = true;
      return integer;
    }
    if (part === '.') {
      if (hasPoint) return '';
      hasPoint = true;
      const before = hasInteger ? '' : integer;
      hasInteger = true;
      return decimals === '' ? before : `${before}.${decimals}`;
    }
    if (part === ',') return '';
    if (/^[Ee][+-]?0+$/.test(part)) return power;
    if (part.startsWith('\\')) return part.slice(1);
    return part.length > 1 ? part.slice(1, -1) : part;
  });
  return text.join('');
}
