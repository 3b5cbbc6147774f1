import { isObject } from '../base/json.ts';
import { editsOf } from '../base/text/edit-distance.ts';

/** One thing that is wrong with an object. */
export interface Problem {
  /** `spec.windows[0].duration`, `spec.tags[team]`; '' for the object itself. */
  readonly path: string;
  readonly expected: string;
  /** The value and its type, shortened. */
  readonly got: string;
  /** Path, expectation and value in one sentence. */
  readonly message: string;
}

function describe(value: unknown): string {
  const json = JSON.stringify(value);
  if (json === undefined) return 'nothing';
  const shown = json.length > 80 ? `${json.slice(0, 77)}...` : json;
  return value === null ? shown : `${shown} (${Array.isArray(value) ? 'array' : typeof value})`;
}

/** A value that breaks the schema; `value` undefined means that nothing was there. */
export function problem(path: string, expected: string, value: unknown): Problem {
  const got = describe(value);
  return { path, expected, got, message: `${path || 'the object'}: expected ${expected}, got ${got}` };
}

/** Members that exclude each other. The message has the names of the members, not their values. */
export function ruleProblem(path: string, expected: string, value: unknown): Problem {
  const got = isObject(value) ? `{${Object.keys(value).join(', ')}}` : describe(value);
  return { path, expected, got, message: `${path || 'the object'}: ${expected}; got ${got}` };
}

/** Names of a list that a message shows. */
const mostNames = 10;

/**
 * A field that the schema does not have: the field that is probably meant, or some known fields. The value stays out
 * of the message: somebody may have written a password under a wrong name.
 */
export function unknownField(path: string, name: string, fieldNames: readonly string[]): Problem {
  const meant = fieldNames.find((each) => editsOf(name, each, 1) !== undefined);
  const [shown, rest] = [[...fieldNames].sort().slice(0, mostNames), fieldNames.length - mostNames];
  const list =
    fieldNames.length === 0 ? 'no field' : `one of ${shown.join(', ')}${rest > 0 ? ` and ${rest} more fields` : ''}`;
  const expected = meant === undefined ? list : `the name ${meant}`;
  const got = 'a field that the kind does not have';
  return { path, expected, got, message: `${path}: expected ${expected}, got ${got}` };
}
