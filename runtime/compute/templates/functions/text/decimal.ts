/** Decimal digits of numbers, for the formats of .NET: integers of any size and binary floating point. */

/** An integer or a float. */
export type Numeric = number | bigint;

/** A number as sign and decimal digits: 0.digits times ten to the exponent. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** The digits without zeros at their end. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** The digits of a number. */
export function decimalOf(value: Numeric): Decimal {
  const text = String(value).replace('-', '');
  const negative = value < 0 || Object.is(value, -0);
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  const zeros = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = withoutZeros(all.slice(zeros));
  return { negative, digits, exponent: digits === '' ? 0 : whole.length - zeros + Number(power) };
}

/** Rounded half away from zero to this many digits after the point. */
export function rounded({ negative, digits, exponent }: Decimal, places: number): Decimal {
  const kept = exponent + places;
  if (kept >= digits.length) return { negative, digits, exponent };
  if (kept < 0) return { negative, digits: '', exponent: 0 };
  const up = (digits[kept] as string) >= '5';
  const head = digits.slice(0, kept);
  if (!up) return trimmed(negative, head, exponent);
  const raised = String(BigInt(`1${head}`) + 1n);
  return raised.startsWith('2')
    ? trimmed(negative, `1${raised.slice(1)}`, exponent + 1)
    : trimmed(negative, raised.slice(1), exponent);
}

function trimmed(negative: boolean, digits: string, exponent: number): Decimal {
  const kept = withoutZeros(digits);
  return kept === '' ? { negative, digits: '', exponent: 0 } : { negative, digits: kept, exponent };
}

/** The digits before and after the point. */
export function split({ digits, exponent }: Decimal): [whole: string, fraction: string] {
  if (exponent <= 0) return ['', digits === '' ? '' : '0'.repeat(-exponent) + digits];
  return [digits.slice(0, exponent).padEnd(exponent, '0'), digits.slice(exponent)];
}

/** The digits with a comma for each thousand. */
export function grouped(whole: string): string {
  const first = whole.length % 3 || 3;
  const groups = [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return groups.join(',');
}
