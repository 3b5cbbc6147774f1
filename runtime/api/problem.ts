import { isObject } from '../base/json.ts';

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

/** A value that is not what the schema wants; `value` undefined means that nothing was there. */
export function problem(path: string, expected: string, value: unknown): Problem {
  const got = describe(value);
  return { path, expected, got, message: `${path || 'the object'}: expected ${expected}, got ${got}` };
}

/** Members that exclude each other. The message has the names of the members, not their values. */
export function ruleProblem(path: string, expected: string, value: unknown): Problem {
  const got = isObject(value) ? `{${Object.keys(value).join(', ')}}` : describe(value);
  return { path, expected, got, message: `${path || 'the object'}: ${expected}; got ${got}` };
}
