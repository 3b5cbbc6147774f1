import type { ProblemName } from './problem-names.ts';

/** The operating system of a machine, as Azure writes it. */
export type OsType = 'Windows' | 'Linux';

/** Azure's answer to a body that has a problem, as far as it is known. */
export interface AzureAnswer {
  /**
   * Where Azure answers: `Request` is the PUT itself, `Operation` the polled operation after an accepted PUT, `Start` the
   * next start or scale-out of a machine, `Never` means that Azure accepts it and the machine lacks something.
   */
  readonly when: 'Request' | 'Operation' | 'Start' | 'Never';
  /** HTTP status of the PUT. @default unknown, or 202 for `Operation` */
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly target?: string;
}

/** One problem of a machine, a scale set or a rotation. Has no value of a secret. */
export interface ComputeProblem {
  readonly name: ProblemName;
  /** The field, such as `properties.osProfile.secrets[0].sourceVault.id`; '' for the object itself. */
  readonly path: string;
  /** The problem, and how to fix it. */
  readonly message: string;
  /** An `Error` keeps the body from being sent; a `Warning` is reported beside it. */
  readonly severity: 'Error' | 'Warning';
  readonly azure?: AzureAnswer;
}

/** A problem that keeps the body from being sent. */
export function computeError(name: ProblemName, path: string, message: string, azure?: AzureAnswer): ComputeProblem {
  return { name, path, message, severity: 'Error', ...(azure && { azure }) };
}

/** A problem that is reported and changes nothing else. */
export function computeWarning(name: ProblemName, path: string, message: string): ComputeProblem {
  return { name, path, message, severity: 'Warning' };
}

/** A text for a message: quoted, at most 200 characters, control characters escaped. */
export function quoted(value: unknown): string {
  const json = JSON.stringify(typeof value === 'string' ? value.slice(0, 201) : value) ?? 'nothing';
  return json.length > 202 ? `${json.slice(0, 200)}…"` : json;
}
