import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import { secretsType } from '../client/core-types.ts';
import { isAlreadyExists } from '../client/status-error.ts';
import { apiVersionOf, type KubeClient, type KubeObject } from '../client/types.ts';

const member = 'key';
const leastBytes = 16;

/** Where a program keeps its key. */
export interface ProgramKeyOptions {
  readonly client: KubeClient;
  /** The program's own namespace: no tenant may read Secrets there. */
  readonly namespace: string;
  /** Name of the Secret. */
  readonly secretName: string;
  readonly fieldManager: string;
}

/**
 * A key that only one program knows: 32 random bytes in a Secret of its own namespace, created at the first use. The key
 * survives restarts. A deleted or emptied Secret gets a new key, which makes nothing valid that the old one signed.
 */
export class ProgramKey {
  readonly #options: ProgramKeyOptions;
  #key: Promise<KeyObject> | undefined;

  constructor(options: ProgramKeyOptions) {
    this.#options = options;
  }

  /** Reads the key, or creates it; later calls return the same one. Throws the error of the API server. */
  async load(signal?: AbortSignal): Promise<KeyObject> {
    this.#key ??= this.#load(signal);
    const loading = this.#key;
    return await loading.catch((error: unknown) => {
      // The next caller tries again.
      if (this.#key === loading) this.#key = undefined;
      throw error;
    });
  }

  async #load(signal: AbortSignal | undefined): Promise<KeyObject> {
    const { client, namespace, secretName, fieldManager } = this.#options;
    const key = { namespace, name: secretName };
    const stored = await client.tryGet(secretsType, key, signal);
    if (stored) return await this.#read(stored);
    const secret = {
      apiVersion: apiVersionOf(secretsType),
      kind: secretsType.kind,
      metadata: key,
      type: 'Opaque',
      data: { [member]: randomBytes(32).toString('base64') },
    };
    try {
      return await this.#read(await client.create<KubeObject>(secretsType, secret, { fieldManager, signal }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return await this.#read(await client.get(secretsType, key, signal));
    }
  }

  /** Replaces a key that is too short to be one. */
  async #read(secret: KubeObject): Promise<KeyObject> {
    const bytes = Buffer.from(String((secret['data'] as Record<string, string> | undefined)?.[member] ?? ''), 'base64');
    if (bytes.length >= leastBytes) return createSecretKey(bytes);
    const { client, namespace, secretName, fieldManager } = this.#options;
    const { uid, resourceVersion } = secret.metadata;
    const data = { [member]: randomBytes(32).toString('base64') };
    const body = { metadata: { uid, resourceVersion }, data };
    await client.patch(secretsType, { namespace, name: secretName }, { type: 'merge', body }, { fieldManager });
    return createSecretKey(data[member], 'base64');
  }
}

/**
 * HMAC-SHA-256 of a JSON value under the key. A KeyObject, because Node makes one of a Buffer at each call, which takes
 * three times as long as the signature of a record.
 */
export function hmacOf(key: KeyObject, value: unknown): Buffer {
  return createHmac('sha256', key).update(canonicalJson(value)).digest();
}
