import type { Environment } from '@marcbachmann/cel-js';
import { isObject } from '../../base/json.ts';
import { characterAt, replaceTexts } from '../../base/text/text.ts';

/** The namespace of `strings.quote`. */
class StringsFunctions {}
const strings = new StringsFunctions();

/**
 * The functions of CEL's extension Strings, version 3, that the library lacks: ASO v2's expressions have them. Positions
 * are of characters, not of UTF-16 units. Source: github.com/google/cel-go, ext/strings.go.
 */
export function addStringFunctions(environment: Environment): Environment {
  return environment
    .registerType('StringsFunctions', StringsFunctions)
    .registerConstant('strings', 'StringsFunctions', strings)
    .registerFunction('StringsFunctions.quote(string): string', (_: StringsFunctions, text: string) => quote(text))
    .registerFunction('string.charAt(int): string', characterAt)
    .registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''))
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      replaceTexts(text, from, to),
    )
    .registerFunction(
      'string.replace(string, string, int): string',
      (text: string, from: string, to: string, most: bigint) => replaceTexts(text, from, to, Number(most)),
    )
    .registerFunction('string.format(list<dyn>): string', format);
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  return `"${[...text].map((each) => escapes[each] ?? each).join('')}"`;
}

/** Digits after the point where the clause names none. */
const usualPrecision = 6;
const mostPrecision = 100;

/**
 * `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X`, `%o` and `%%`; `%.3f` and `%.3e` have a precision. Fractions are in English:
 * `1,234.500000` and `1.234500 × 10⁰³`. Source: cel-go, ext/formatting.go.
 */
function format(template: string, values: readonly unknown[]): string {
  let used = 0;
  return template.replaceAll(/%(?:\.(\d{1,3}))?(.?)/gsu, (_, digits: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (used >= values.length) throw new RangeError('fewer values than clauses');
    const precision = Number(digits ?? usualPrecision);
    if (precision > mostPrecision) throw new RangeError('too many digits');
    return formatOne(plain(values[used++]), verb, precision);
  });
}

function formatOne(value: unknown, verb: string, precision: number): string {
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      return whole(value).toString();
    case 'f':
      return fixed(fraction(value), precision);
    case 'e':
      return scientific(fraction(value), precision);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : whole(value).toString(2);
    case 'o':
      return whole(value).toString(8);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      throw new RangeError('unknown clause');
  }
}

/** An unsigned integer of the library is an object around a bigint. */
function plain(value: unknown): unknown {
  const inner = value instanceof Object ? value.valueOf() : value;
  return typeof inner === 'bigint' ? inner : value;
}

/** Whole numbers of an object are integers for ASO, and numbers like others here. */
function whole(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new TypeError('no integer');
}

function fraction(value: unknown): number {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  if (typeof value === 'number') return value;
  throw new TypeError('no fraction');
}

function fixed(value: number, precision: number): string {
  const digits = { minimumFractionDigits: precision, maximumFractionDigits: precision, roundingMode: 'halfEven' };
  return value.toLocaleString('en-US', digits as Intl.NumberFormatOptions);
}

const raised: Readonly<Record<string, string>> = { '-': '⁻', ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].entries()) };

function scientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return fixed(value, precision);
  const [digits = '', exponent = ''] = value.toExponential(precision).split('e');
  const power = `${Number(exponent) < 0 ? '-' : ''}${exponent.slice(1).padStart(2, '0')}`;
  return `${digits}\u202f×\u202f10${[...power].map((each) => raised[each]).join('')}`;
}

function hexadecimal(value: unknown): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value as string).toString('hex');
  return whole(value).toString(16);
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (value === null || ['string', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof Date) return value.toISOString().replace(/\.000Z$/, 'Z');
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const entries = value instanceof Map ? [...value] : isObject(value) ? Object.entries(value) : undefined;
  if (!entries) throw new TypeError('no text');
  const pairs = entries.map(([key, each]) => `${literal(key)}:${literal(each)}`);
  return `{${pairs.sort().join(', ')}}`;
}

function numberText(value: number): string {
  return String(value)
    .replace(/^Infinity$/, '+Inf')
    .replace(/^-Infinity$/, '-Inf')
    .replace(/e-(\d)$/, 'e-0$1');
}

/** A value within a list or map, as CEL writes it. */
function literal(value: unknown): string {
  const each = plain(value);
  if (typeof each === 'string') return quote(each);
  if (each instanceof Uint8Array) return `b${quote(textOf(each))}`;
  if (each instanceof Date) return `timestamp("${textOf(each)}")`;
  if (typeof each !== 'number' || Number.isInteger(each)) return textOf(each);
  return Number.isFinite(each) ? each.toFixed(usualPrecision) : quote(textOf(each));
}
