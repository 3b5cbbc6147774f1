import { refuse } from '../../exchange.ts';
import { at, type Json, stringOf, valuesAt } from '../../json.ts';
import type { ResourcePath } from '../resources/resource-path.ts';
import { locations, normalLocation, sameName } from '../write-checks.ts';
import { filled } from './message.ts';
import table from './values.json' with { type: 'json' };

/** A member whose values Azure lists, or which all have one form. */
interface Choice {
  /** Dotted path. Those in the items of a list are each checked. */
  readonly path: string;
  /** What there is: the regions of the sandbox, or these values, in any case of letters. @default every value */
  readonly of?: 'regions' | readonly string[];
  /** A regular expression of what there can be, in any case of letters. @default every value */
  readonly form?: string;
  /** Refuses an item of a list without the member. @default false */
  readonly isRequired?: boolean;
  readonly status: number;
  readonly code: string;
  /** `{value}` is the value, `{values}` the values there are, `{path}` the member, `{name}` that of the resource. */
  readonly message: string;
}

/** By type in lower case. A member without a row takes every value: the sandbox does not know what Azure has. */
const rows = table as Readonly<Record<string, readonly Choice[]>>;

/** Whether the type has members with values that Azure does not have. */
export const refusesValues = (type: string): boolean => rows[type.toLowerCase()] !== undefined;

/** Throws Azure's refusal of a value that it does not have. */
export function refuseValues(request: Json, { type, name }: ResourcePath): void {
  for (const choice of rows[type.toLowerCase()] ?? []) {
    const { path, isRequired = false, status, code, message } = choice;
    const values = isRequired ? requiredAt(request, path) : valuesAt(request, path.split('.'));
    const wrong = values.findIndex((value) => !isThere(stringOf(value), choice));
    if (wrong < 0) continue;
    const list = [choice.of ?? []].flat().join(', ');
    throw refuse(status, code, filled(message, { value: String(values[wrong] ?? ''), values: list, path, name }));
  }
}

function isThere(value: string, { of, form }: Choice): boolean {
  if (form !== undefined && !new RegExp(form, 'i').test(value)) return false;
  if (of === 'regions') return locations.includes(normalLocation(value));
  return of === undefined || of.some((each) => sameName(each, value));
}

/** The member of each item of the list; undefined where an item lacks it. */
function requiredAt(request: Json, path: string): unknown[] {
  const end = path.lastIndexOf('.');
  return valuesAt(request, path.slice(0, end).split('.')).map((item) => at(item, path.slice(end + 1)));
}
