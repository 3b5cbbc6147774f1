import { ArmError } from '../../azure/arm-errors.ts';
import type { AccessToken, ArmClient, Authorizer } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../json-object.ts';

export interface ArmReaderOptions {
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly clock?: Clock;
  /** How often a request is made before its failure counts. @default 5 */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
}

/** Reads from ARM, and never writes: GETs and paged lists that outlast throttling and short outages. */
export class ArmReader {
  readonly #options: ArmReaderOptions;
  #token: AccessToken | undefined;

  constructor(options: ArmReaderOptions) {
    this.#options = options;
  }

  /** Throws AzimuthError AZ_ARM_REFUSED or AZ_ARM_UNREACHABLE once trying again has not helped. */
  async get(path: string, apiVersion?: string): Promise<JsonObject> {
    const { attempts = 5, clock = systemClock, signal } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(path, apiVersion);
      } catch (error) {
        if (attempt >= attempts || !passes(error)) throw error;
        await clock.sleep(error.retryAfterMs ?? backoff(attempt - 1), signal);
      }
    }
  }

  /** Undefined where ARM answers 404. */
  async tryGet(path: string, apiVersion: string): Promise<JsonObject | undefined> {
    try {
      return await this.get(path, apiVersion);
    } catch (error) {
      if (error instanceof ArmError && error.facts.status === 404) return undefined;
      throw error;
    }
  }

  /** All pages of a list. */
  async list(path: string, apiVersion: string): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    for (let next: string | undefined = path, version: string | undefined = apiVersion; next !== undefined; ) {
      const { value, nextLink } = await this.get(next, version);
      if (Array.isArray(value)) items.push(...value.filter(isObject));
      next = typeof nextLink === 'string' && nextLink !== '' ? nextLink : undefined;
      version = undefined;
    }
    return items;
  }

  async #send(path: string, apiVersion: string | undefined): Promise<JsonObject> {
    const { arm, authorizer, signal } = this.#options;
    const { body, token } = await arm.send({
      method: 'GET',
      path,
      authorizer,
      ...(apiVersion !== undefined && { apiVersion }),
      ...(this.#token && { token: this.#token }),
      ...(signal && { signal }),
    });
    this.#token = token;
    return isObject(body) ? body : {};
  }
}

/** Whether waiting may help within the time of a command: throttled, broken or silent; not refused. */
function passes(error: unknown): error is AzimuthError {
  if (error instanceof ArmError) return error.facts.status === 429 || error.facts.status >= 500;
  return error instanceof AzimuthError && error.code === 'AZ_ARM_UNREACHABLE';
}
