import type { Json } from '../../json.ts';
import type { Budget } from './budget.ts';
import { compare, comparisons } from './comparisons.ts';
import { callFunction, isFunction } from './functions.ts';
import { badQuery } from './query-errors.ts';
import type { QueryReader } from './query-reader.ts';

/** Computes a value of one row. */
export type Expression = (row: Json, budget: Budget) => unknown;

/** Reads an expression: `or` binds least, then `and`, comparisons, sums and products. */
export function readExpression(reader: QueryReader): Expression {
  return reader.nested(() => readEither(reader));
}

function readEither(reader: QueryReader): Expression {
  let left = readBoth(reader);
  while (reader.takeWord('or')) {
    const [a, b] = [left, readBoth(reader)];
    left = (row, budget) => a(row, budget) === true || b(row, budget) === true;
  }
  return left;
}

function readBoth(reader: QueryReader): Expression {
  let left = readComparison(reader);
  while (reader.takeWord('and')) {
    const [a, b] = [left, readComparison(reader)];
    left = (row, budget) => a(row, budget) === true && b(row, budget) === true;
  }
  return left;
}

function readComparison(reader: QueryReader): Expression {
  const left = readSum(reader);
  const { value } = reader.next;
  const operator = value.toLowerCase();
  if (/^!?in~?$/.test(operator)) {
    reader.take();
    const items = readList(reader);
    const equals = operator.endsWith('~') ? '=~' : '==';
    return (row, budget) => {
      const sought = left(row, budget);
      return items.some((item) => compare(equals, sought, item(row, budget), budget)) !== operator.startsWith('!');
    };
  }
  if (!comparisons.has(operator) || reader.next.kind === 'text') return left;
  reader.take();
  const right = readSum(reader);
  return (row, budget) => compare(operator, left(row, budget), right(row, budget), budget);
}

function readSum(reader: QueryReader): Expression {
  return readArithmetic(reader, ['+', '-'], () => readArithmetic(reader, ['*', '/', '%'], () => readMember(reader)));
}

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function readArithmetic(reader: QueryReader, signs: readonly string[], read: () => Expression): Expression {
  let left = read();
  for (let sign = reader.takeSign(...signs); sign !== undefined; sign = reader.takeSign(...signs)) {
    const [a, b, apply] = [left, read(), arithmetic[sign]];
    left = (row, budget) => {
      const [x, y] = [a(row, budget), b(row, budget)];
      const result = typeof x === 'number' && typeof y === 'number' ? apply?.(x, y) : undefined;
      return result !== undefined && Number.isFinite(result) ? result : null;
    };
  }
  return left;
}

function readMember(reader: QueryReader): Expression {
  let value = readPrimary(reader);
  for (;;) {
    const of = value;
    if (reader.takeSign('.')) {
      const name = reader.takeName();
      value = (row, budget) => memberOf(of(row, budget), name, budget);
    } else if (reader.takeSign('[')) {
      const index = readExpression(reader);
      reader.expect(']');
      value = (row, budget) => memberOf(of(row, budget), index(row, budget), budget);
    } else return value;
  }
}

function memberOf(value: unknown, key: unknown, budget: Budget): unknown {
  budget.take();
  if (value === null || typeof value !== 'object') return null;
  if (Array.isArray(value)) return typeof key === 'number' ? (value.at(key) ?? null) : null;
  return typeof key === 'string' && Object.hasOwn(value, key) ? ((value as Json)[key] ?? null) : null;
}

const constants: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

function readPrimary(reader: QueryReader): Expression {
  const token = reader.take();
  const { kind, value } = token;
  if (kind === 'number') return () => Number(value);
  if (kind === 'text') return () => value;
  if (value === '-') {
    const of = reader.nested(() => readMember(reader));
    return (row, budget) => -Number(of(row, budget));
  }
  if (value === '(') {
    const inner = readExpression(reader);
    reader.expect(')');
    return inner;
  }
  if (kind !== 'word') throw badQuery(`'${value}' at ${token.at} begins no expression`);
  if (reader.next.value !== '(' || reader.next.kind !== 'sign') {
    if (Object.hasOwn(constants, value)) return () => constants[value];
    return (row, budget) => memberOf(row, value, budget);
  }
  const name = value.toLowerCase();
  if (!isFunction(name)) throw badQuery(`the function '${value}' is not supported`);
  const args = readList(reader);
  return (row, budget) =>
    callFunction(
      name,
      args.map((arg) => arg(row, budget)),
      budget,
    );
}

/** Reads expressions in parentheses, with commas between them. */
export function readList(reader: QueryReader): Expression[] {
  reader.expect('(');
  const items: Expression[] = [];
  while (!reader.takeSign(')')) {
    if (items.length > 0) reader.expect(',');
    items.push(readExpression(reader));
  }
  return items;
}
