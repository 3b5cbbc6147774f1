import type { Budget } from './budget.ts';
import { textOf } from './functions.ts';

type TextTest = (a: string, b: string) => boolean;

const hasWord: TextTest = (text, word) => {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return word === '' || words.includes(word) || (/[^\p{L}\p{N}]/u.test(word) && text.includes(word));
};

/** Tests of texts without a look at the case of letters; `!` before one says the opposite, `_cs` looks at it. */
const textTests: Readonly<Record<string, TextTest>> = {
  '=~': (a, b) => a === b,
  contains: (a, b) => a.includes(b),
  startswith: (a, b) => a.startsWith(b),
  endswith: (a, b) => a.endsWith(b),
  has: hasWord,
};

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const withoutSign = Object.keys(textTests).filter((name) => name !== '=~');

/** The operators between two values of a row. */
export const comparisons: ReadonlySet<string> = new Set([
  '==',
  '!=',
  '!~',
  ...Object.keys(orders),
  ...Object.keys(textTests),
  ...withoutSign.flatMap((name) => [`!${name}`, `${name}_cs`, `!${name}_cs`]),
]);

/** Whether the comparison of the two values holds. */
export function compare(operator: string, a: unknown, b: unknown, budget: Budget): boolean {
  budget.take();
  const order = orders[operator];
  if (order) return a !== null && b !== null && order(orderOf(a, b));
  if (operator === '==' || operator === '!=') return (orderOf(a, b) === 0) === (operator === '==');
  if (operator === '!~') return !compare('=~', a, b, budget);
  const [, opposite, name = '', exact] = /^(!?)(=~|[a-z]+?)(_cs)?$/.exec(operator) ?? [];
  const [x, y] = [textOf(a), textOf(b)];
  budget.take(Math.ceil(x.length / 20));
  const holds = textTests[name]?.(exact ? x : x.toLowerCase(), exact ? y : y.toLowerCase()) ?? false;
  return holds !== (opposite === '!');
}

/** Negative where a comes before b; nulls come first. */
export function orderOf(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [textOf(a), textOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
