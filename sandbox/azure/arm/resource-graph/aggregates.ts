import type { Json } from '../../json.ts';
import type { Budget } from './budget.ts';
import { orderOf } from './comparisons.ts';
import { readList } from './expression.ts';
import { textOf } from './functions.ts';
import { badQuery } from './query-errors.ts';
import type { QueryReader } from './query-reader.ts';

/** Computes a value of the rows of a group. */
export type Aggregate = (rows: readonly Json[], budget: Budget) => unknown;

const isNumber = (value: unknown) => typeof value === 'number';
const sum = (values: readonly unknown[]) => values.filter(isNumber).reduce((total, value) => total + value, 0);
const extreme = (values: readonly unknown[], sign: 1 | -1) =>
  values
    .filter((value) => value !== null)
    .reduce((best: unknown, value) => {
      return best === null || orderOf(value, best) * sign < 0 ? value : best;
    }, null);
const distinct = (values: readonly unknown[]) => [...new Map(values.map((value) => [textOf(value), value])).values()];

/** The aggregates by name, over the values of their argument. */
const aggregates: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  count: (values) => values.length,
  countif: (values) => values.filter((value) => value === true).length,
  sum,
  avg: (values) => {
    const numbers = values.filter(isNumber);
    return numbers.length === 0 ? null : sum(numbers) / numbers.length;
  },
  min: (values) => extreme(values, 1),
  max: (values) => extreme(values, -1),
  dcount: (values) => distinct(values).length,
  make_list: (values) => values.filter((value) => value !== null),
  make_set: (values) => distinct(values.filter((value) => value !== null)),
  any: (values) => values[0] ?? null,
  take_any: (values) => values[0] ?? null,
};

/** Reads an aggregate, with the name that its column has where the query gives none. */
export function readAggregate(reader: QueryReader): { readonly name: string; readonly of: Aggregate } {
  const word = reader.takeName();
  const aggregate = aggregates[word.toLowerCase()];
  if (!aggregate) throw badQuery(`the aggregate '${word}' is not supported`);
  const start = reader.next.at;
  const argument = readList(reader)[0] ?? (() => 1);
  const text = reader
    .textFrom(start)
    .replace(/^\(|\)\s*$/g, '')
    .trim();
  const name = `${word}_${/^\w+$/.test(text) ? text : ''}`;
  return { name, of: (rows, budget) => aggregate(rows.map((row) => argument(row, budget))) };
}
