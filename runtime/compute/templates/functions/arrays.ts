import {
  isNumber,
  isTemplateArray,
  isTemplateObject,
  type TemplateObject,
  type TemplateValue,
  templateObject,
} from '../values/value.ts';
import {
  arrayAt,
  type Call,
  type FunctionTable,
  fail,
  integerAt,
  nameIn,
  objectAt,
  refuseAt,
  stringAt,
} from './function-spec.ts';
import { comparable, sameAs } from './logic.ts';

/** Where a text is in another one, ignoring case; -1 if it is not. */
function textIndex(args: readonly TemplateValue[], call: Call, last: boolean): number {
  const [text, wanted] = [stringAt(args, 0, call).toLowerCase(), stringAt(args, 1, call).toLowerCase()];
  call.run.budget.search(text.length, wanted.length);
  return last ? text.lastIndexOf(wanted) : text.indexOf(wanted);
}

function arrayIndex(args: readonly TemplateValue[], last: boolean): number {
  const is = sameAs(args[1] as TemplateValue);
  const items = args[0] as readonly TemplateValue[];
  return last ? items.findLastIndex(is) : items.findIndex(is);
}

function indexFunction(doc: string, last: boolean): FunctionTable[string] {
  return {
    arity: [2, 2],
    doc,
    evaluate: (args, call) => (isTemplateArray(args[0]) ? arrayIndex(args, last) : textIndex(args, call, last)),
  };
}

/** A count of characters or items. */
const clamped = (count: bigint): number => Number(count < 0n ? 0n : count > 2n ** 32n ? 2n ** 32n : count);

/** A part of a string or array; bounds outside are clamped. */
function slice(args: readonly TemplateValue[], call: Call, from: (count: number) => [number, number?]): TemplateValue {
  const [value] = args;
  if (typeof value !== 'string' && !isTemplateArray(value)) return refuseAt(args, 0, call, 'a string or an array');
  return value.slice(...from(clamped(integerAt(args, 1, call))));
}

function end(args: readonly TemplateValue[], call: Call, index: number): TemplateValue {
  const [value] = args;
  if (typeof value === 'string') return value.at(index) ?? '';
  if (isTemplateArray(value)) return value.at(index) ?? null;
  return refuseAt(args, 0, call, 'a string or an array');
}

function merge(a: TemplateValue | undefined, b: TemplateValue): TemplateValue {
  if (!isTemplateObject(a) || !isTemplateObject(b)) return b;
  const made = new Map(Object.entries(a));
  for (const [name, value] of Object.entries(b)) made.set(name, merge(made.get(name), value));
  return templateObject(made);
}

/** The arguments, which are all arrays or all objects. */
function allAlike(args: readonly TemplateValue[], call: Call): 'arrays' | 'objects' {
  if (args.every(isTemplateArray)) return 'arrays';
  if (args.every(isTemplateObject)) return 'objects';
  const isOther = isTemplateArray(args[0]) ? isTemplateArray : isTemplateObject;
  const other = args.findIndex((value) => !isOther(value));
  return refuseAt(args, other, call, 'arrays alone or objects alone');
}

/** Functions of arrays and objects, and those that strings share with them. */
export const arrays: FunctionTable = {
  array: {
    arity: [1, 1],
    doc: 'An array with the value in it; an array stays as it is.',
    evaluate: ([value = null]) => (isTemplateArray(value) ? value : [value]),
  },
  concat: {
    arity: [1],
    doc: 'Arrays as one array; otherwise strings, integers and booleans as one string.',
    evaluate: (args, call) => {
      if (args.every(isTemplateArray)) return args.flat(1);
      const other = isTemplateArray(args[0]) ? args.findIndex((value) => !isTemplateArray(value)) : -1;
      if (other !== -1) return refuseAt(args, other, call, 'an array');
      const texts = args.map((value, index) => {
        if (typeof value === 'boolean') return value ? 'True' : 'False';
        return isNumber(value) ? String(value) : stringAt(args, index, call);
      });
      return texts.join('');
    },
  },
  contains: {
    arity: [2, 2],
    doc: 'Whether a string has a text (case matters), an object a member (it does not), an array an item.',
    evaluate: (args, call) => {
      const [value, wanted = null] = args;
      if (isTemplateArray(value)) return value.some(sameAs(wanted));
      if (isTemplateObject(value)) return nameIn(value, stringAt(args, 1, call)) !== undefined;
      const [text, part] = [stringAt(args, 0, call), isNumber(wanted) ? String(wanted) : stringAt(args, 1, call)];
      call.run.budget.search(text.length, part.length);
      return text.includes(part);
    },
  },
  createArray: { arity: [0], doc: 'An array of the arguments.', kind: 'passes', evaluate: (args) => args },
  createObject: {
    arity: [0],
    doc: 'An object of names and values in turn.',
    kind: 'passes',
    evaluate: (args, call) => {
      if (args.length % 2 !== 0) fail(call, 'the last name has no value');
      const names = args.filter((_, index) => index % 2 === 0);
      return templateObject(
        names.map((_, index) => [stringAt(names, index, call), args[2 * index + 1] as TemplateValue]),
      );
    },
  },
  distinct: {
    arity: [1, 1],
    doc: 'The items of an array without repetitions, in the order of their first appearance.',
    evaluate: (args, call) => [...distinct(arrayAt(args, 0, call)).values()],
  },
  empty: {
    arity: [1, 1],
    doc: 'Whether a string, array or object has nothing in it, or the value is null.',
    evaluate: (args, call) => {
      const [value] = args;
      if (value === null || value === '') return true;
      if (typeof value === 'string') return false;
      if (isTemplateArray(value)) return value.length === 0;
      if (!isTemplateObject(value)) return refuseAt(args, 0, call, 'a string, an array or an object');
      return Object.keys(value).length === 0;
    },
  },
  flatten: {
    arity: [1, 1],
    doc: 'The items of the arrays of an array as one array.',
    evaluate: (args, call) => {
      const arrays = arrayAt(args, 0, call);
      return arrays.flatMap((_, index) => arrayAt(arrays, index, call));
    },
  },
  first: {
    arity: [1, 1],
    doc: 'The first character or item; null for an empty array.',
    evaluate: (args, call) => end(args, call, 0),
  },
  indexOf: indexFunction('Where a text (case does not matter) or an item is, from 0 on; -1 if it is not there.', false),
  intersection: {
    arity: [2],
    doc: 'The items or members that all arguments have.',
    evaluate: (args, call) => {
      if (allAlike(args, call) === 'arrays') {
        const [base, ...others] = (args as readonly (readonly TemplateValue[])[]).map((items) => distinct(items));
        const kept = [...(base ?? [])].filter(([key]) => others.every((other) => other.has(key)));
        return kept.map(([, item]) => item);
      }
      const [base, ...others] = args as readonly TemplateObject[];
      const has = (other: TemplateObject, name: string, value: TemplateValue) =>
        Object.hasOwn(other, name) && sameAs(other[name] as TemplateValue)(value);
      const members = Object.entries(base ?? {});
      return templateObject(members.filter(([name, value]) => others.every((other) => has(other, name, value))));
    },
  },
  items: {
    arity: [1, 1],
    doc: 'The members of an object as an array of objects with `key` and `value`, sorted by key.',
    evaluate: (args, call) =>
      Object.entries(objectAt(args, 0, call))
        .sort(([a], [b]) => byName(a, b))
        .map(([key, value]) =>
          templateObject([
            ['key', key],
            ['value', value],
          ]),
        ),
  },
  last: {
    arity: [1, 1],
    doc: 'The last character or item; null for an empty array.',
    evaluate: (args, call) => end(args, call, -1),
  },
  lastIndexOf: indexFunction(
    'Where a text (case does not matter) or an item is the last time; -1 if it is not there.',
    true,
  ),
  length: {
    arity: [1, 1],
    doc: 'How many characters, items or members a value has.',
    evaluate: (args, call) => {
      const [value] = args;
      if (typeof value === 'string' || isTemplateArray(value)) return value.length;
      if (!isTemplateObject(value)) return refuseAt(args, 0, call, 'a string, an array or an object');
      return Object.keys(value).length;
    },
  },
  objectKeys: {
    arity: [1, 1],
    doc: 'The names of the members of an object, sorted.',
    evaluate: (args, call) => Object.keys(objectAt(args, 0, call)).sort(byName),
  },
  shallowMerge: {
    arity: [1, 1],
    doc: 'One object of the members of the objects of an array, of which the last ones count; objects in them are not merged.',
    evaluate: (args, call) => {
      const objects = arrayAt(args, 0, call);
      return templateObject(objects.flatMap((_, index) => Object.entries(objectAt(objects, index, call))));
    },
  },
  skip: {
    arity: [2, 2],
    doc: 'A string or array without its first characters or items.',
    evaluate: (args, call) => slice(args, call, (count) => [count]),
  },
  take: {
    arity: [2, 2],
    doc: 'The first characters or items of a string or array.',
    evaluate: (args, call) => slice(args, call, (count) => [0, count]),
  },
  union: {
    arity: [1],
    doc: 'The items of all arrays once each; or one object of the members of all, of which the last ones count.',
    evaluate: (args, call) => {
      if (allAlike(args, call) === 'arrays') return [...distinct((args as TemplateValue[][]).flat(1)).values()];
      return (args as readonly TemplateValue[]).reduce((merged, value) => merge(merged, value));
    },
  },
};

/** Names in the order of .NET: without regard to case first, lower case before upper case. */
function byName(a: string, b: string): number {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()];
  if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1;
  return a > b ? -1 : 1;
}

/** The items by their text, the first of equal ones. */
function distinct(items: readonly TemplateValue[]): Map<string, TemplateValue> {
  const found = new Map<string, TemplateValue>();
  for (const item of items) {
    const key = comparable(item);
    if (!found.has(key)) found.set(key, item);
  }
  return found;
}
