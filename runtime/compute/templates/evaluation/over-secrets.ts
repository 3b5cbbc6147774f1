/** Calls whose arguments are special values, or have some in them. */
import { SecretValue } from '../../../base/secret-value.ts';
import type { Budget } from '../values/budget.ts';
import {
  AzureAnswer,
  isSourceReference,
  isSpecial,
  isTemplateArray,
  isTemplateObject,
  type TemplateObject,
  type TemplateValue,
} from '../values/value.ts';
import { infoOf } from '../values/value-info.ts';

/** Functions that read no value inside of arrays and objects. */
const functionsOfShape: ReadonlySet<string> = new Set([
  ...['array', 'concat', 'empty', 'first', 'indexfromend', 'items', 'last', 'length', 'objectkeys', 'skip', 'take'],
  ...['tryindexfromend'],
]);

/** Functions that read the shape of the items too. */
const functionsOfItems: ReadonlySet<string> = new Set(['flatten', 'shallowmerge']);

/**
 * Whether the call reads the shape of its arguments alone, none of which is a special value, so that its result is known
 * although parts of them are not, or are secrets.
 */
export function readsShape(call: string, values: readonly TemplateValue[], budget: Budget): boolean {
  const name = call.toLowerCase();
  if (values.some(isSpecial)) return false;
  if (functionsOfShape.has(name) || (name === 'contains' && isTemplateObject(values[0]))) return true;
  if (functionsOfItems.has(name)) return isTemplateArray(values[0]) && !values[0].some(isSpecial);
  if (name !== 'union') return false;
  if (values.every(isTemplateArray)) return isDistinct(values.flat(), budget);
  return values.every(isTemplateObject) && isMerged(values as readonly TemplateObject[], budget);
}

/** Items that are compared with each other. */
const maxItems = 100;

/** Whether items with special values in them differ from each other item, whatever these values are. */
function isDistinct(items: readonly TemplateValue[], budget: Budget): boolean {
  const open = items.filter(hasSpecial);
  const differs = (item: TemplateValue, each: TemplateValue) => each === item || differSurely(item, each, budget);
  return items.length <= maxItems && open.every((item) => items.every((each) => differs(item, each)));
}

function hasSpecial(value: TemplateValue): boolean {
  const { secret, unknown, reference } = infoOf(value);
  return secret || unknown || reference;
}

/** Whether the parts of two values that are known differ. */
function differSurely(a: TemplateValue, b: TemplateValue, budget: Budget): boolean {
  budget.step();
  if (isSpecial(a) || isSpecial(b)) return false;
  if (isTemplateArray(a) && isTemplateArray(b))
    return a.length !== b.length || a.some((item, index) => differSurely(item, b[index] ?? null, budget));
  if (!isTemplateObject(a) || !isTemplateObject(b)) return a !== b;
  const names = Object.keys(a);
  const hasAll = names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name));
  return !hasAll || names.some((name) => differSurely(a[name] ?? null, b[name] ?? null, budget));
}

/** Whether no member has to be merged with one whose members are not known. */
function isMerged([first, ...others]: readonly TemplateObject[], budget: Budget): boolean {
  return others.every((other, index) =>
    [first, ...others.slice(0, index)].every((before) => before === undefined || !collide(before, other, budget)),
  );
}

function collide(before: TemplateObject, after: TemplateObject, budget: Budget): boolean {
  return Object.entries(after).some(([name, value]) => {
    budget.step();
    const own = before[name];
    if (own === undefined || !(isTemplateObject(own) || isSpecial(own))) return false;
    if (isTemplateObject(own) && isTemplateObject(value)) return collide(own, value, budget);
    return isSpecial(own) ? isTemplateObject(value) : isSpecial(value);
  });
}

/**
 * Whether the call asks for no more than whether there is a value, which conditions may depend on. A value of a Secret is
 * there.
 */
export function asksWhetherEmpty(name: string, values: readonly TemplateValue[]): boolean {
  const lower = name.toLowerCase();
  const isSecret = (value: TemplateValue) =>
    value instanceof SecretValue || (isSourceReference(value) && !(value instanceof AzureAnswer));
  if (lower === 'empty') return isSecret(values[0] ?? null);
  return lower === 'equals' && values.some((value) => value === null || value === '') && values.some(isSecret);
}
