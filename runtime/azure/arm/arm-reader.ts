import { backoff } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { AccessToken, ArmClient, Authorizer } from '../types.ts';
import { ArmError } from './errors.ts';
import { isGone } from './not-found.ts';

/** Options of an ArmReader. */
export interface ArmReaderOptions {
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly clock?: Clock;
  /** How often a request is made before its failure counts. @default 5 */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
  /** Called before a wait, with its length in milliseconds and its cause. */
  readonly onWait?: (ms: number, error: Error) => void;
}

/** Reads from ARM, and never writes: GETs, HEADs and paged lists that outlast throttling and short outages. */
export class ArmReader {
  readonly #options: ArmReaderOptions;
  #token: AccessToken | undefined;

  constructor(options: ArmReaderOptions) {
    this.#options = options;
  }

  /**
   * The body; an empty object for a HEAD. Throws AzimuthError AZ_ARM_REFUSED or AZ_ARM_UNREACHABLE once trying again has
   * not helped.
   */
  async get(path: string, apiVersion?: string, method: 'GET' | 'HEAD' = 'GET'): Promise<JsonObject> {
    const { attempts = 5, clock = systemClock, signal, onWait } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(path, apiVersion, method);
      } catch (error) {
        if (attempt >= attempts || !passes(error)) throw error;
        const ms = error.retryAfterMs ?? backoff(attempt - 1);
        onWait?.(ms, error);
        await clock.sleep(ms, signal);
      }
    }
  }

  /** Undefined where there is no such resource; a 404 that says something else, as of the subscription, is thrown. */
  async tryGet(path: string, apiVersion: string, method?: 'GET' | 'HEAD'): Promise<JsonObject | undefined> {
    try {
      return await this.get(path, apiVersion, method);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** The pages of a list, one after the other: pages before a failed one are not lost. */
  async *pages(path: string, apiVersion: string): AsyncGenerator<JsonObject[]> {
    const seen = new Set<string>();
    for (let next: string | undefined = path, version: string | undefined = apiVersion; next !== undefined; ) {
      seen.add(next);
      const { value, nextLink } = await this.get(next, version);
      yield Array.isArray(value) ? value.filter(isObject) : [];
      next = typeof nextLink === 'string' && nextLink !== '' ? nextLink : undefined;
      version = undefined;
      if (next === undefined || !seen.has(next)) continue;
      throw new AzimuthError(
        'AZ_ARM_REFUSED',
        `The list ${path} does not end: a page of it leads back to an earlier one`,
      );
    }
  }

  async #send(path: string, apiVersion: string | undefined, method: 'GET' | 'HEAD'): Promise<JsonObject> {
    const { arm, authorizer, signal } = this.#options;
    const { body, token, status } = await arm.send({
      method,
      path,
      authorizer,
      ...(apiVersion !== undefined && { apiVersion }),
      ...(this.#token && { token: this.#token }),
      ...(signal && { signal }),
    });
    this.#token = token;
    if (isObject(body)) return body;
    if (status === 204 || method === 'HEAD') return {};
    const message = `What answered GET ${path.split('?')[0]} with ${status} is not Azure Resource Manager: it sent no JSON`;
    throw new AzimuthError('AZ_ARM_UNREACHABLE', message);
  }
}

/** Whether waiting may help within the time of a command: throttled, broken or silent; not refused. */
function passes(error: unknown): error is AzimuthError {
  if (error instanceof ArmError) return error.info.status === 429 || error.info.status >= 500;
  return error instanceof AzimuthError && error.code === 'AZ_ARM_UNREACHABLE';
}
