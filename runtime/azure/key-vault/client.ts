import { CertificateRequests } from './certificate-requests.ts';
import { KeyVaultError } from './error.ts';
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
import { objectName, versionName } from './vault-names.ts';
import { undefinedIfAbsent, type VaultJson, type VaultOptions, VaultRequests } from './vault-requests.ts';

/** The content of a new version of a secret. */
export interface SecretContent {
  readonly value: string;
  readonly contentType?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  /** Milliseconds since the epoch; Key Vault keeps whole seconds. */
  readonly notBefore?: number;
  readonly expires?: number;
}

/**
 * The data plane of one vault. Each call gets a new token; the vault's first 401 names its audience and tenant. Throws
 * KeyVaultError for a refusal, and AZ_KEYVAULT_UNREACHABLE without an answer.
 */
export class KeyVault {
  readonly url: URL;
  /** Requests to issue certificates. */
  readonly certificates: CertificateRequests;
  readonly #requests: VaultRequests;

  constructor(options: VaultOptions) {
    this.#requests = new VaultRequests(options);
    this.url = this.#requests.url;
    this.certificates = new CertificateRequests(this.#requests);
  }

  /** The newest version without `version`. */
  async getSecret(name: string, version?: string, signal?: AbortSignal): Promise<VaultSecret> {
    return vaultSecret(await this.#requests.get('secrets', name, version, signal));
  }

  async getKey(name: string, version?: string, signal?: AbortSignal): Promise<VaultKey> {
    return vaultKey(await this.#requests.get('keys', name, version, signal));
  }

  async getCertificate(name: string, version?: string, signal?: AbortSignal): Promise<VaultCertificate> {
    return vaultCertificate(await this.#requests.get('certificates', name, version, signal));
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
    return this.#requests.list({ objects: collection, permission: 'list' }, `/${collection}`, signal);
  }

  /** All versions of an object, newest first (the service's own order means nothing). */
  async listVersions(collection: VaultCollection, name: string, signal?: AbortSignal): Promise<VaultItem[]> {
    const path = `/${collection}/${objectName(name)}/versions`;
    const items = await this.#requests.list({ objects: collection, permission: 'list', name }, path, signal);
    return items.sort((a, b) => (b.created ?? 0) - (a.created ?? 0));
  }

  /**
   * Writes a new version. A soft-deleted secret of that name is recovered first unless `recover` is false. Errors hide the
   * value and the texts in `hidden`, such as parts of the value.
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
    const put = () => this.#requests.send(action, 'PUT', path, body, signal, [value, ...hidden]);
    return vaultSecret(await this.#overDeleted('secrets', name, put, options.recover ?? true, signal));
  }

  /** Changes attributes and tags of a version, not its value; Key Vault makes no new version. */
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
    await this.#requests.send(action, 'PATCH', path, { tags, attributes }, signal);
  }

  /** Enables or disables a version; the vault returns no value of a disabled secret. */
  async setEnabled(
    collection: 'secrets' | 'certificates',
    name: string,
    version: string,
    enabled: boolean,
    signal?: AbortSignal,
  ): Promise<void> {
    const action = { objects: collection, permission: collection === 'secrets' ? 'set' : 'update', name } as const;
    const path = `/${collection}/${objectName(name)}/${versionName(version)}`;
    await this.#requests.send(action, 'PATCH', path, { attributes: { enabled } }, signal);
  }

  /** A soft-deleted object, without content; undefined where there is none of that name. */
  async tryGetDeleted(collection: VaultCollection, name: string, signal?: AbortSignal): Promise<VaultItem | undefined> {
    const action = { objects: collection, permission: 'get', name } as const;
    const path = `/deleted${collection}/${objectName(name)}`;
    const secret = await undefinedIfAbsent(this.#requests.send(action, 'GET', path, undefined, signal));
    return secret && vaultItem(secret);
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
    const post = () => this.#requests.send(action, 'POST', path, body, options.signal, hidden);
    const result = await this.#overDeleted('certificates', name, post, options.recover ?? true, options.signal);
    return vaultCertificate(result);
  }

  /** Deletes all versions; with soft-delete they can be recovered until purged. An absent object is no error. */
  async delete(collection: VaultCollection, name: string, signal?: AbortSignal): Promise<void> {
    const action = { objects: collection, permission: 'delete', name } as const;
    await undefinedIfAbsent(
      this.#requests.send(action, 'DELETE', `/${collection}/${objectName(name)}`, undefined, signal),
    );
  }

  /** Brings a soft-deleted object back and waits until it can be read. */
  async recover(collection: VaultCollection, name: string, signal?: AbortSignal): Promise<void> {
    const action = { objects: collection, permission: 'recover', name } as const;
    await this.#requests.send(action, 'POST', `/deleted${collection}/${objectName(name)}/recover`, undefined, signal);
    await this.#requests.until(
      signal,
      async () => (await undefinedIfAbsent(this.#requests.get(collection, name, undefined, signal))) !== undefined,
    );
  }

  /**
   * Destroys a soft-deleted object for good. With `justDeleted` it first waits until the vault shows the deleted object;
   * otherwise an absent object is no error.
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
      await this.#requests.until(
        signal,
        async () => (await undefinedIfAbsent(this.#requests.send(get, 'GET', path, undefined, signal))) !== undefined,
      );
    }
    await undefinedIfAbsent(this.#requests.send(action, 'DELETE', path, undefined, signal));
  }

  /** Writes over a soft-deleted object: recovers it first, or waits until its deletion or recovery ends. */
  async #overDeleted(
    collection: VaultCollection,
    name: string,
    write: () => Promise<VaultJson>,
    recover: boolean,
    signal?: AbortSignal,
  ): Promise<VaultJson> {
    let result: VaultJson | undefined;
    await this.#requests.until(signal, async () => {
      try {
        result = await write();
        return true;
      } catch (error) {
        if (!(error instanceof KeyVaultError) || error.status !== 409) throw error;
        if (error.hasCode('ObjectIsDeletedButRecoverable') && recover) await this.recover(collection, name, signal);
        else if (!error.hasCode('ObjectIsBeingDeleted') && !error.hasCode('ObjectIsBeingRecovered')) throw error;
        else return false;
        result = await write();
        return true;
      }
    });
    return result as VaultJson;
  }
}
