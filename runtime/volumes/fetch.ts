import type { KeyVault } from '../azure/key-vault.ts';
import { KeyVaultError } from '../azure/key-vault-error.ts';
import type { VaultItem } from '../azure/key-vault-objects.ts';
import { backoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import { certificateContent, keyContent, secretContent } from './formats.ts';
import type { ObjectRequest } from './volume-request.ts';

export interface FetchOptions {
  readonly vault: KeyVault;
  readonly clock: Clock;
  /** Ends everything; its reason is what a caller is told. */
  readonly signal: AbortSignal;
  /** When `signal` will abort, in the clock's `monotonic` milliseconds: no wait goes beyond it. */
  readonly deadline: number;
  /** Objects asked for at the same time. @default 8 */
  readonly concurrency?: number;
}

export interface FetchedObject {
  readonly request: ObjectRequest;
  readonly content: Buffer;
  /** Of the object that was read. */
  readonly version: string;
}

/**
 * Reads all objects, several at a time; the result has their order. An object listed twice is read once. What passes by
 * itself (no answer, 408, 429, 5xx) is asked for again after Retry-After or a growing pause. The first object that cannot
 * be had ends the rest.
 */
export async function fetchObjects(objects: readonly ObjectRequest[], options: FetchOptions): Promise<FetchedObject[]> {
  const { vault, concurrency = 8 } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const reads = new Map<string, Promise<VaultItem>>();
  const read = <T extends VaultItem>(request: ObjectRequest, kind: string, get: () => Promise<T>): Promise<T> => {
    const key = `${kind}/${request.name}/${request.version}`;
    const known = reads.get(key) ?? withRetries(get, { ...options, signal });
    reads.set(key, known);
    return known as Promise<T>;
  };
  const secretOf = (request: ObjectRequest) =>
    read(request, 'secret', () => vault.getSecret(request.name, request.version, signal));

  const one = async (request: ObjectRequest): Promise<FetchedObject> => {
    const { name, version } = request;
    switch (request.type) {
      case 'secret': {
        const secret = await secretOf(request);
        return { request, content: await secretContent(request, secret), version: secret.version ?? '' };
      }
      case 'key': {
        const key = await read(request, 'key', () => vault.getKey(name, version, signal));
        return { request, content: keyContent(request, key), version: key.version ?? '' };
      }
      case 'cert': {
        const certificate = await read(request, 'cert', () => vault.getCertificate(name, version, signal));
        // The version just seen, so that a renewal in between mixes nothing.
        const own = certificate.version ?? version;
        const content = await certificateContent(request, certificate, () => secretOf({ ...request, version: own }));
        return { request, content, version: own };
      }
    }
  };

  const results: FetchedObject[] = new Array(objects.length);
  const queue = objects.entries();
  const worker = async () => {
    for (const [index, request] of queue) {
      signal.throwIfAborted();
      results[index] = await one(request);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, objects.length) }, worker));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return results;
}

async function withRetries<T>(get: () => Promise<T>, options: FetchOptions): Promise<T> {
  const { clock, signal, deadline } = options;
  for (let attempt = 0; ; attempt++) {
    try {
      return await get();
    } catch (error) {
      if (signal.aborted || !(error instanceof AzimuthError) || !passes(error)) throw error;
      const wait = error.retryAfterMs ?? backoff(attempt, { initialMs: 500, maxMs: 16_000 });
      if (clock.monotonic() + wait >= deadline) {
        const seconds = Math.ceil(wait / 1000);
        throw new AzimuthError(
          error.code,
          `${messageOf(error)}; not tried again within this call: the next try is due in ${seconds} s`,
          {
            cause: error,
            retryAfterMs: wait,
          },
        );
      }
      await clock.sleep(wait, signal).catch(() => {
        // Why the object is not there tells more than that time is up.
        throw error;
      });
    }
  }
}

/** Whether the same request can soon succeed with nobody changing anything. */
function passes(error: AzimuthError): boolean {
  if (error instanceof KeyVaultError) return error.status === 408 || error.status === 429 || error.status >= 500;
  return error.code === 'AZ_KEYVAULT_UNREACHABLE' || error.code === 'AZ_AUTH_UNREACHABLE';
}
