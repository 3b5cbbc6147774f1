import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { KeyVaultError, type VaultAction } from './error.ts';
import { type VaultAnswer, type VaultMethod, VaultTransport, type VaultTransportOptions } from './transport.ts';
import { type VaultCollection, type VaultItem, vaultItem } from './vault-items.ts';
import { objectName, vaultUrl, versionName } from './vault-names.ts';

/**
 * 7.4 has everything used here, and every cloud and emulator serves it; the additions of 7.5 and 7.6 concern managed
 * HSMs.
 */
export const KEY_VAULT_API_VERSION = '7.4';

/** Options of a client of one vault. */
export interface VaultOptions extends Omit<VaultTransportOptions, 'url'> {
  /** Name of a vault of `cloud`, or its URL. */
  readonly vault: string;
  /** @default KEY_VAULT_API_VERSION */
  readonly apiVersion?: string;
  /** Longest wait for a soft-deleted object to change its state, in milliseconds. @default 120000 */
  readonly maxStateWaitMs?: number;
  /**
   * Characters of all pages of a list. A tenant may give an object more versions than a program has memory for.
   * @default 4194304, some 13,000 versions of a secret: the daily ones of 36 years
   */
  readonly maxListCharacters?: number;
}

/** AZ_KEYVAULT_REFUSED: a list is longer than `maxListCharacters`. */
export class ListTooLong extends AzimuthError {
  constructor(host: string, path: string, characters: number) {
    const list = `Key Vault ${host} has more at ${path} than the ${characters / 1024 / 1024} MiB that are read`;
    const fix = path.endsWith('/versions')
      ? 'use a name with fewer versions'
      : 'name the objects, or use a smaller vault';
    super('AZ_KEYVAULT_REFUSED', `${list}: ${fix}`);
  }
}

/** A JSON object that Key Vault sent. */
export type VaultJson = Readonly<Record<string, unknown>>;

const STATE_POLL_MS = 2000;

/** What a page counts at least, since it costs a request; a page has 25 items at most. */
const leastCharacters = 2048;

/** Requests to one vault by path: pages of lists, and waits for a soft-deleted object to change its state. */
export class VaultRequests {
  readonly url: URL;
  readonly #options: VaultOptions;
  readonly #clock: Clock;
  readonly #transport: VaultTransport;

  constructor(options: VaultOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.url = vaultUrl(options.vault, options.cloud);
    this.#transport = new VaultTransport({ ...options, url: this.url });
  }

  /** The body that one request gets; `path` without the API version. Errors hide the values in `hidden`. */
  async send(
    action: VaultAction,
    method: VaultMethod,
    path: string,
    body: object | undefined,
    signal?: AbortSignal,
    hidden: readonly string[] = [],
  ): Promise<VaultJson> {
    return (await this.#transport.send(action, method, this.#urlOf(path), body, signal, hidden)).body;
  }

  /** The same with the time that the vault asks to wait. */
  answer(
    action: VaultAction,
    method: VaultMethod,
    path: string,
    body: object | undefined,
    signal?: AbortSignal,
  ): Promise<VaultAnswer> {
    return this.#transport.send(action, method, this.#urlOf(path), body, signal);
  }

  /** One object; the newest version without `version`. Throws AZ_KEYVAULT_UNREACHABLE for an answer that is none. */
  async get(collection: VaultCollection, name: string, version?: string, signal?: AbortSignal): Promise<VaultJson> {
    const path = `/${collection}/${objectName(name)}${version ? `/${versionName(version)}` : ''}`;
    const action = { objects: collection, permission: 'get', name } as const;
    const body = await this.send(action, 'GET', path, undefined, signal);
    if (vaultItem(body).id !== '') return body;
    const message = `What answered at ${this.url.hostname} is not Key Vault: its answer to GET ${path} has no id`;
    throw new AzimuthError('AZ_KEYVAULT_UNREACHABLE', message);
  }

  /** All pages of a list. Throws ListTooLong, and AZ_KEYVAULT_REFUSED for a list that leads back to an earlier page. */
  async list(action: VaultAction, path: string, signal?: AbortSignal): Promise<VaultItem[]> {
    const items: VaultItem[] = [];
    const seen = new Set<string>();
    const { maxListCharacters = 4 * 1024 * 1024 } = this.#options;
    let characters = 0;
    for (let next: URL | undefined = this.#urlOf(path); next; ) {
      seen.add(next.href);
      const { body: page, length } = await this.#transport.send(action, 'GET', next, undefined, signal);
      characters += Math.max(length, leastCharacters);
      if (characters > maxListCharacters) throw new ListTooLong(this.url.hostname, path, maxListCharacters);
      for (const item of listIn(page)) items.push(vaultItem(item));
      next = this.#nextPage(page['nextLink'], seen);
    }
    return items;
  }

  /** The next page. Its request carries a token, so the link must lead to this vault. */
  #nextPage(link: unknown, seen: ReadonlySet<string>): URL | undefined {
    if (typeof link !== 'string' || link === '') return undefined;
    const url = URL.parse(link);
    if (url?.origin === this.url.origin && !seen.has(url.href)) return url;
    const reason = url?.origin === this.url.origin ? 'a page that was read already' : 'another host';
    throw new AzimuthError('AZ_KEYVAULT_REFUSED', `Key Vault ${this.url.hostname} continues its list at ${reason}`);
  }

  /**
   * Repeats `attempt` until it returns true. Throws its error, and AZ_KEYVAULT_REFUSED after `maxStateWaitMs`.
   */
  async until(signal: AbortSignal | undefined, attempt: () => Promise<boolean>): Promise<void> {
    const deadline = this.#clock.now() + (this.#options.maxStateWaitMs ?? 120_000);
    while (!(await attempt())) {
      if (this.#clock.now() >= deadline) {
        throw new AzimuthError(
          'AZ_KEYVAULT_REFUSED',
          `Key Vault ${this.url.hostname} did not finish deleting or recovering an object in time; try again later`,
        );
      }
      await this.#clock.sleep(STATE_POLL_MS, signal);
    }
  }

  #urlOf(path: string): URL {
    const url = new URL(path, this.url);
    url.searchParams.set('api-version', this.#options.apiVersion ?? KEY_VAULT_API_VERSION);
    return url;
  }
}

/** The objects of a page; whatever else it has is none. */
function listIn({ value }: VaultJson): VaultJson[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The result, or undefined where the vault answers 404. */
export async function undefinedIfAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof KeyVaultError && error.status === 404) return undefined;
    throw error;
  }
}
