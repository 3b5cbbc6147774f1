import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { httpCall } from '../../azure/http-call.ts';
import type { CloudEnvironment } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { isObject } from '../../base/json.ts';
import type { Logger } from '../../base/observability/log.ts';

/** Dependencies of SigningKeys. */
export interface SigningKeysDeps {
  readonly cloud: CloudEnvironment;
  readonly tenantId: string;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keys are read again after a day at most (facts/compute.md 6). */
const refreshMs = 86_400_000;
/** An unknown key id has the keys read again once in this time at most: callers choose the id. */
const unknownMs = 300_000;
/** Entra ID has fewer than ten. */
const mostKeys = 100;
const leastBits = 2048;

/**
 * The keys that sign the tokens of one tenant, by key id. Keys roll without notice: an unknown id has them read again,
 * and the keys in use stay while Microsoft Entra ID does not answer.
 */
export class SigningKeys {
  readonly #deps: SigningKeysDeps;
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #readAt: number | undefined;
  #unknownAt: number | undefined;
  #reading: Promise<void> | undefined;
  #problem = 'the signing keys of Microsoft Entra ID were not read yet';

  constructor(deps: SigningKeysDeps) {
    this.#deps = deps;
  }

  /** Readiness: why no token can be verified; undefined once keys were read. */
  problem(): string | undefined {
    return this.#readAt === undefined ? this.#problem : undefined;
  }

  /** The key of this id; undefined if the tenant has none. */
  async tryKey(keyId: string): Promise<KeyObject | undefined> {
    const signingKey = this.#keys.get(keyId);
    if (signingKey) return signingKey;
    const now = this.#deps.clock.monotonic();
    if (this.#readAt === undefined || now - (this.#unknownAt ?? Number.NEGATIVE_INFINITY) < unknownMs) return undefined;
    this.#unknownAt = now;
    await this.#read().catch((error) => {
      this.#deps.log.warn({ error: messageOf(error) }, 'the signing keys cannot be read for an unknown key id');
    });
    return this.#keys.get(keyId);
  }

  /** Reads the keys now and every day until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#read();
        failures = 0;
      } catch (error) {
        failures++;
        this.#problem = messageOf(error);
        log.warn({ error: messageOf(error) }, 'the signing keys cannot be read');
      }
      const delay = failures === 0 ? refreshMs : backoff(failures - 1, { initialMs: 1000, maxMs: 60_000 });
      await clock.sleep(delay, signal).catch(() => undefined);
    }
  }

  /** One request for all callers at a time. */
  #read(): Promise<void> {
    this.#reading ??= this.#fetch().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #fetch(): Promise<void> {
    const { cloud, tenantId, clock } = this.#deps;
    const base = `${cloud.authorityHost}/${tenantId}/v2.0`;
    const configuration = await this.#json(`${base}/.well-known/openid-configuration`);
    const url = configuration['jwks_uri'];
    if (typeof url !== 'string' || URL.parse(url)?.origin !== new URL(base).origin)
      throw new AzimuthError('AZ_AUTH_FAILED', `${base} names a jwks_uri that is not of the same host`);
    const { keys } = await this.#json(url);
    const publicKeys = new Map<string, KeyObject>();
    for (const key of Array.isArray(keys) ? keys.slice(0, mostKeys) : []) {
      const [id, read] = keyOf(key) ?? [];
      if (id !== undefined && read) publicKeys.set(id, read);
    }
    if (publicKeys.size === 0) throw new AzimuthError('AZ_AUTH_FAILED', `${url} lists no RSA key that signs`);
    this.#keys = publicKeys;
    this.#readAt = clock.monotonic();
  }

  async #json(url: string): Promise<Record<string, unknown>> {
    const { dispatcher } = this.#deps;
    let answer: Awaited<ReturnType<typeof httpCall>>;
    try {
      answer = await httpCall(dispatcher, { method: 'GET', url, headers: {}, maxBytes: 1024 * 1024 });
    } catch (cause) {
      throw new AzimuthError('AZ_AUTH_UNREACHABLE', `${url} did not answer: ${messageOf(cause)}`, { cause });
    }
    if (answer.status === 200 && isObject(answer.body)) return answer.body;
    throw new AzimuthError('AZ_AUTH_FAILED', `${url} answered ${answer.status} in place of a JSON document`);
  }
}

/** Undefined for keys that encrypt, are too short or are not RSA. */
function keyOf(value: unknown): [id: string, key: KeyObject] | undefined {
  if (!isObject(value)) return undefined;
  const { kid, kty, use, n, e } = value;
  if (kty !== 'RSA' || (use !== undefined && use !== 'sig') || typeof kid !== 'string') return undefined;
  if (typeof n !== 'string' || typeof e !== 'string') return undefined;
  try {
    const key = createPublicKey({ key: { kty, n, e } satisfies JsonWebKey, format: 'jwk' });
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= leastBits ? [kid, key] : undefined;
  } catch {
    return undefined;
  }
}
