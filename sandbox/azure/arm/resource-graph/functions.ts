import type { Budget } from './budget.ts';
import { badQuery } from './query-errors.ts';

type QueryFunction = (...args: readonly unknown[]) => unknown;

/** A value as text; '' for null, JSON for lists and objects. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

const numberOf = (value: unknown) => {
  const number = textOf(value) === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
};

const integerOf = (value: unknown) => {
  const number = numberOf(value);
  return number === null ? null : Math.trunc(number);
};

const booleanOf = (value: unknown) => ({ true: true, false: false })[textOf(value).toLowerCase()] ?? null;
const isEmpty = (value: unknown) => textOf(value) === '';
const isNull = (value: unknown) => value === null || value === undefined;
const choose: QueryFunction = (condition, yes, no) => (condition === true ? yes : no);

const functions: Readonly<Record<string, QueryFunction>> = {
  tolower: (value) => textOf(value).toLowerCase(),
  toupper: (value) => textOf(value).toUpperCase(),
  tostring: textOf,
  toint: integerOf,
  tolong: integerOf,
  todouble: numberOf,
  toreal: numberOf,
  tobool: booleanOf,
  strlen: (value) => textOf(value).length,
  strcat: (...values) => values.map(textOf).join(''),
  split: (value, by, index) => {
    const parts = textOf(value).split(textOf(by));
    return typeof index === 'number' ? [parts[index] ?? ''] : parts;
  },
  substring: (value, start, length) => {
    const from = Number(start);
    return textOf(value).slice(from, length === undefined ? undefined : from + Number(length));
  },
  isempty: isEmpty,
  isnotempty: (value) => !isEmpty(value),
  isnull: isNull,
  isnotnull: (value) => !isNull(value),
  not: (value) => value !== true,
  iff: choose,
  iif: choose,
  coalesce: (...values) => values.find((value) => !isEmpty(value)) ?? null,
  array_length: (value) => (Array.isArray(value) ? value.length : null),
};

/** Whether queries have the function; its name is in lower case. */
export const isFunction = (name: string) => Object.hasOwn(functions, name);

/** The value of a function. Throws a refusal of a text that is too long. */
export function callFunction(name: string, args: readonly unknown[], budget: Budget): unknown {
  const of = functions[name];
  if (!of) throw badQuery(`the function '${name}' is not supported`);
  for (const arg of args) if (typeof arg === 'string') budget.take(Math.ceil(arg.length / 20));
  budget.take();
  const value = of(...args);
  if (typeof value === 'string' && value.length > 1_000_000)
    throw badQuery('a text is longer than 1,000,000 characters');
  return value;
}
