import { SecretValue } from '../../../base/secret-value.ts';
import {
  isFromSecrets,
  isTemplateArray,
  isTemplateObject,
  secretOf,
  type TemplateValue,
  Unknown,
} from '../values/value.ts';
import { infoOf, revealSecrets, waitsFor } from '../values/value-info.ts';
import { arrayAt, type Call, deferred, type FunctionTable, fail, intAt, nameIn, refuseAt } from './function-spec.ts';

/** A member or item that may be missing, which gives null. */
function tryMember(value: TemplateValue, key: TemplateValue, call: Call): TemplateValue {
  if (value === null) return null;
  if (isTemplateArray(value)) {
    if (typeof key !== 'number' || !Number.isInteger(key)) return refuseAt([value, key], 1, call, 'an int');
    return value[key] ?? null;
  }
  if (!isTemplateObject(value)) return refuseAt([value], 0, call, 'an object or an array');
  if (typeof key !== 'string') return refuseAt([value, key], 1, call, 'a string');
  const name = nameIn(value, key);
  return name === undefined ? null : (value[name] as TemplateValue);
}

/** Follows the keys; what is unknown or secret on the way makes the result so. */
function follow(value: TemplateValue, keys: readonly TemplateValue[], call: Call): TemplateValue {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (value instanceof Unknown || key instanceof Unknown) {
    const isSecret = infoOf(value).secret || infoOf(key).secret;
    return new Unknown(call.text, [...waitsFor(value), ...waitsFor(key)], call.again, { isSecret });
  }
  if (isFromSecrets(value) || isFromSecrets(key)) return deferred([value, ...keys], { ...call, name: 'tryGet' });
  if (value instanceof SecretValue || key instanceof SecretValue) {
    return secretOf(follow(revealSecrets(value), keys.map(revealSecrets), call));
  }
  return follow(tryMember(value, key, call), rest, call);
}

/** The place from the end: 1 is the last item. */
function fromEnd(args: readonly TemplateValue[], call: Call): TemplateValue | undefined {
  const [items, index] = [arrayAt(args, 0, call), intAt(args, 1, call)];
  return index < 1 ? undefined : items[items.length - index];
}

/** Functions that take members and items which may be missing, or count from the end. */
export const access: FunctionTable = {
  indexFromEnd: {
    arity: [2, 2],
    doc: 'An item of an array counted from the end; 1 is the last one.',
    evaluate: (args, call) => {
      const item = fromEnd(args, call);
      return item === undefined ? fail(call, 'argument 2: the array has no such item') : item;
    },
  },
  tryGet: {
    arity: [2],
    doc: 'A member or an item, at any depth; null where one of the way is missing.',
    kind: 'passes',
    evaluate: ([value = null, ...keys], call) => follow(value, keys, call),
  },
  tryIndexFromEnd: {
    arity: [2],
    doc: 'An item of an array counted from the end, or a value below it; null where there is none.',
    evaluate: (args, call) => (args[0] === null ? null : follow(fromEnd(args, call) ?? null, args.slice(2), call)),
  },
};
