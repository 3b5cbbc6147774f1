import { isObject } from '../../../base/json.ts';

/** Characters of a header field: a token is base64 with dots and the like. */
const tokenForm = /^[\w.~+/=-]{1,32768}$/;

/** A repository that a deployment names. */
export interface RegistryPlace {
  readonly registry: URL;
  readonly repository: string;
}

/** Gets tokens of registries with a credential. */
export interface PrivateToken {
  /** Undefined where no credential counts for this registry. Rejects with AZ_TERMINAL where there is none. */
  obtain(place: RegistryPlace, signal: AbortSignal): Promise<string | undefined>;
  /** The registry refused the token: throws AZ_TERMINAL with what to do where there was one. */
  failRefused(place: RegistryPlace): void;
}

/** The only permission that the operator asks of a registry. */
export const pullScope = (repository: string) => `repository:${repository}:pull`;

/** The first of these members of a JSON text that is there, where it is a token. */
export function tryTokenIn(text: string, ...members: readonly string[]): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  const object = isObject(answer) ? answer : {};
  const value = members.map((member) => object[member]).find((each) => each !== undefined && each !== null);
  return typeof value === 'string' && tokenForm.test(value) ? value : undefined;
}
