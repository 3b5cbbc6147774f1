import { isTemplateArray, type TemplateValue } from '../values/value.ts';
import { arrayAt, type Call, type FunctionTable, fail, intAt, refuseAt } from './function-spec.ts';

/** Integers up to 53 bits; Azure has 64. */
function checked(value: number, call: Call): number {
  if (!Number.isSafeInteger(value)) fail(call, 'the result has more than 53 bits');
  return value === 0 ? 0 : value;
}

function arithmetic(doc: string, compute: (a: number, b: number, call: Call) => number): FunctionTable[string] {
  return {
    arity: [2, 2],
    doc,
    evaluate: (args, call) => checked(compute(intAt(args, 0, call), intAt(args, 1, call), call), call),
  };
}

function divisor(value: number, call: Call): number {
  return value === 0 ? fail(call, 'the divisor is 0') : value;
}

/** The integers of the arguments, or of the one array among them. */
function integers(args: readonly TemplateValue[], call: Call): readonly number[] {
  const items = args.length === 1 && isTemplateArray(args[0]) ? arrayAt(args, 0, call) : args;
  if (items.length === 0) fail(call, 'there are no numbers');
  return items.map((_, index) => intAt(items, index, call));
}

const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b));
const largest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b));

/** Functions of numbers. */
export const numbers: FunctionTable = {
  add: arithmetic('The sum of two integers.', (a, b) => a + b),
  copyIndex: {
    arity: [0, 2],
    doc: 'The index of a copy loop from 0 on: of the loop around, or of the one named first; an offset comes last.',
    evaluate: (args, call) => {
      const { loops, loop } = call.scope;
      const isNamed = typeof args[0] === 'string';
      const name = isNamed ? (args[0] as string).toLowerCase() : loop;
      const index = name === undefined ? undefined : loops.get(name);
      if (index === undefined)
        fail(call, isNamed ? `there is no loop '${args[0]}' around it` : 'there is no loop around it');
      const offset = isNamed ? 1 : 0;
      if (args.length > offset + 1) refuseAt(args, 0, call, 'the name of a loop');
      return checked((index as number) + (args[offset] === undefined ? 0 : intAt(args, offset, call)), call);
    },
  },
  div: arithmetic('The quotient of two integers without its fraction.', (a, b, call) =>
    Math.trunc(a / divisor(b, call)),
  ),
  float: {
    arity: [1, 1],
    doc: 'A string or integer as a number.',
    evaluate: (args, call) => {
      const [value] = args;
      if (typeof value === 'number') return value;
      if (typeof value !== 'string') return refuseAt(args, 0, call, 'a string or an int');
      const isNumber = value.length <= 40 && /^[-+]?[0-9]+(?:\.[0-9]+)?$/.test(value.trim());
      return isNumber ? Number(value) : fail(call, 'the text is no number');
    },
  },
  int: {
    arity: [1, 1],
    doc: 'A string as an integer.',
    evaluate: (args, call) => {
      const [value] = args;
      if (typeof value === 'number') return checked(Math.trunc(value), call);
      if (typeof value !== 'string') return refuseAt(args, 0, call, 'a string or an int');
      return /^[-+]?[0-9]{1,20}$/.test(value.trim())
        ? checked(Number(value), call)
        : fail(call, 'the text is no integer');
    },
  },
  max: {
    arity: [1],
    doc: 'The largest of integers or of an array of them.',
    evaluate: (args, call) => largest(integers(args, call)),
  },
  min: {
    arity: [1],
    doc: 'The least of integers or of an array of them.',
    evaluate: (args, call) => least(integers(args, call)),
  },
  mod: arithmetic('The remainder of a division of two integers.', (a, b, call) => a % divisor(b, call)),
  mul: arithmetic('The product of two integers.', (a, b) => a * b),
  range: {
    arity: [2, 2],
    doc: 'An array of integers from a start on, at most 10,000.',
    evaluate: (args, call) => {
      const [start, count] = [intAt(args, 0, call), intAt(args, 1, call)];
      if (count < 0 || count > 10_000) fail(call, 'the count must be from 0 to 10000');
      checked(start + count, call);
      call.run.budget.produce(count * 8);
      return Array.from({ length: count }, (_, index) => start + index);
    },
  },
  sub: arithmetic('The difference of two integers.', (a, b) => a - b),
};
