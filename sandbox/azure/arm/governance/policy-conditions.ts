import { isObject } from '../../../../runtime/base/json.ts';
import { type Json, objectOf, stringOf } from '../../json.ts';

/** Gives the value of a field such as `location`, `tags['team']` or an alias; an array for aliases with `[*]`. */
export type FieldReader = (field: string) => unknown;

/** Whether a resource fits the `if` of a policy rule. Throws Error for a condition with an operator that is unknown. */
export function fits(condition: unknown, field: FieldReader): boolean {
  if (!isObject(condition)) return false;
  const { allOf, anyOf, not } = condition;
  if (Array.isArray(allOf)) return allOf.every((each) => fits(each, field));
  if (Array.isArray(anyOf)) return anyOf.some((each) => fits(each, field));
  if (not !== undefined) return !fits(not, field);
  const [name, operand] = Object.entries(condition).find(([each]) => each.toLowerCase() in operators) ?? [];
  if (name === undefined) throw new Error(`the condition ${JSON.stringify(condition).slice(0, 200)} is not supported`);
  const test = operators[name.toLowerCase()] as Operator;
  return valuesOf(condition, field).every((value) => test(value, operand));
}

function valuesOf(condition: Json, field: FieldReader): unknown[] {
  if (isObject(condition['count'])) {
    const { field: items, where } = condition['count'];
    const array = field(stringOf(items));
    const all = Array.isArray(array) ? array : [];
    return [
      where === undefined ? all.length : all.filter((item) => fits(where, itemReader(stringOf(items), item))).length,
    ];
  }
  if ('value' in condition) return [condition['value']];
  const name = stringOf(condition['field']);
  const value = field(name);
  // A condition on `[*]` holds for each of the items.
  return name.includes('[*]') && Array.isArray(value) ? value : [value];
}

const itemReader =
  (items: string, item: unknown): FieldReader =>
  (name) => {
    const rest = name.slice(items.length).replace(/^\./, '');
    return rest === '' ? item : rest.split('.').reduce<unknown>((value, member) => memberOf(value, member), item);
  };

/** The member of an object, ignoring the case of its name. */
export function memberOf(value: unknown, name: string): unknown {
  return Object.entries(objectOf(value)).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

type Operator = (value: unknown, operand: unknown) => boolean;

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value)).toLowerCase();
const equals: Operator = (value, operand) => text(value) === text(operand);
const isIn: Operator = (value, operand) => Array.isArray(operand) && operand.some((each) => equals(value, each));
const contains: Operator = (value, operand) =>
  Array.isArray(value) ? value.some((each) => equals(each, operand)) : text(value).includes(text(operand));
const hasKey: Operator = (value, operand) => memberOf(value, String(operand)) !== undefined;
const compare = (value: unknown, operand: unknown) =>
  typeof operand === 'number' ? Number(value) - operand : text(value).localeCompare(text(operand));

/** `*` stands for any text. */
const like: Operator = (value, operand) =>
  pattern(String(operand), (part) => escaped(part).replaceAll('\\*', '.*'), 'i', value);
/** `#` stands for a digit, `?` for a letter, `.` for any character. */
const matchFor =
  (flags: string): Operator =>
  (value, operand) =>
    pattern(
      String(operand),
      (part) => escaped(part).replaceAll('#', '\\d').replaceAll('\\?', '[a-zA-Z]').replaceAll('\\.', '.'),
      flags,
      value,
    );

const escaped = (part: string) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const pattern = (operand: string, expression: (part: string) => string, flags: string, value: unknown) =>
  new RegExp(`^${expression(operand)}$`, flags).test(value === undefined || value === null ? '' : String(value));

const not =
  (operator: Operator): Operator =>
  (value, operand) =>
    !operator(value, operand);
const match = matchFor('');
const matchInsensitively = matchFor('i');

const operators: Readonly<Record<string, Operator>> = {
  equals,
  notequals: not(equals),
  in: isIn,
  notin: not(isIn),
  contains,
  notcontains: not(contains),
  containskey: hasKey,
  notcontainskey: not(hasKey),
  like,
  notlike: not(like),
  match,
  notmatch: not(match),
  matchinsensitively: matchInsensitively,
  notmatchinsensitively: not(matchInsensitively),
  exists: (value, operand) => (value !== undefined && value !== null) === (text(operand) !== 'false'),
  less: (value, operand) => compare(value, operand) < 0,
  lessorequals: (value, operand) => compare(value, operand) <= 0,
  greater: (value, operand) => compare(value, operand) > 0,
  greaterorequals: (value, operand) => compare(value, operand) >= 0,
};
