import { canonicalJson } from '../../../runtime/base/json.ts';
import type { Cause } from '../model/types.ts';

/** The causes of a 422 answer in the API server's wording. Wording of 1.36, compared with its CRD server. */

/** A value that breaks a rule. */
export function invalid(field: string, value: unknown, detail: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown(value)}: ${detail}`, field };
}

/** A value of another type than the schema's. */
export function typeInvalid(field: string, value: unknown, detail: string): Cause {
  return { reason: 'FieldValueTypeInvalid', message: `Invalid value: ${shown(value)}: ${detail}`, field };
}

/** A missing value. */
export function required(field: string, detail = ''): Cause {
  return { reason: 'FieldValueRequired', message: withDetail('Required value', detail), field };
}

/** A value that must not be there. */
export function forbidden(field: string, detail: string): Cause {
  return { reason: 'FieldValueForbidden', message: withDetail('Forbidden', detail), field };
}

/** A value outside of an enumeration. */
export function notSupported(field: string, value: unknown, supported: readonly unknown[]): Cause {
  const names = supported.map((item) => JSON.stringify(typeof item === 'string' ? item : goFormat(item)));
  const message = `Unsupported value: ${shown(value)}: supported values: ${names.join(', ')}`;
  return { reason: 'FieldValueNotSupported', message, field };
}

/** A second item with the same value or key. */
export function duplicate(field: string, value: unknown): Cause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${shown(value)}`, field };
}

/** A string above `limit` bytes. */
export function tooLong(field: string, limit: number): Cause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${limit} bytes`, field };
}

/** A list or map of `actual` items above `limit`. */
export function tooMany(field: string, actual: number, limit: number): Cause {
  return {
    reason: 'FieldValueTooMany',
    message: `Too many: ${actual}: must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
    field,
  };
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}

/** A value as the message shows it: strings quoted, composites as JSON. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : goFormat(value);
}

function goFormat(value: unknown): string {
  return value === undefined ? 'null' : canonicalJson(value);
}

/** `spec` + `sku` = `spec.sku`; map keys are shown the same way as members. */
export function child(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The path of a list item: `spec.items[0]`. */
export function at(path: string, index: number): string {
  return `${path}[${index}]`;
}
