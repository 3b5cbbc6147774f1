import { createHmac, randomBytes } from 'node:crypto';
import { secretsType } from '../../arm-kinds/core-types.ts';
import { operatorName } from '../../arm-kinds/names.ts';
import { canonicalJson } from '../../base/json.ts';
import { isAlreadyExists } from '../../kube/client/status-error.ts';
import { apiVersionOf, type KubeClient, type KubeObject } from '../../kube/client/types.ts';

/** Secret of the operator's own namespace that holds the key. */
export const fingerprintSecret = 'azimuth-operator-fingerprints';
const member = 'key';

/**
 * Makes fingerprints of secret values that may be shown to everybody: whoever sees one in an annotation cannot try
 * passwords against it without the key, which lies in a Secret of the operator's namespace. The key outlives a restart,
 * so equal values have equal fingerprints then too. Deleted, it is made anew, and what has secret inputs is sent again.
 */
export class FingerprintKey {
  readonly #client: KubeClient;
  readonly #namespace: string;
  #key: Promise<Buffer> | undefined;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** 32 hexadecimal digits. */
  async of(values: unknown, signal: AbortSignal): Promise<string> {
    this.#key ??= this.#load(signal);
    const loading = this.#key;
    const key = await loading.catch((error: unknown) => {
      // The next one asks again.
      if (this.#key === loading) this.#key = undefined;
      throw error;
    });
    return createHmac('sha256', key).update(canonicalJson(values)).digest('hex').slice(0, 32);
  }

  async #load(signal: AbortSignal): Promise<Buffer> {
    const key = { namespace: this.#namespace, name: fingerprintSecret };
    const found = await this.#client.tryGet(secretsType, key, signal);
    if (found) return this.#read(found);
    const made = {
      apiVersion: apiVersionOf(secretsType),
      kind: secretsType.kind,
      metadata: key,
      type: 'Opaque',
      data: { [member]: randomBytes(32).toString('base64') },
    };
    try {
      return this.#read(
        await this.#client.create<KubeObject>(secretsType, made, { fieldManager: operatorName, signal }),
      );
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return this.#read(await this.#client.get(secretsType, key, signal));
    }
  }

  /** Any content serves as a key; an empty one would be no key. */
  async #read(secret: KubeObject): Promise<Buffer> {
    const bytes = Buffer.from(String((secret['data'] as Record<string, string> | undefined)?.[member] ?? ''), 'base64');
    if (bytes.length >= 16) return bytes;
    const data = { [member]: randomBytes(32).toString('base64') };
    const { namespace = '', name, uid, resourceVersion } = secret.metadata;
    const body = { metadata: { uid, resourceVersion }, data };
    const options = { fieldManager: operatorName };
    await this.#client.patch(secretsType, { namespace, name }, { type: 'merge', body }, options);
    return Buffer.from(data[member], 'base64');
  }
}
