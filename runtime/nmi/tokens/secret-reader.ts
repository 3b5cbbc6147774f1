import { LRUCache } from 'lru-cache';
import { type AzureIdentitySpec, identityType } from '../../api/pod-identity/azure-identity.ts';
import { type IdentitySecret, readIdentitySecret } from '../../azure/identity/identity-secret.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import { TimeCredit } from '../../base/isolation/time-credit.ts';
import { SharedCache } from '../../base/shared-cache.ts';
import { isNotFound, KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';
import { ByNamespace } from '../by-namespace.ts';
import { secretsType } from '../objects.ts';

/** How Secrets are read. */
export interface SecretReaderDeps {
  readonly client: KubeClient;
  /** @default systemClock */
  readonly clock?: Clock;
  /** How old a copy may be before it is read again, milliseconds. @default 10000 */
  readonly refreshMs?: number;
  /** Called for each failed read, for metrics. */
  readonly onError?: () => void;
}

/** What identities use of a Secret. The rest is not kept: a Secret may have a megabyte. */
interface Content {
  readonly secret: IdentitySecret;
  readonly certificate: IdentitySecret;
}

/** Most copies of the Secrets of one namespace. */
const maxCopies = 500;
/** Milliseconds of its namespace's time that a refused read counts for: 200 at once, later ones 50 a second. */
const refusedMs = 5;
const refusedCreditMs = 1000;
/** Least milliseconds between two reads of one Secret because of refusals of its credential. */
const minExpiryMs = 900;
/** Reads at a time, of all namespaces and of one: an answer may have a megabyte. */
const mostReads = { total: 8, perKey: 4 } as const;

/**
 * Reads the Secrets of identities in use by name, one GET each, so that the permission to `get` certain names is
 * enough. While the API server does not answer, the daemon uses the last copy.
 */
export class Secrets {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #onError: () => void;
  readonly #refused: TimeCredit;
  readonly #reads = new FairSemaphore(mostReads);
  /** Copies that need no new read yet. */
  readonly #fresh: ByNamespace<SharedCache<Content>>;
  /** The last copies, for the time when the API server does not answer. */
  readonly #last = new ByNamespace(() => new LRUCache<string, Content>({ max: maxCopies }));
  /** When a refusal last expired the copy, milliseconds of the monotonic clock. */
  readonly #expired = new ByNamespace(() => new LRUCache<string, number>({ max: maxCopies }));

  constructor(deps: SecretReaderDeps) {
    this.#client = deps.client;
    this.#onError = deps.onError ?? (() => undefined);
    const { refreshMs: ttlMs = 10_000, clock = systemClock } = deps;
    this.#clock = clock;
    this.#refused = new TimeCredit(clock, refusedCreditMs);
    this.#fresh = new ByNamespace(() => new SharedCache({ clock, ttlMs, maxEntries: maxCopies }));
  }

  /** Until when the daemon uses its copy without a GET, milliseconds since the epoch; 0 where it has none. */
  usedUntil({ clientPassword: { name, namespace } = {} }: AzureIdentitySpec): number {
    return (name && this.#fresh.of(namespace).keptUntil(name)) || 0;
  }

  /**
   * Makes the next read a GET, because Entra refused the credential: somebody may have changed the Secret. Once a second
   * for each Secret, whatever the pods ask for.
   */
  expire({ clientPassword: { name, namespace } = {} }: AzureIdentitySpec): void {
    if (!name) return;
    const expired = this.#expired.of(namespace);
    const now = this.#clock.monotonic();
    if (now - (expired.get(name) ?? Number.NEGATIVE_INFINITY) < minExpiryMs) return;
    expired.set(name, now);
    this.#fresh.of(namespace).delete(name);
  }

  /**
   * Reads the Secret of an identity of the namespace `owner`. After many refused reads the namespace waits: no refusal is
   * kept, and pods ask as often as they like. Throws AZ_REFERENCE_MISSING naming the Secret, AZ_CONFIG_INVALID where none
   * is named, or the client's errors.
   */
  async read(spec: AzureIdentitySpec, owner: string): Promise<IdentitySecret> {
    const { name, namespace } = spec.clientPassword ?? {};
    if (!name || !namespace) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        'Expected clientPassword of the AzureIdentity to name a Secret and its namespace',
      );
    }
    const id = `${namespace}/${name}`;
    const last = this.#last.of(namespace);
    const load = async () => {
      const loaded = contentOf(await this.#get({ namespace, name }, owner), id);
      last.set(name, loaded);
      return loaded;
    };
    let content: Content;
    try {
      content = await this.#fresh.of(namespace).get(name, load, () => Number.POSITIVE_INFINITY);
    } catch (error) {
      this.#onError();
      if (isNotFound(error)) {
        last.delete(name);
        throw new AzimuthError('AZ_REFERENCE_MISSING', `The Secret ${id} of the AzureIdentity does not exist`, {
          cause: error,
        });
      }
      const copy = last.get(name);
      // A refusal is an answer: the permission was removed.
      if (!copy || isRefusal(error)) throw error;
      content = copy;
    }
    return spec.type === identityType.servicePrincipalCertificate ? content.certificate : content.secret;
  }

  async #get(key: { readonly namespace: string; readonly name: string }, owner: string): Promise<KubeObject> {
    const waitMs = this.#refused.waitMs(owner);
    if (waitMs > 0) await this.#clock.sleep(waitMs);
    const limit = AbortSignal.timeout(10_000);
    try {
      return await this.#reads.run(owner, limit, () => this.#client.get(secretsType, key, limit));
    } catch (error) {
      if (isRefusal(error)) this.#refused.spend(owner, refusedMs);
      throw error;
    }
  }
}

/** The API server answered that the daemon does not get the Secret. */
function isRefusal(error: unknown): boolean {
  return error instanceof KubeStatusError && error.status < 500 && error.status !== 429;
}

/** Without a closure over the Secret: the errors in the result keep the functions of their stack, and what these hold. */
function contentOf(secret: KubeObject, id: string): Content {
  const data = (secret['data'] ?? {}) as Record<string, string>;
  return {
    secret: readIdentitySecret(data, identityType.servicePrincipal, id),
    certificate: readIdentitySecret(data, identityType.servicePrincipalCertificate, id),
  };
}
