import { isObject } from '../../../../runtime/base/json.ts';
import type { Json } from '../../json.ts';
import { type Aggregate, readAggregate } from './aggregates.ts';
import type { Budget } from './budget.ts';
import { orderOf } from './comparisons.ts';
import { type Expression, readExpression } from './expression.ts';
import { textOf } from './functions.ts';
import { badQuery } from './query-errors.ts';
import type { QueryReader } from './query-reader.ts';

/** A step of a query: rows to rows. */
export type Operator = (rows: readonly Json[], budget: Budget) => Json[];

/** Readers of the operators by name; each begins after the name. `join` is in query.ts, as it has a query inside. */
export const operators: Readonly<Record<string, (reader: QueryReader) => Operator>> = {
  where(reader) {
    const condition = readExpression(reader);
    return (rows, budget) => rows.filter((row) => condition(row, budget) === true);
  },
  project(reader) {
    const columns = readColumns(reader, readExpression);
    return (rows, budget) => rows.map((row) => computed(columns, row, budget));
  },
  extend(reader) {
    const columns = readColumns(reader, readExpression);
    return (rows, budget) => rows.map((row) => ({ ...row, ...computed(columns, row, budget) }));
  },
  summarize: readSummarize,
  order: readOrder,
  sort: readOrder,
  take: readTake,
  limit: readTake,
  count: () => (rows) => [{ Count: rows.length }],
};

/** A column with its name and how it is computed. */
interface Column<T> {
  readonly name: string;
  readonly of: T;
}

function readColumns<T>(reader: QueryReader, read: (reader: QueryReader) => T): Column<T>[] {
  const columns: Column<T>[] = [];
  do {
    const name = reader.takeAssigned();
    const start = reader.next.at;
    const of = read(reader);
    columns.push({ name: name ?? nameOf(reader.textFrom(start), columns.length), of });
  } while (reader.takeSign(','));
  return columns;
}

/** Kusto's name of a column without one: `a.b` is `a_b`. */
function nameOf(text: string, index: number): string {
  const name = text
    .trim()
    .replaceAll(/\.|\['?|'?\]/g, '_')
    .replace(/_$/, '');
  return /^\w+$/.test(name) ? name : `Column${index + 1}`;
}

const computed = (columns: readonly Column<Expression>[], row: Json, budget: Budget): Json =>
  Object.fromEntries(columns.map(({ name, of }) => [name, of(row, budget) ?? null]));

function readSummarize(reader: QueryReader): Operator {
  const values: Column<Aggregate>[] = [];
  while (reader.next.value.toLowerCase() !== 'by' && !reader.isAtEnd()) {
    if (values.length > 0) reader.expect(',');
    const name = reader.takeAssigned();
    const aggregate = readAggregate(reader);
    values.push({ name: name ?? aggregate.name, of: aggregate.of });
  }
  const keys = reader.takeWord('by') ? readColumns(reader, readExpression) : [];
  return (rows, budget) => {
    const groups = new Map<string, { readonly key: Json; readonly rows: Json[] }>();
    if (keys.length === 0) groups.set('', { key: {}, rows: [] });
    for (const row of rows) {
      const key = computed(keys, row, budget);
      const text = keys.length === 0 ? '' : JSON.stringify(Object.values(key));
      budget.take(1 + Math.ceil(text.length / 20));
      const group = groups.get(text) ?? { key, rows: [] };
      group.rows.push(row);
      groups.set(text, group);
    }
    return [...groups.values()].map(({ key, rows: members }) => ({
      ...key,
      ...Object.fromEntries(values.map(({ name, of }) => [name, of(members, budget)])),
    }));
  };
}

/** Kusto sorts from the greatest value down, unless the query says `asc`. */
function readOrder(reader: QueryReader): Operator {
  if (!reader.takeWord('by')) throw badQuery(`'by' is expected in the place of '${reader.next.value}'`);
  const keys: { readonly of: Expression; readonly sign: 1 | -1 }[] = [];
  do {
    const of = readExpression(reader);
    const sign = reader.takeWord('asc') ? 1 : -1;
    if (sign < 0) reader.takeWord('desc');
    keys.push({ of, sign });
  } while (reader.takeSign(','));
  return (rows, budget) => {
    const keyed = rows.map((row) => ({ row, values: keys.map(({ of }) => of(row, budget)) }));
    const difference = (a: readonly unknown[], b: readonly unknown[]) => {
      budget.take();
      return keys.reduce((order, { sign }, index) => order || sign * orderOf(a[index], b[index]), 0);
    };
    return keyed.sort((a, b) => difference(a.values, b.values)).map(({ row }) => row);
  };
}

function readTake(reader: QueryReader): Operator {
  const { kind, value } = reader.take();
  if (kind !== 'number') throw badQuery(`a number is expected in the place of '${value}'`);
  return (rows) => rows.slice(0, Number(value));
}

const kinds = ['innerunique', 'inner', 'leftouter'];

/** Reads `join` after its name; `readQuery` reads the query in its parentheses. */
export function readJoin(reader: QueryReader, readQuery: () => (budget: Budget) => Json[]): Operator {
  let kind = 'innerunique';
  if (reader.takeWord('kind')) {
    reader.expect('=');
    kind = reader.takeName().toLowerCase();
    if (!kinds.includes(kind)) throw badQuery(`the join kind '${kind}' is not supported: ${kinds.join(', ')} are`);
  }
  reader.expect('(');
  const right = reader.nested(readQuery);
  reader.expect(')');
  if (!reader.takeWord('on')) throw badQuery(`'on' is expected in the place of '${reader.next.value}'`);
  const pairs = [readPair(reader)];
  while (reader.takeSign(',')) pairs.push(readPair(reader));
  const key = (row: Json, side: 0 | 1) => JSON.stringify(pairs.map((pair) => textOf(row[pair[side]])));
  return (rows, budget) => {
    const others = Map.groupBy(right(budget), (row) => key(row, 1));
    const unique = new Set<string>();
    return rows.flatMap((row) => {
      const text = key(row, 0);
      budget.take();
      if (kind === 'innerunique' && unique.has(text)) return [];
      unique.add(text);
      const partners = others.get(text) ?? (kind === 'leftouter' ? [{}] : []);
      budget.take(partners.length * 10);
      return partners.map((partner) => joined(row, partner));
    });
  };
}

/** `name`, or `$left.name == $right.other`. */
function readPair(reader: QueryReader): readonly [left: string, right: string] {
  const first = reader.takeName();
  if (first !== '$left') return [first, first];
  reader.expect('.');
  const left = reader.takeName();
  reader.expect('==');
  if (reader.takeName() !== '$right') throw badQuery("'$right' is expected after '=='");
  reader.expect('.');
  return [left, reader.takeName()];
}

/** A column that both sides have is that of the left one; the other's has a number after its name. */
function joined(row: Json, partner: Json): Json {
  const result: Json = { ...row };
  for (const [name, value] of Object.entries(partner)) {
    let free = name;
    for (let number = 1; Object.hasOwn(result, free); number += 1) free = `${name}${number}`;
    result[free] = isObject(value) ? { ...value } : value;
  }
  return result;
}
