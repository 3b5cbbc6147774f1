import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, expected } from '../../base/errors.ts';
import type { CloudEnvironment } from '../types.ts';
import { KeyVaultError, type VaultAction } from './error.ts';
import { type VaultMethod, VaultTransport, type VaultTransportOptions } from './transport.ts';
import {
  type VaultCertificate,
  type VaultCollection,
  type VaultItem,
  type VaultKey,
  type VaultSecret,
  vaultCertificate,
  vaultItem,
  vaultKey,
  vaultSecret,
} from './vault-items.ts';

/**
 * 7.4 has everything used here, and every cloud and emulator serves it; what 7.5 and 7.6 add concerns managed HSMs.
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
}

/** What `setSecret` writes. */
export interface SecretContent {
  readonly value: string;
  readonly contentType?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  /** Milliseconds since the epoch; Key Vault keeps whole seconds. */
  readonly notBefore?: number;
  readonly expires?: number;
}

const STATE_POLL_MS = 2000;

/** `https://<name>.<suffix>`, or the URL itself; https only. */
export function vaultUrl(vault: string, cloud: CloudEnvironment): URL {
  if (/^[A-Za-z0-9-]{3,24}$/.test(vault)) return new URL(`https://${vault}.${cloud.keyVaultDnsSuffix}`);
  // A URL drops controls and spaces silently, and takes `\\` for `/`.
  const url = vault.length > 300 || /[\s\p{Cc}\\?#%]/u.test(vault) ? null : URL.parse(vault);
  if (url?.protocol === 'https:' && url.username === '' && url.pathname === '/' && url.search === '') return url;
  throw expected('vault', 'a name of 3 to 24 letters, digits and hyphens, or an https URL without a path', vault);
}

/**
 * The data plane of one vault. Every call asks for a token of its own, after the vault has named (once) for which
 * audience and tenant. Refusals throw KeyVaultError, silence throws
 * AZ_KEYVAULT_UNREACHABLE.
 */
export class KeyVault {
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

  /** The newest version without `version`. */
  async getSecret(name: string, version?: string, signal?: AbortSignal): Promise<VaultSecret> {
    return vaultSecret(await this.#get('secrets', name, version, signal));
  }

  async getKey(name: string, version?: string, signal?: AbortSignal): Promise<VaultKey> {
    return vaultKey(await this.#get('keys', name, version, signal));
  }

  async getCertificate(name: string, version?: string, signal?: AbortSignal): Promise<VaultCertificate> {
    return vaultCertificate(await this.#get('certificates', name, version, signal));
  }

  /** Undefined where the object or version does not exist. */
  async tryGetSecret(name: string, version?: string, signal?: AbortSignal): Promise<VaultSecret | undefined> {
    return undefinedIfAbsent(this.getSecret(name, version, signal));
  }

  async tryGetCertificate(name: string, version?: string, signal?: AbortSignal): Promise<VaultCertificate | undefined> {
    return undefinedIfAbsent(this.getCertificate(name, version, signal));
  }

  /** All objects of a kind, without content. */
  list(collection: VaultCollection, signal?: AbortSignal): Promise<VaultItem[]> {
    return this.#pages({ objects: collection, permission: 'list' }, `/${collection}`, signal);
  }

  /** All versions of an object, newest first (the service's own order means nothing). */
  async listVersions(collection: VaultCollection, name: string, signal?: AbortSignal): Promise<VaultItem[]> {
    const path = `/${collection}/${objectName(name)}/versions`;
    const items = await this.#pages({ objects: collection, permission: 'list', name }, path, signal);
    return items.sort((a, b) => (b.created ?? 0) - (a.created ?? 0));
  }

  /**
   * Writes a new version. A soft-deleted secret of that name is recovered first unless `recover` is false. Neither the
   * value nor what is `hidden` besides, such as parts of it, occurs in an error.
   */
  async setSecret(
    name: string,
    content: SecretContent,
    options: { readonly recover?: boolean; readonly signal?: AbortSignal; readonly hidden?: readonly string[] } = {},
  ): Promise<VaultSecret> {
    const attributes = {
      enabled: content.enabled,
      nbf: content.notBefore === undefined ? undefined : Math.floor(content.notBefore / 1000),
      exp: content.expires === undefined ? undefined : Math.floor(content.expires / 1000),
    };
    const { value, contentType, tags } = content;
    const action = { objects: 'secrets', permission: 'set', name } as const;
    const path = `/secrets/${objectName(name)}`;
    const { signal, hidden = [] } = options;
    const body = { value, contentType, tags, attributes };
    const put = () => this.#call(action, 'PUT', path, body, signal, [value, ...hidden]);
    return vaultSecret(await this.#overDeleted('secrets', name, put, options.recover ?? true, signal));
  }

  /** Changes attributes and tags of a version, not its value: no new version comes of it. */
  async updateSecret(
    name: string,
    version: string,
    changes: { readonly expires?: number; readonly tags?: Readonly<Record<string, string>> },
    signal?: AbortSignal,
  ): Promise<void> {
    const { expires, tags } = changes;
    const attributes = expires === undefined ? undefined : { exp: Math.floor(expires / 1000) };
    const action = { objects: 'secrets', permission: 'set', name } as const;
    const path = `/secrets/${objectName(name)}/${versionName(version)}`;
    await this.#call(action, 'PATCH', path, { tags, attributes }, signal);
  }

  /** Imports a PKCS#12 (base64) or PEM certificate as a new version. */
  async importCertificate(
    name: string,
    content: { readonly value: string; readonly password?: string; readonly tags?: Readonly<Record<string, string>> },
    options: { readonly recover?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<VaultCertificate> {
    const body = { value: content.value, pwd: content.password, tags: content.tags };
    const action = { objects: 'certificates', permission: 'import', name } as const;
    const path = `/certificates/${objectName(name)}/import`;
    const hidden = [content.value, content.password ?? ''];
    const post = () => this.#call(action, 'POST', path, body, options.signal, hidden);
    const result = await this.#overDeleted('certificates', name, post, options.recover ?? true, options.signal);
    return vaultCertificate(result);
  }

  /** Deletes all versions; with soft-delete they can be recovered until purged. Absent objects are fine. */
  async delete(collection: VaultCollection, name: string, signal?: AbortSignal): Promise<void> {
    const action = { objects: collection, permission: 'delete', name } as const;
    await undefinedIfAbsent(this.#call(action, 'DELETE', `/${collection}/${objectName(name)}`, undefined, signal));
  }

  /** Brings a soft-deleted object back and waits until it can be read. */
  async recover(collection: VaultCollection, name: string, signal?: AbortSignal): Promise<void> {
    const action = { objects: collection, permission: 'recover', name } as const;
    await this.#call(action, 'POST', `/deleted${collection}/${objectName(name)}/recover`, undefined, signal);
    await this.#until(
      signal,
      async () => (await undefinedIfAbsent(this.#get(collection, name, undefined, signal))) !== undefined,
    );
  }

  /**
   * Destroys a soft-deleted object for good. Right after `delete` the vault may not show it yet, so absence is waited
   * out when `justDeleted`; otherwise an absent object is fine.
   */
  async purge(
    collection: VaultCollection,
    name: string,
    options: { readonly justDeleted?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const action = { objects: collection, permission: 'purge', name } as const;
    const path = `/deleted${collection}/${objectName(name)}`;
    const { signal } = options;
    if (options.justDeleted) {
      const get = { objects: collection, permission: 'get', name } as const;
      await this.#until(
        signal,
        async () => (await undefinedIfAbsent(this.#call(get, 'GET', path, undefined, signal))) !== undefined,
      );
    }
    await undefinedIfAbsent(this.#call(action, 'DELETE', path, undefined, signal));
  }

  async #overDeleted(
    collection: VaultCollection,
    name: string,
    write: () => Promise<Json>,
    recover: boolean,
    signal?: AbortSignal,
  ): Promise<Json> {
    let result: Json | undefined;
    await this.#until(signal, async () => {
      try {
        result = await write();
        return true;
      } catch (error) {
        if (!(error instanceof KeyVaultError) || error.status !== 409) throw error;
        if (error.says('ObjectIsDeletedButRecoverable') && recover) await this.recover(collection, name, signal);
        else if (!error.says('ObjectIsBeingDeleted') && !error.says('ObjectIsBeingRecovered')) throw error;
        else return false;
        result = await write();
        return true;
      }
    });
    return result as Json;
  }

  /** Repeats `attempt` until it gives true; what it throws ends it too. */
  async #until(signal: AbortSignal | undefined, attempt: () => Promise<boolean>): Promise<void> {
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

  #get(collection: VaultCollection, name: string, version?: string, signal?: AbortSignal): Promise<Json> {
    const path = `/${collection}/${objectName(name)}${version ? `/${versionName(version)}` : ''}`;
    return this.#call({ objects: collection, permission: 'get', name }, 'GET', path, undefined, signal);
  }

  async #pages(action: VaultAction, path: string, signal?: AbortSignal): Promise<VaultItem[]> {
    const items: VaultItem[] = [];
    const seen = new Set<string>();
    for (let next: URL | undefined = this.#urlOf(path); next; ) {
      seen.add(next.href);
      const page: Json = await this.#transport.send(action, 'GET', next, undefined, signal);
      for (const item of (page['value'] ?? []) as Json[]) items.push(vaultItem(item));
      next = this.#nextPage(page['nextLink'], seen);
    }
    return items;
  }

  /** A link is followed as it is, but only back to this vault: it carries a token. */
  #nextPage(link: unknown, seen: ReadonlySet<string>): URL | undefined {
    if (typeof link !== 'string' || link === '') return undefined;
    const url = URL.parse(link);
    if (url?.origin === this.url.origin && !seen.has(url.href)) return url;
    const reason = url?.origin === this.url.origin ? 'a page that was read already' : 'another host';
    throw new AzimuthError('AZ_KEYVAULT_REFUSED', `Key Vault ${this.url.hostname} continues its list at ${reason}`);
  }

  #urlOf(path: string): URL {
    const url = new URL(path, this.url);
    url.searchParams.set('api-version', this.#options.apiVersion ?? KEY_VAULT_API_VERSION);
    return url;
  }

  #call(
    action: VaultAction,
    method: VaultMethod,
    path: string,
    body: object | undefined,
    signal?: AbortSignal,
    hidden: readonly string[] = [],
  ): Promise<Json> {
    return this.#transport.send(action, method, this.#urlOf(path), body, signal, hidden);
  }
}

type Json = Readonly<Record<string, unknown>>;

async function undefinedIfAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof KeyVaultError && error.status === 404) return undefined;
    throw error;
  }
}

function versionName(version: string): string {
  if (/^[0-9A-Za-z]{1,64}$/.test(version)) return version;
  throw expected('version', 'the id of a version', version);
}

function objectName(name: string): string {
  if (!/^[0-9a-zA-Z-]{1,127}$/.test(name))
    throw expected('name of a vault object', 'up to 127 letters, digits and hyphens', name);
  return name;
}
