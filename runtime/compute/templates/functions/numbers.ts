import { integer, isNumber, isTemplateArray, type TemplateValue } from '../values/value.ts';
import { type Call, type FunctionTable, fail, intAt, integerAt, refuseAt } from './function-spec.ts';

/** The result as an integer of 64 bits. */
function checked(value: bigint, call: Call): number | bigint {
  return BigInt.asIntN(64, value) === value ? integer(value) : fail(call, 'the result has more than 64 bits');
}

function arithmetic(doc: string, compute: (a: bigint, b: bigint, call: Call) => bigint): FunctionTable[string] {
  return {
    arity: [2, 2],
    doc,
    evaluate: (args, call) => checked(compute(integerAt(args, 0, call), integerAt(args, 1, call), call), call),
  };
}

function divisor(value: bigint, call: Call): bigint {
  return value === 0n ? fail(call, 'argument 2, the divisor, is 0') : value;
}

/** The integers of the arguments, and of the arrays among them. */
function integers(args: readonly TemplateValue[], call: Call): readonly bigint[] {
  const items = args.flatMap((arg) => (isTemplateArray(arg) ? arg : [arg]));
  if (items.length === 0) fail(call, 'there are no numbers');
  return items.map((_, index) => integerAt(items, index, call));
}

const least = (numbers: readonly bigint[]) => numbers.reduce((a, b) => (b < a ? b : a));
const largest = (numbers: readonly bigint[]) => numbers.reduce((a, b) => (b > a ? b : a));

/** The end of a range, which has 32 bits. */
const rangeEnd = 2_147_483_647;

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
      const more = args[offset] === undefined ? 0n : integerAt(args, offset, call);
      return checked(BigInt(index as number) + more, call);
    },
  },
  div: arithmetic('The quotient of two integers without its fraction.', (a, b, call) => a / divisor(b, call)),
  float: {
    arity: [1, 1],
    doc: 'A string or integer as a number.',
    evaluate: (args, call) => {
      const [value] = args;
      if (isNumber(value)) return Number(value);
      if (typeof value !== 'string') return refuseAt(args, 0, call, 'a string or an int');
      const isFloat =
        value.length <= 40 && /^[-+]?[0-9]{1,40}(?:\.[0-9]{0,40})?(?:[Ee][-+]?[0-9]{1,3})?$/.test(value.trim());
      return isFloat ? Number(value) : fail(call, 'argument 1 is no number');
    },
  },
  int: {
    arity: [1, 1],
    doc: 'A string as an integer.',
    evaluate: (args, call) => {
      const [value] = args;
      if (typeof value === 'bigint') return value;
      if (typeof value === 'number') return checked(BigInt(Math.trunc(value)), call);
      if (typeof value !== 'string') return refuseAt(args, 0, call, 'a string or an int');
      const [, sign = '', digits] = /^([-+]?)([0-9]{1,20})$/.exec(value.trim()) ?? [];
      if (digits === undefined) return fail(call, 'argument 1 is no integer');
      return checked(sign === '-' ? -BigInt(digits) : BigInt(digits), call);
    },
  },
  max: {
    arity: [1],
    doc: 'The largest of integers and of arrays of them.',
    evaluate: (args, call) => integer(largest(integers(args, call))),
  },
  min: {
    arity: [1],
    doc: 'The least of integers and of arrays of them.',
    evaluate: (args, call) => integer(least(integers(args, call))),
  },
  mod: arithmetic('The remainder of a division of two integers.', (a, b, call) => a % divisor(b, call)),
  mul: arithmetic('The product of two integers.', (a, b) => a * b),
  range: {
    arity: [2, 2],
    doc: 'An array of integers from a start on, at most 10,000.',
    evaluate: (args, call) => {
      const [start, count] = [intAt(args, 0, call), intAt(args, 1, call)];
      if (count < 0 || count > 10_000) fail(call, 'argument 2, the count, must be from 0 to 10000');
      if (start + count > rangeEnd) fail(call, `the sum of start and count must be at most ${rangeEnd}`);
      call.run.budget.produce(count * 8);
      return Array.from({ length: count }, (_, index) => start + index);
    },
  },
  sub: arithmetic('The difference of two integers.', (a, b) => a - b),
};
