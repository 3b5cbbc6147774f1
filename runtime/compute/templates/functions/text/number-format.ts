/** Numbers in the formats of .NET, invariant culture. */
import { customNumber } from './custom-number.ts';
import { type Decimal, decimalOf, grouped, type Numeric, rounded, split } from './decimal.ts';

function fixed(value: Decimal, places: number, groups: boolean): string {
  const near = rounded(value, places);
  const [whole, fraction] = split(near);
  const before = groups ? grouped(whole || '0') : whole || '0';
  return places === 0 ? before : `${before}.${fraction.padEnd(places, '0')}`;
}

function signed(value: Decimal, places: number, text: string): string {
  return value.negative && rounded(value, places).digits !== '' ? `-${text}` : text;
}

function scientific(value: Decimal, places: number, letter: string, exponentDigits: number): string {
  const near = rounded({ ...value, exponent: 1 }, places);
  const power = value.digits === '' ? 0 : value.exponent - 1 + (near.exponent - 1);
  const mantissa = near.digits.padEnd(1, '0');
  const fraction = places === 0 ? '' : `.${mantissa.slice(1).padEnd(places, '0')}`;
  const shown = `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(exponentDigits, '0')}`;
  return `${value.negative && near.digits !== '' ? '-' : ''}${mantissa[0]}${fraction}${letter}${shown}`;
}

function general(value: Decimal, precision: number, letter: string): string {
  const near = precision === 0 ? value : rounded({ ...value, exponent: 0 }, precision);
  const exponent = precision === 0 ? value.exponent : value.exponent + near.exponent;
  const shown = { ...near, exponent };
  const most = precision === 0 ? 21 : precision;
  if (exponent > most || exponent < -4) {
    return scientific(shown, Math.max(0, near.digits.length - 1), letter === 'g' ? 'e' : 'E', 2);
  }
  return signed(shown, 400, fixed(shown, Math.max(0, near.digits.length - exponent), false));
}

function hexadecimal(value: Numeric, width: number, isUpper: boolean): string {
  const bits = BigInt.asUintN(64, BigInt(value));
  const hex = bits.toString(16).padStart(width, '0');
  return isUpper ? hex.toUpperCase() : hex;
}

const isWhole = (value: Numeric) => typeof value === 'bigint' || Number.isInteger(value);

/** A number in a standard format, such as `N2`; undefined for one that the number does not take. */
function standard(value: Numeric, letter: string, digits: string): string | undefined {
  const decimal = decimalOf(value);
  const places = digits === '' ? undefined : Number(digits);
  const with2 = places ?? 2;
  switch (letter.toUpperCase()) {
    case 'C':
      return currency(decimal, with2);
    case 'D':
      return isWhole(value)
        ? (value < 0 ? '-' : '') + split(decimal)[0].padStart(Math.max(1, places ?? 1), '0')
        : undefined;
    case 'E':
      return scientific(decimal, places ?? 6, letter, 3);
    case 'F':
      return signed(decimal, with2, fixed(decimal, with2, false));
    case 'G':
      return general(decimal, places ?? 0, letter);
    case 'N':
      return signed(decimal, with2, fixed(decimal, with2, true));
    case 'P':
      return percent(decimal, with2);
    case 'R':
      return isWhole(value) ? undefined : general(decimal, 0, letter);
    case 'X':
      return isWhole(value) ? hexadecimal(value, places ?? 0, letter === 'X') : undefined;
    case 'B':
      return isWhole(value)
        ? BigInt.asUintN(64, BigInt(value))
            .toString(2)
            .padStart(places ?? 0, '0')
        : undefined;
    default:
      return undefined;
  }
}

function currency(value: Decimal, places: number): string {
  const text = `¤${fixed(value, places, true)}`;
  return value.negative && rounded(value, places).digits !== '' ? `(${text})` : text;
}

function percent(value: Decimal, places: number): string {
  const hundred = { ...value, exponent: value.digits === '' ? 0 : value.exponent + 2 };
  return `${signed(hundred, places, fixed(hundred, places, true))} %`;
}

/** The number in a format of .NET, standard (`X4`) or custom (`#,##0.00`); undefined for a format that it does not take. */
export function formatNumber(value: Numeric, format: string): string | undefined {
  const [, letter, digits = ''] = /^([A-Za-z])([0-9]{0,2})$/.exec(format) ?? [];
  if (letter !== undefined) return standard(value, letter, digits);
  return customNumber(decimalOf(value), format);
}
