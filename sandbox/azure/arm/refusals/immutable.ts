import { canonicalJson } from '../../../../runtime/base/json.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, stringOf } from '../../json.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import table from './immutable.json' with { type: 'json' };
import { filled } from './message.ts';

/** A member that keeps the value of the first PUT. */
interface Immutable {
  readonly path: string;
  /** Only this value is kept. @default every value */
  readonly from?: string;
  /** @default 409 */
  readonly status?: number;
  /** @default PropertyChangeNotAllowed */
  readonly code?: string;
  /** `{property}` is the end of the path, `{before}` and `{value}` its values, `{id}` the resource. */
  readonly message?: string;
}

/** By type in lower case. */
const rows = table as Readonly<Record<string, readonly Immutable[]>>;

/** Whether the type has members that never change. */
export const refusesChanges = (type: string): boolean => rows[type.toLowerCase()] !== undefined;

/** Throws Azure's refusal to change a member that never changes. A request without the member leaves it. */
export function refuseChange(request: Json, existing: StoredResource): void {
  for (const { path, from, status = 409, code = 'PropertyChangeNotAllowed', message } of rows[
    existing.type.toLowerCase()
  ] ?? []) {
    const [before, value] = [at(existing.body, path), at(request, path)];
    if (before === undefined || value === undefined || value === null || isSame(before, value)) continue;
    if (from !== undefined && stringOf(before).toLowerCase() !== from.toLowerCase()) continue;
    const property = path
      .split('.')
      .slice(-2)
      .join('.')
      .replace(/^properties\./, '');
    const text = message ?? "Changing property '{property}' is not allowed.";
    const values = { id: existing.id, property, before: String(before), value: String(value) };
    throw refuse(status, code, filled(text, values), { target: property });
  }
}

const isSame = (before: unknown, value: unknown) =>
  canonicalJson(before).toLowerCase().trim() === canonicalJson(value).toLowerCase().trim();
