import { isObject } from '../../../../runtime/base/json.ts';
import { at, type Json, stringOf, valuesAt } from '../../json.ts';
import { complete, type TemplateNames } from './complete.ts';
import table from './dependent-members.json' with { type: 'json' };

type Value = string | number | boolean;

/** Members that Azure adds because of other members, such as those of the sku. */
interface DependentMembers {
  /** Dotted path of a list: the rule holds for its items. @default the resource itself */
  readonly at?: string;
  /**
   * Values by dotted path, all of which must be there, ignoring case; a list has the possible ones. `*` is any value,
   * '' none.
   */
  readonly when: Readonly<Record<string, Value | readonly Value[]>>;
  /** As those of a recording; `{=sku.name}` is the value of another member of the resource. */
  readonly members: Json;
}

const rules = table as Readonly<Record<string, readonly DependentMembers[]>>;

/** Adds the members that follow from members of the body; the first rule for a member decides. */
export function addDependentMembers(body: Json, type: string, names: TemplateNames): void {
  for (const { at: list, when, members } of rules[type.toLowerCase()] ?? []) {
    const items = list === undefined ? body : at(body, list);
    for (const target of [items].flat().filter(isObject)) {
      if (isMatch(target, when)) complete(target, echoed(members, body) as Json, names, undefined, nameOf(target));
    }
  }
}

const nameOf = (target: Json) => stringOf(target['name']);

function isMatch(target: Json, when: DependentMembers['when']): boolean {
  return Object.entries(when).every(([path, expected]) => {
    const values = valuesAt(target, path.split('.'));
    return [expected].flat().some((each) => {
      if (each === '') return values.length === 0;
      return values.some((value) => each === '*' || String(value).toLowerCase() === String(each).toLowerCase());
    });
  });
}

/** The members with the values that they take over; one without such a value is left out. */
function echoed(members: unknown, body: Json): unknown {
  if (Array.isArray(members)) return members.map((each) => echoed(each, body));
  if (isObject(members)) {
    const entries = Object.entries(members).map(([name, value]) => [name, echoed(value, body)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (typeof members !== 'string') return members;
  const whole = /^\{=([\w.]+)\}$/.exec(members)?.[1];
  if (whole !== undefined) return at(body, whole);
  return members.replaceAll(/\{=([\w.]+)\}/g, (_, path: string) => String(at(body, path) ?? ''));
}
