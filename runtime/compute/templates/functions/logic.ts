import { canonicalJson } from '../../../base/json.ts';
import { SecretValue } from '../../../base/secret-value.ts';
import { TemplateError } from '../problems.ts';
import {
  isFromSecrets,
  isNumber,
  SecretExpression,
  type SourceReference,
  secretOf,
  type TemplateValue,
  Unknown,
} from '../values/value.ts';
import { boolAt, type Call, deferred, type FunctionTable, fail, refuseAt, wrong } from './function-spec.ts';

/**
 * Whether values are the same as this one: types, case of strings and order of arrays matter, order of members does not. To
 * search in many values takes the text of this one once.
 */
export function sameAs(wanted: TemplateValue): (value: TemplateValue) => boolean {
  if (typeof wanted !== 'object' || wanted === null) return (value) => value === wanted;
  const text = comparable(wanted);
  return (value) => typeof value === 'object' && value !== null && comparable(value) === text;
}

/** A text that equal values share, and others do not. */
export function comparable(value: TemplateValue): string {
  return canonicalJson(value, 'kept', (member) => (typeof member === 'bigint' ? { int: String(member) } : member));
}

/** As .NET's invariant culture has it: letters in the order of the alphabet, of which `a` comes before `A`. */
const { compare } = new Intl.Collator('und');

function comparison(doc: string, holds: (order: number) => boolean): FunctionTable[string] {
  return {
    arity: [2, 2],
    doc,
    evaluate: (args, call) => {
      const [a, b] = args;
      if (isNumber(a) && isNumber(b)) return holds(a < b ? -1 : a > b ? 1 : 0);
      if (typeof a === 'string' && typeof b === 'string') return holds(compare(a, b));
      return refuseAt(args, 0, call, 'two ints or two strings');
    },
  };
}

type FromSecrets = SourceReference | SecretExpression;
type Thunks = readonly (() => TemplateValue)[];

/**
 * The condition that a thunk gives, with the mark that its result has to carry: an unknown condition makes the whole call
 * unknown, a secret one makes its result a secret. One that a Secret decides is as it is.
 */
function condition(
  args: Thunks,
  index: number,
  call: Call,
): { readonly is: boolean; readonly secret: boolean } | Unknown | FromSecrets {
  const value = (args[index] as () => TemplateValue)();
  if (isFromSecrets(value)) return value;
  if (value instanceof Unknown) return new Unknown(call.text, value.waitsFor, call.again, { isSecret: value.isSecret });
  const open = value instanceof SecretValue ? value.reveal() : value;
  if (typeof open === 'boolean') return { is: open, secret: value instanceof SecretValue };
  throw wrong(call, index, 'a bool', value);
}

const marked = (value: TemplateValue, secret: boolean) => (secret ? secretOf(value) : value);

/** Evaluates conditions from the left until one is `last`. */
function chain(last: boolean) {
  return (args: Thunks, call: Call): TemplateValue => {
    let secret = false;
    for (const [index] of args.entries()) {
      const found = condition(args, index, call);
      if (found instanceof Unknown) return found;
      if (isFromSecrets(found)) return deferred([!last, found, ...args.slice(index + 1).map((arg) => arg())], call);
      secret ||= found.secret;
      if (found.is === last) return marked(last, secret);
    }
    return marked(!last, secret);
  };
}

/** Functions of booleans and comparisons. */
export const logic: FunctionTable = {
  and: {
    arity: [2],
    doc: 'Whether all are true; stops at the first one that is not.',
    kind: 'lazy',
    evaluate: chain(false),
  },
  bool: {
    arity: [1, 1],
    doc: 'A string or integer as a boolean.',
    evaluate: (args, call) => {
      const [value] = args;
      if (typeof value === 'boolean') return value;
      if (isNumber(value)) return Number(value) !== 0;
      if (typeof value !== 'string') return refuseAt(args, 0, call, 'a string or an int');
      const word = value.toLowerCase();
      return word === 'true' || word === '1'
        ? true
        : word === 'false' || word === '0'
          ? false
          : fail(call, 'argument 1 is no bool');
    },
  },
  coalesce: {
    arity: [1],
    doc: 'The first value that is not null.',
    kind: 'lazy',
    evaluate: (args, call) => {
      for (const [index, arg] of args.entries()) {
        const value = arg();
        if (value instanceof SecretExpression)
          return deferred([value, ...args.slice(index + 1).map((each) => each())], call);
        if (value instanceof Unknown)
          return new Unknown(call.text, value.waitsFor, call.again, { isSecret: value.isSecret });
        if ((value instanceof SecretValue ? value.reveal() : value) !== null) return value;
      }
      return null;
    },
  },
  equals: {
    arity: [2, 2],
    doc: 'Whether two values are the same; the case of strings matters.',
    evaluate: ([a = null, b = null]) => sameAs(a)(b),
  },
  false: { arity: [0, 0], doc: 'The boolean false.', evaluate: () => false },
  greater: comparison('Whether the first is greater than the second.', (order) => order > 0),
  greaterOrEquals: comparison('Whether the first is not less than the second.', (order) => order >= 0),
  if: {
    arity: [3, 3],
    doc: 'The second argument if the first is true, otherwise the third; the other one is not evaluated.',
    kind: 'lazy',
    evaluate: (args, call) => {
      const found = condition(args, 0, call);
      if (found instanceof Unknown) return withBranches(args, found);
      if (isFromSecrets(found)) return deferred([found, ...args.slice(1).map((arg) => arg())], call);
      return marked((args[found.is ? 1 : 2] as () => TemplateValue)(), found.secret);
    },
  },
  less: comparison('Whether the first is less than the second.', (order) => order < 0),
  lessOrEquals: comparison('Whether the first is not greater than the second.', (order) => order <= 0),
  not: { arity: [1, 1], doc: 'The opposite of a boolean.', evaluate: (args, call) => !boolAt(args, 0, call) },
  null: { arity: [0, 0], doc: 'The value null.', evaluate: () => null },
  or: { arity: [2], doc: 'Whether one is true; stops at the first one that is.', kind: 'lazy', evaluate: chain(true) },
  true: { arity: [0, 0], doc: 'The boolean true.', evaluate: () => true },
};

/** Both branches are evaluated for the resources that they refer to: Azure's answer may choose either. */
function withBranches(args: Thunks, found: Unknown): Unknown {
  for (const branch of args.slice(1)) {
    try {
      branch();
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
    }
  }
  return found;
}
