import { refuse } from '../../exchange.ts';
import { at, type Json, stringOf, valuesAt } from '../../json.ts';
import { locations, normalLocation } from '../write-checks.ts';
import { filled } from './message.ts';
import table from './values.json' with { type: 'json' };

/** A member whose values Azure lists. */
interface Choice {
  /** Dotted path. Those in the items of a list are each checked. */
  readonly path: string;
  /** What there is: the regions of the sandbox, or these values, in any case of letters. */
  readonly of: 'regions' | readonly string[];
  /** Refuses an item of a list without the member. @default false */
  readonly isRequired?: boolean;
  readonly status: number;
  readonly code: string;
  /** `{value}` is the value, `{values}` the values there are. */
  readonly message: string;
}

/** By type in lower case. A member without a row takes every value: the sandbox does not know what Azure has. */
const rows = table as Readonly<Record<string, readonly Choice[]>>;

/** Whether the type has members with values that Azure does not have. */
export const refusesValues = (type: string): boolean => rows[type.toLowerCase()] !== undefined;

/** Throws Azure's refusal of a value that it does not have. */
export function refuseValues(request: Json, type: string): void {
  for (const { path, of, isRequired = false, status, code, message } of rows[type.toLowerCase()] ?? []) {
    const values = of === 'regions' ? locations : of;
    for (const value of isRequired ? requiredAt(request, path) : valuesAt(request, path.split('.'))) {
      const text = of === 'regions' ? normalLocation(stringOf(value)) : stringOf(value).toLowerCase();
      if (values.some((each) => each.toLowerCase() === text)) continue;
      throw refuse(status, code, filled(message, { value: String(value ?? ''), values: values.join(', ') }));
    }
  }
}

/** The member of each item of the list; undefined where an item lacks it. */
function requiredAt(request: Json, path: string): unknown[] {
  const end = path.lastIndexOf('.');
  return valuesAt(request, path.slice(0, end).split('.')).map((item) => at(item, path.slice(end + 1)));
}
