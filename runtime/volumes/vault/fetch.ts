import type { KeyVault } from '../../azure/key-vault/client.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import type {
  VaultCertificate,
  VaultCollection,
  VaultItem,
  VaultKey,
  VaultSecret,
} from '../../azure/key-vault/vault-items.ts';
import { abortWith } from '../../base/abort.ts';
import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { VolumeObject } from '../options/volume-spec.ts';
import { type Convert, convertInTurn, VolumeSize } from './conversion.ts';
import { certificateContent, keyContent, needsChain, secretContent } from './formats.ts';
import { jsonMemberContent } from './json-member.ts';
import type { ReadKeyAndChain } from './key-and-chain.ts';

/** A version in the list of an object; the agent keeps the lists of many objects at a time. */
export type ListedVersion = Pick<VaultItem, 'version' | 'enabled' | 'created'>;

/** An object in the list of a vault. */
export type ListedObject = Pick<VaultItem, 'name' | 'enabled' | 'managed' | 'tags'>;

/** How to read a vault: its client, time limits and concurrency. */
export interface FetchOptions {
  readonly vault: KeyVault;
  readonly clock: Clock;
  /** Aborts all requests; callers get its reason. */
  readonly signal: AbortSignal;
  /** When `signal` will abort, in the clock's `monotonic` milliseconds; retries do not wait beyond it. */
  readonly deadline: number;
  /** Concurrent objects. @default 8 */
  readonly concurrency?: number;
  /** Schedules conversions. @default convertInTurn */
  readonly convert?: Convert;
  /** Reads PEM and PKCS#12. @default readKeyAndChain, in this process */
  readonly readKeyAndChain?: ReadKeyAndChain;
  /** Called after each object, or list of its versions. */
  readonly onRead?: () => void;
}

/** The file content of one object. */
export interface FetchedObject {
  readonly request: VolumeObject;
  readonly content: Buffer;
  /** Version id of the object that was read. */
  readonly version: string;
}

/** Reads a vault for a mount. Retries transient failures, and requests each object once. */
export interface VaultReader {
  /** `version` '' = the latest, here and below. */
  secret(name: string, version: string): Promise<VaultSecret>;
  key(name: string, version: string): Promise<VaultKey>;
  certificate(name: string, version: string): Promise<VaultCertificate>;
  /** The versions of an object, newest first. */
  versions(collection: VaultCollection, name: string): Promise<readonly ListedVersion[]>;
  /** All objects of a collection; its permission is `list`. */
  objects(collection: VaultCollection): Promise<readonly ListedObject[]>;
}

/**
 * Calls `make` for each request, several at a time; results have the order of the requests. The reader retries
 * transient failures (no answer, 408, 429, 5xx) after Retry-After or with exponential backoff. The first failed
 * request aborts the others.
 */
export async function readEach<R, T>(
  requests: readonly R[],
  make: (request: R, reader: VaultReader) => Promise<T>,
  options: FetchOptions,
): Promise<T[]> {
  const { concurrency = 8 } = options;
  const failed = new AbortController();
  const unlink = abortWith(failed, options.signal);
  const { signal } = failed;
  const reader = vaultReader({ ...options, signal });
  const results: T[] = new Array(requests.length);
  const queue = requests.entries();
  const worker = async () => {
    for (const [index, request] of queue) {
      signal.throwIfAborted();
      results[index] = await make(request, reader);
      options.onRead?.();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, worker));
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    unlink();
  }
  return results;
}

/**
 * Reads the objects of a FlexVolume, of at most `mostBytes` together. Converts an object with several aliases once;
 * its files share the bytes. Throws AZ_VOLUME_MOUNT above `mostBytes`.
 */
export function fetchObjects(
  objects: readonly VolumeObject[],
  mostBytes: number,
  options: FetchOptions,
): Promise<FetchedObject[]> {
  const size = new VolumeSize(mostBytes);
  const contents = new Map<string, Promise<Omit<FetchedObject, 'request'>>>();
  const fetch = async (request: VolumeObject, reader: VaultReader): Promise<FetchedObject> => {
    const { type, name, version, format, encoding, jsonKey } = request;
    const key = JSON.stringify([type, name, version, format, encoding, jsonKey]);
    const content = contents.get(key) ?? fetchObject(request, reader, options);
    contents.set(key, content);
    const fetched = await content;
    size.add(fetched.content.length);
    return { request, ...fetched };
  };
  return readEach(objects, fetch, options);
}

async function fetchObject(
  request: VolumeObject,
  reader: VaultReader,
  { convert = convertInTurn, readKeyAndChain }: FetchOptions,
): Promise<Omit<FetchedObject, 'request'>> {
  const { name, version, type } = request;
  switch (type) {
    case 'secret': {
      const secret = await reader.secret(name, version);
      return {
        content: await convert(() =>
          request.jsonKey === undefined
            ? secretContent(request, secret, readKeyAndChain)
            : jsonMemberContent(request, secret, request.jsonKey),
        ),
        version: secret.version ?? '',
      };
    }
    case 'key': {
      const key = await reader.key(name, version);
      return { content: await convert(() => keyContent(request, key)), version: key.version ?? '' };
    }
    case 'cert': {
      const certificate = await reader.certificate(name, version);
      // The same version, so that a renewal in between mixes no two.
      const certificateVersion = certificate.version ?? version;
      const secret = needsChain(request, certificate) ? await reader.secret(name, certificateVersion) : undefined;
      const content = await convert(() => certificateContent(request, certificate, secret, readKeyAndChain));
      return { content, version: certificateVersion };
    }
  }
}

function vaultReader(options: FetchOptions): VaultReader {
  const { vault, signal } = options;
  const reads = new Map<string, Promise<unknown>>();
  const failing = new Map<string, AzimuthError>();
  const read = <T>(key: string, get: () => Promise<T>): Promise<T> => {
    const reading = reads.get(key) ?? withRetries(key, get, { ...options, failing });
    reads.set(key, reading);
    return reading as Promise<T>;
  };
  return {
    secret: (name, version) => read(`secret/${name}/${version}`, () => vault.getSecret(name, version, signal)),
    key: (name, version) => read(`key/${name}/${version}`, () => vault.getKey(name, version, signal)),
    certificate: (name, version) =>
      read(`certificate/${name}/${version}`, () => vault.getCertificate(name, version, signal)),
    versions: (collection, name) =>
      read(`${collection}/${name}`, async () => {
        const all = await vault.listVersions(collection, name, signal);
        return all.map(({ version, enabled, created }) => ({ version, enabled, created }));
      }),
    objects: (collection) =>
      read(collection, async () => {
        const all = await vault.list(collection, signal);
        return all.map(({ name, enabled, managed, tags }) => ({ name, enabled, managed, tags }));
      }),
  };
}

/** Retries `get`. `failing`: last error of each read that is being retried, by its key. */
async function withRetries<T>(
  key: string,
  get: () => Promise<T>,
  options: FetchOptions & { readonly failing: Map<string, AzimuthError> },
): Promise<T> {
  const { clock, signal, deadline, failing } = options;
  for (let attempt = 0; ; attempt++) {
    try {
      const value = await get();
      failing.delete(key);
      return value;
    } catch (error) {
      if (signal.aborted) throw interrupted(signal.reason, error === signal.reason ? lastOf(failing) : error);
      if (!(error instanceof AzimuthError) || !passes(error)) throw error;
      failing.set(key, error);
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
      await clock.sleep(wait, signal).catch((reason: unknown) => {
        throw interrupted(reason, error);
      });
    }
  }
}

/** The reason of the abort, prefixed with the failure before it, which is the one to fix. */
function interrupted(reason: unknown, failure: unknown): unknown {
  if (!(failure instanceof AzimuthError)) return reason;
  const { code, retryable, retryAfterMs } = failure;
  const text = `${messageOf(failure)}; what ended the call: ${messageOf(reason)}`;
  return new AzimuthError(code, text, { cause: failure, retryable, retryAfterMs });
}

function lastOf<T>(values: ReadonlyMap<unknown, T>): T | undefined {
  return [...values.values()].at(-1);
}

/** Whether the same request may soon succeed without a change. */
function passes(error: AzimuthError): boolean {
  if (error instanceof KeyVaultError) return error.status === 408 || error.status === 429 || error.status >= 500;
  if (error.code !== 'AZ_KEYVAULT_UNREACHABLE' && error.code !== 'AZ_AUTH_UNREACHABLE') return false;
  return !isUnknownHost(error);
}

/** Whether DNS has no such name, which waiting does not fix. EAI_AGAIN, no answer of DNS, is transient. */
function isUnknownHost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (['ENOTFOUND', 'DNS_ENOTFOUND'].includes(String((cause as NodeJS.ErrnoException).code))) return true;
  }
  return false;
}
