import { credentialFinalizer, operatorName } from '../../arm-kinds/names.ts';
import type { Cache } from '../../kube/cache/types.ts';
import { namespacesType, secretsType } from '../../kube/client/core-types.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from '../../kube/controller/finalizers.ts';
import type { OperatorContext } from '../reconcile/dependencies.ts';
import type { Stores } from '../references/object-index.ts';

/**
 * Keeps a Secret with a credential while resources made with it are to be deleted: a namespace that is deleted takes its
 * Secrets at once, but its objects only when Azure has let go of theirs. A finalizer holds such a Secret as long as
 * objects use it; it holds nothing in a namespace that stays, where whoever deletes a credential wants it gone.
 */
export class CredentialHolds {
  readonly #client: KubeClient;
  readonly #stores: Stores;
  /** Names of the Secrets there are. */
  readonly #secrets: Cache;
  readonly #wrote: OperatorContext['wrote'];

  constructor(client: KubeClient, stores: Stores, secrets: Cache, wrote: OperatorContext['wrote']) {
    this.#wrote = wrote;
    this.#client = client;
    this.#stores = stores;
    this.#secrets = secrets;
  }

  /** Adds the finalizer where it is missing; a Secret that is on its way out takes none. */
  async hold(secret: KubeObject, signal: AbortSignal): Promise<void> {
    if (hasFinalizer(secret, credentialFinalizer)) return;
    const options = { fieldManager: operatorName, signal };
    const { metadata } = await addFinalizer(this.#client, secretsType, secret, credentialFinalizer, options);
    this.#wrote('Secret', metadata.namespace ?? '', metadata.name, metadata.resourceVersion ?? '');
  }

  /** Whether a Secret is kept only for us, in a namespace that goes on: it counts as gone. Lets go of it then. */
  async isGone(secret: KubeObject, signal: AbortSignal): Promise<boolean> {
    if (!secret.metadata.deletionTimestamp) return false;
    const { namespace = '' } = secret.metadata;
    const around = await this.#client.tryGet(namespacesType, { name: namespace }, signal);
    if (around?.metadata.deletionTimestamp) return false;
    await this.#letGo(secret, signal);
    return true;
  }

  /** Lets go of the Secret `namespace/name` if no object but the one given uses it. */
  async release(source: string | undefined, signal: AbortSignal, except?: string): Promise<void> {
    const [namespace = '', name] = source?.split('/') ?? [];
    if (name === undefined) return;
    if (this.#stores.usesCredential(`${namespace}/${name}`, except)) return;
    const secret = await this.#client.tryGet(secretsType, { namespace, name }, signal);
    if (secret) await this.#letGo(secret, signal);
  }

  /** Lets go of every Secret that nobody uses any more, whoever held it. */
  async sweep(signal: AbortSignal): Promise<void> {
    for (const secret of this.#secrets.list()) {
      const { namespace, name } = secret.metadata;
      if (hasFinalizer(secret, credentialFinalizer)) await this.release(`${namespace}/${name}`, signal);
    }
  }

  async #letGo(secret: KubeObject, signal: AbortSignal): Promise<void> {
    const options = { fieldManager: operatorName, signal };
    await removeFinalizer(this.#client, secretsType, secret, credentialFinalizer, options);
  }
}
