import type { Json } from '../../json.ts';
import { Budget } from './budget.ts';
import { type Operator, operators, readJoin } from './operators.ts';
import { badQuery } from './query-errors.ts';
import { QueryReader } from './query-reader.ts';

/** The rows of a table by its name in lower case; undefined where it does not exist. */
export type Tables = (name: string) => readonly Json[] | undefined;

/** Runs a query of Azure Resource Graph. Throws a refusal that names what the sandbox does not know of it. */
export function runQuery(query: string, tables: Tables): Json[] {
  const reader = new QueryReader(query);
  const run = readQuery(reader, tables);
  const { kind, value, at } = reader.next;
  if (kind !== 'end') throw badQuery(`'|' is expected in the place of '${value}' at ${at}`);
  return run(new Budget());
}

function readQuery(reader: QueryReader, tables: Tables): (budget: Budget) => Json[] {
  let table: readonly Json[] | undefined = tables('resources');
  // A query may begin with an operator: its table is `resources` then.
  if (!isOperator(reader.next.value)) {
    const name = reader.takeName();
    table = tables(name.toLowerCase());
    if (!table) throw badQuery(`the table '${name}' is not supported`);
    if (!reader.takeSign('|')) return () => [...(table ?? [])];
  }
  const steps: Operator[] = [];
  do steps.push(readOperator(reader, tables));
  while (reader.takeSign('|'));
  return (budget) =>
    steps.reduce<Json[]>(
      (rows, step) => {
        budget.take(rows.length);
        return step(rows, budget);
      },
      [...(table ?? [])],
    );
}

const isOperator = (word: string) => word === 'join' || Object.hasOwn(operators, word.toLowerCase());

function readOperator(reader: QueryReader, tables: Tables): Operator {
  const name = reader.takeName();
  if (name.toLowerCase() === 'join') return readJoin(reader, () => readQuery(reader, tables));
  const read = operators[name.toLowerCase()];
  if (read && isOperator(name)) return read(reader);
  throw badQuery(`the operator '${name}' is not supported: ${[...Object.keys(operators), 'join'].join(', ')} are`);
}
