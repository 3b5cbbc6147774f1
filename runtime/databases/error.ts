import { AzimuthError } from '../base/errors.ts';

/** How a database failed. */
export interface DatabaseFailure {
  /**
   * `unreachable`: no connection. `login`: the server refused user or password. `waiting`: Azure shows no address of
   * the server yet. `refused`: the server refused a statement, and nothing has changed. `partial`: it refused a later
   * one. `unknown`: the connection broke while a statement was under way. `invalid`: the spec cannot be applied.
   */
  readonly cause: 'unreachable' | 'login' | 'waiting' | 'refused' | 'partial' | 'unknown' | 'invalid';
  readonly message: string;
}

/** AZ_DATABASE: an account in a database cannot be read or written. Its text has no statement and no password. */
export class DatabaseError extends AzimuthError {
  readonly failure: DatabaseFailure['cause'];

  constructor({ cause, message }: DatabaseFailure) {
    super('AZ_DATABASE', message, { retryable: cause !== 'invalid' });
    this.failure = cause;
  }
}

/** Whether an error proves that nothing has changed in the database. */
export function isRefusedByDatabase(error: unknown): boolean {
  return error instanceof DatabaseError && error.failure !== 'unknown' && error.failure !== 'partial';
}
