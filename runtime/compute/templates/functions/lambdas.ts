import { SecretValue } from '../../../base/secret-value.ts';
import type { Expression } from '../expressions/syntax.ts';
import {
  isTemplateArray,
  isTemplateObject,
  secretOf,
  type TemplateValue,
  templateObject,
  Unknown,
} from '../values/value.ts';
import { infoOf, resumeUnknowns, waitsFor } from '../values/value-info.ts';
import { type Call, type FunctionTable, fail, refuseAt, stringAt, type TemplateFunction } from './function-spec.ts';

/** Ends a function that needs a value which is known after apply alone. */
class NeedsAnswer extends Error {
  readonly value: Unknown;

  constructor(value: Unknown) {
    super('the value is known after apply alone');
    this.value = value;
  }
}

/** A lambda of the call, ready to be applied. */
type Lambda = (...values: readonly TemplateValue[]) => TemplateValue;

/** The work of a function: values that it has read, and lambdas. Remembers whether a secret decided something. */
class Work {
  readonly #call: Call;
  isSecret = false;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The value as it is, of a secret too. */
  read(value: TemplateValue): TemplateValue {
    if (value instanceof Unknown) throw new NeedsAnswer(value);
    if (!(value instanceof SecretValue)) return value;
    this.isSecret = true;
    return value.reveal() as TemplateValue;
  }

  /** The items; those of a secret array are secrets, so that no message of a lambda shows them. */
  items(value: TemplateValue): readonly TemplateValue[] {
    const items = this.read(value);
    if (!isTemplateArray(items)) return refuseAt([items], 0, this.#call, 'an array');
    return value instanceof SecretValue ? items.map(secretOf) : items;
  }

  /** The members, as `items`. */
  members(value: TemplateValue): readonly (readonly [string, TemplateValue])[] {
    const object = this.read(value);
    if (!isTemplateObject(object)) return refuseAt([object], 0, this.#call, 'an object');
    const marked = (member: TemplateValue) => (value instanceof SecretValue ? secretOf(member) : member);
    return Object.entries(object).map(([name, member]) => [name, marked(member)] as const);
  }

  bool(value: TemplateValue): boolean {
    const is = this.read(value);
    return typeof is === 'boolean' ? is : fail(this.#call, 'the lambda must give a bool');
  }

  text(value: TemplateValue): string {
    const text = this.read(value);
    return typeof text === 'string' ? text : fail(this.#call, 'the lambda must give a string');
  }

  /** The lambda that stands as an argument. It takes `least` values, and may name the rest of `most`. */
  lambda(expression: Expression, position: number, least: number, most: number): Lambda {
    const { scope, evaluateIn } = this.#call;
    const isLambda = expression.kind === 'call' && expression.namespace === undefined;
    if (!isLambda || expression.name.toLowerCase() !== 'lambda')
      return fail(this.#call, `argument ${position} must be a lambda`);
    const body = expression.args.at(-1);
    const names = expression.args.slice(0, -1).map((name) => {
      if (name.kind === 'literal' && typeof name.value === 'string') return name.value.toLowerCase();
      return fail(this.#call, `argument ${position}: the names of the variables of a lambda are texts`);
    });
    if (!body || names.length < least || names.length > most) {
      const count = least === most ? `${least}` : `${least} to ${most}`;
      return fail(this.#call, `argument ${position}: the lambda takes ${count} variables, and has ${names.length}`);
    }
    return (...values) => {
      const variables = new Map(scope.lambdaVariables);
      for (const [index, name] of names.entries()) variables.set(name, values[index] as TemplateValue);
      return evaluateIn(body, { ...scope, lambdaVariables: variables });
    };
  }
}

/** A function with lambdas. A value that decides, and is known after apply alone, makes the whole result unknown. */
function lambdaFunction(
  arity: TemplateFunction['arity'],
  doc: string,
  compute: (args: readonly Expression[], work: Work, call: Call) => TemplateValue,
): TemplateFunction {
  return {
    arity,
    doc,
    kind: 'syntax',
    evaluate: (args, call) => {
      const work = new Work(call);
      try {
        const result = compute(args, work, call);
        return work.isSecret ? secretOf(result) : result;
      } catch (error) {
        if (!(error instanceof NeedsAnswer)) throw error;
        const isSecret = work.isSecret || infoOf(error.value).secret;
        return new Unknown(call.text, waitsFor(error.value), call.again, { isSecret });
      }
    },
  };
}

const value = (args: readonly Expression[], index: number, { scope, evaluateIn }: Call) =>
  evaluateIn(args[index] as Expression, scope);
const lambdaAt = (args: readonly Expression[], index: number, work: Work, least: number, most: number) =>
  work.lambda(args[index] as Expression, index + 1, least, most);

/** Merge sort, which is stable: the predicate says whether the first value comes before the second. */
function sorted(items: readonly TemplateValue[], isBefore: (a: TemplateValue, b: TemplateValue) => boolean) {
  return items.toSorted((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));
}

/** Functions that take a lambda. */
export const lambdas: FunctionTable = {
  filter: lambdaFunction(
    [2, 2],
    'The items for which a lambda of the item and its index is true.',
    (args, work, call) => {
      const [items, holds] = [work.items(value(args, 0, call)), lambdaAt(args, 1, work, 1, 2)];
      return items.filter((item, index) => work.bool(holds(item, index)));
    },
  ),
  groupBy: lambdaFunction(
    [2, 3],
    'An object of arrays: the items by the text that a lambda gives; a second lambda gives the value of each item.',
    (args, work, call) => {
      const [items, key] = [work.items(value(args, 0, call)), lambdaAt(args, 1, work, 1, 2)];
      const mapped = args[2] === undefined ? undefined : lambdaAt(args, 2, work, 1, 2);
      const groups = new Map<string, TemplateValue[]>();
      for (const [index, item] of items.entries()) {
        const name = work.text(key(item, index));
        const group = groups.get(name) ?? [];
        group.push(mapped ? mapped(item, index) : item);
        groups.set(name, group);
      }
      return templateObject(groups);
    },
  ),
  lambda: {
    arity: [1],
    doc: 'A function of names and an expression, as an argument of the functions of this table alone.',
    kind: 'syntax',
    evaluate: (_, call) => fail(call, 'a lambda can only be an argument of filter, map and their like'),
  },
  lambdaVariables: {
    arity: [1, 1],
    doc: 'The value of a variable of a lambda around the expression.',
    evaluate: (args, call) => {
      const name = stringAt(args, 0, call);
      const variable = call.scope.lambdaVariables?.get(name.toLowerCase());
      if (variable === undefined) return missingVariable(call, name);
      // A later run has answers that the value did not have when the lambda was applied.
      return call.run.known.size === 0 ? variable : resumeUnknowns(variable, call.run);
    },
  },
  map: lambdaFunction([2, 2], 'The values that a lambda of the item and its index gives.', (args, work, call) => {
    const [items, mapped] = [work.items(value(args, 0, call)), lambdaAt(args, 1, work, 1, 2)];
    return items.map((item, index) => mapped(item, index));
  }),
  mapValues: lambdaFunction([2, 2], 'The object with the values that a lambda gives.', (args, work, call) => {
    const [members, mapped] = [work.members(value(args, 0, call)), lambdaAt(args, 1, work, 1, 1)];
    return templateObject(members.map(([name, member]) => [name, mapped(member)]));
  }),
  reduce: lambdaFunction(
    [3, 3],
    'The last value of a lambda of the value so far, the next item and its index; the second argument is the first value.',
    (args, work, call) => {
      const [items, next] = [work.items(value(args, 0, call)), lambdaAt(args, 2, work, 2, 3)];
      return items.reduce<TemplateValue>((sum, item, index) => next(sum, item, index), value(args, 1, call));
    },
  ),
  sort: lambdaFunction(
    [2, 2],
    'The items in the order of a lambda: whether the first comes before the second.',
    (args, work, call) => {
      const [items, isBefore] = [work.items(value(args, 0, call)), lambdaAt(args, 1, work, 2, 2)];
      return sorted(items, (a, b) => work.bool(isBefore(a, b)));
    },
  ),
  toObject: lambdaFunction(
    [2, 3],
    'An object: a lambda gives the name of each item, and a second one its value.',
    (args, work, call) => {
      const [items, key] = [work.items(value(args, 0, call)), lambdaAt(args, 1, work, 1, 1)];
      const mapped = args[2] === undefined ? undefined : lambdaAt(args, 2, work, 1, 1);
      return templateObject(items.map((item) => [work.text(key(item)), mapped ? mapped(item) : item]));
    },
  ),
};

function missingVariable(call: Call, name: string): never {
  return fail(call, `there is no lambda around it with the variable '${name.slice(0, 60)}'`);
}
