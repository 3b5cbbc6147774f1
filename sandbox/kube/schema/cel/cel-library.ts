import { isIP, isIPv4 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { characterAt, replaceTexts } from '../../../../runtime/base/text/text.ts';
import { compileRe2 } from './re2.ts';

/** An exact Kubernetes quantity: `units` times 10^-9. */
class Quantity {
  readonly units: bigint;

  constructor(units: bigint) {
    this.units = units;
  }
}

const nano = 1_000_000_000n;
const suffixes: Readonly<Record<string, readonly [bigint, bigint]>> = {
  n: [1n, nano],
  u: [1n, 1_000_000n],
  m: [1n, 1000n],
  '': [1n, 1n],
  ...Object.fromEntries(['k', 'M', 'G', 'T', 'P', 'E'].map((suffix, i) => [suffix, [1000n ** BigInt(i + 1), 1n]])),
  ...Object.fromEntries(
    ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, i) => [suffix, [1024n ** BigInt(i + 1), 1n]]),
  ),
};

function tryQuantity(text: string): Quantity | undefined {
  const parts = /^([+-]?)(\d+)?(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/.exec(text);
  if (!parts || (parts[2] === undefined && !parts[3])) return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = parts;
  const [times, over] = exponent === undefined ? (suffixes[suffix] ?? [1n, 1n]) : power(Number(exponent));
  const digits = BigInt(`${whole}${fraction}` || '0') * nano * times;
  const units = digits / (10n ** BigInt(fraction.length) * over);
  return new Quantity(sign === '-' ? -units : units);
}

function power(exponent: number): readonly [bigint, bigint] {
  return exponent >= 0 ? [10n ** BigInt(exponent), 1n] : [1n, 10n ** BigInt(-exponent)];
}

function quantity(text: string): Quantity {
  const parsed = tryQuantity(text);
  if (!parsed) throw new Error(`quantities must match the regular expression: ${JSON.stringify(text)}`);
  return parsed;
}

type Comparable = bigint | number | string | boolean | Date;
const ascending = (list: readonly Comparable[]) =>
  list.every((item, index) => index === 0 || (list[index - 1] as Comparable) <= item);
const extreme = (list: readonly Comparable[], better: (a: Comparable, b: Comparable) => boolean) => {
  if (list.length === 0) throw new Error('min and max need a list that is not empty');
  return list.reduce((best, item) => (better(item, best) ? item : best));
};

/** A function as cel-js registers it: its signature and its handler. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments are typed by the CEL signature beside it
type Row = readonly [signature: string, handler: (...args: any[]) => unknown];

const lists: readonly Row[] = [
  ['list.isSorted(): bool', ascending],
  ['list.min(): dyn', (list: Comparable[]) => extreme(list, (a, b) => a < b)],
  ['list.max(): dyn', (list: Comparable[]) => extreme(list, (a, b) => a > b)],
  [
    'list.sum(): dyn',
    (list: (bigint | number)[]) =>
      list.length > 0 && typeof list[0] === 'number'
        ? (list as number[]).reduce((sum, item) => sum + item, 0)
        : (list as bigint[]).reduce((sum, item) => sum + item, 0n),
  ],
  ['list.indexOf(dyn): int', (list: unknown[], item: unknown) => BigInt(list.indexOf(item))],
  ['list.lastIndexOf(dyn): int', (list: unknown[], item: unknown) => BigInt(list.lastIndexOf(item))],
];

const strings: readonly Row[] = [
  ['string.find(string): string', (text: string, pattern: string) => compileRe2(pattern).exec(text)?.[0] ?? ''],
  ['string.findAll(string): list<string>', (text: string, pattern: string) => findAll(text, pattern)],
  [
    'string.findAll(string, int): list<string>',
    (text: string, pattern: string, limit: bigint) =>
      limit < 0n ? findAll(text, pattern) : findAll(text, pattern).slice(0, Number(limit)),
  ],
  ['string.charAt(int): string', characterAt],
  ['string.replace(string, string): string', (text: string, old: string, by: string) => replaceTexts(text, old, by)],
  [
    'string.replace(string, string, int): string',
    (text: string, old: string, by: string, most: bigint) => replaceTexts(text, old, by, Number(most)),
  ],
];

function findAll(text: string, pattern: string): string[] {
  const { source, flags } = compileRe2(pattern);
  return [...text.matchAll(new RegExp(source, `${flags}g`))].map(([match]) => match);
}

const urls: readonly Row[] = [
  ['isURL(string): bool', (text: string) => text.startsWith('/') || URL.canParse(text)],
  ['url(string): kubernetes.URL', (text: string) => new URL(text, 'relative://')],
  ['kubernetes.URL.getScheme(): string', (url: URL) => (url.protocol === 'relative:' ? '' : url.protocol.slice(0, -1))],
  ['kubernetes.URL.getHost(): string', (url: URL) => url.host],
  ['kubernetes.URL.getHostname(): string', (url: URL) => url.hostname],
  ['kubernetes.URL.getPort(): string', (url: URL) => url.port],
  ['kubernetes.URL.getEscapedPath(): string', (url: URL) => url.pathname],
  [
    'kubernetes.URL.getQuery(): map<string, list<string>>',
    (url: URL) => new Map([...url.searchParams.keys()].map((key) => [key, url.searchParams.getAll(key)])),
  ],
];

const order = (a: Quantity, b: Quantity) => (a.units < b.units ? -1n : a.units > b.units ? 1n : 0n);
const whole = (q: Quantity) => q.units % nano === 0n;
const quantities: readonly Row[] = [
  ['isQuantity(string): bool', (text: string) => tryQuantity(text) !== undefined],
  ['quantity(string): kubernetes.Quantity', quantity],
  ['kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool', (a: Quantity, b: Quantity) => order(a, b) > 0n],
  ['kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool', (a: Quantity, b: Quantity) => order(a, b) < 0n],
  ['kubernetes.Quantity.compareTo(kubernetes.Quantity): int', order],
  ['kubernetes.Quantity.sign(): int', (q: Quantity) => order(q, new Quantity(0n))],
  ['kubernetes.Quantity.isInteger(): bool', whole],
  [
    'kubernetes.Quantity.asInteger(): int',
    (q: Quantity) => {
      if (!whole(q)) throw new Error('cannot convert value to integer');
      return q.units / nano;
    },
  ],
  ['kubernetes.Quantity.asApproximateFloat(): double', (q: Quantity) => Number(q.units) / Number(nano)],
  [
    'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
    (a: Quantity, b: Quantity) => new Quantity(a.units + b.units),
  ],
  ['kubernetes.Quantity.add(int): kubernetes.Quantity', (a: Quantity, b: bigint) => new Quantity(a.units + b * nano)],
  [
    'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity',
    (a: Quantity, b: Quantity) => new Quantity(a.units - b.units),
  ],
  ['kubernetes.Quantity.sub(int): kubernetes.Quantity', (a: Quantity, b: bigint) => new Quantity(a.units - b * nano)],
];

const addresses: readonly Row[] = [
  ['isIP(string): bool', (text: string) => isIP(text) !== 0],
  [
    'isCIDR(string): bool',
    (text: string) => {
      const [address = '', bits = '', ...more] = text.split('/');
      return (
        more.length === 0 &&
        isIP(address) !== 0 &&
        /^\d{1,3}$/.test(bits) &&
        Number(bits) <= (isIPv4(address) ? 32 : 128)
      );
    },
  ],
];

/**
 * The functions the API server adds to CEL: lists, regular expressions, strings, URLs, quantities, and the checks of
 * the IP library. Not there: `format`, `strings.quote`, the `sets` and `math` extensions, two-variable comprehensions.
 * Source: https://kubernetes.io/docs/reference/using-api/cel/
 */
export function addKubernetesLibrary(env: Environment): void {
  env.registerType('kubernetes.URL', { ctor: URL, fields: {} });
  env.registerType('kubernetes.Quantity', { ctor: Quantity, fields: {} });
  env.registerOperator('kubernetes.Quantity == kubernetes.Quantity', (a: Quantity, b: Quantity) => a.units === b.units);
  for (const [signature, handler] of [...lists, ...strings, ...urls, ...quantities, ...addresses]) {
    env.registerFunction(signature, handler);
  }
}
