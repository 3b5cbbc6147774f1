import { credentialFinalizer, operatorName } from '../../arm-kinds/names.ts';
import type { Cache } from '../../kube/cache/types.ts';
import { namespacesType, secretsType } from '../../kube/client/core-types.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from '../../kube/controller/finalizers.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import type { OwnWrites } from '../references/own-writes.ts';

/**
 * The finalizer that keeps the Secret of a credential while objects use it. Deleting a namespace deletes its Secrets
 * at once, but the operator still needs the credential to delete the resources in Azure. In a namespace that stays,
 * the operator removes the finalizer as soon as somebody deletes the Secret.
 */
export class CredentialFinalizers {
  readonly #client: KubeClient;
  readonly #objects: ObjectIndex;
  /** Metadata of all Secrets. */
  readonly #secrets: Cache;
  readonly #ownWrites: OwnWrites;

  constructor(client: KubeClient, objects: ObjectIndex, secrets: Cache, ownWrites: OwnWrites) {
    this.#ownWrites = ownWrites;
    this.#client = client;
    this.#objects = objects;
    this.#secrets = secrets;
  }

  /** Adds the finalizer if it is missing; the API server refuses it for a Secret that is being deleted. */
  async ensure(secret: KubeObject, signal: AbortSignal): Promise<void> {
    if (hasFinalizer(secret, credentialFinalizer)) return;
    const options = { fieldManager: operatorName, signal };
    this.#ownWrites.record(await addFinalizer(this.#client, secretsType, secret, credentialFinalizer, options));
  }

  /**
   * Whether only this finalizer keeps the Secret, in a namespace that stays: the Secret counts as deleted, and the
   * finalizer is removed.
   */
  async isGone(secret: KubeObject, signal: AbortSignal): Promise<boolean> {
    if (!secret.metadata.deletionTimestamp) return false;
    const { namespace = '' } = secret.metadata;
    const around = await this.#client.tryGet(namespacesType, { name: namespace }, signal);
    if (around?.metadata.deletionTimestamp) return false;
    await this.#remove(secret, signal);
    return true;
  }

  /** Removes the finalizer from the Secret `namespace/name` if no object but the one given uses it. */
  async removeIfUnused(source: string | undefined, signal: AbortSignal, except?: string): Promise<void> {
    const [namespace = '', name] = source?.split('/') ?? [];
    if (name === undefined) return;
    if (this.#objects.usesCredential(`${namespace}/${name}`, except)) return;
    const secret = await this.#client.tryGet(secretsType, { namespace, name }, signal);
    if (secret) await this.#remove(secret, signal);
  }

  /**
   * Removes the finalizer from every Secret that no object uses. Calls `catchUp` before the first one: an object that a
   * late cache does not show may use it.
   */
  async removeUnused(signal: AbortSignal, catchUp: () => Promise<void>): Promise<void> {
    const unused = this.#secrets
      .list()
      .filter((secret) => hasFinalizer(secret, credentialFinalizer))
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .filter((source) => !this.#objects.usesCredential(source));
    if (unused.length === 0) return;
    await catchUp();
    for (const source of unused) await this.removeIfUnused(source, signal);
  }

  async #remove(secret: KubeObject, signal: AbortSignal): Promise<void> {
    const options = { fieldManager: operatorName, signal };
    await removeFinalizer(this.#client, secretsType, secret, credentialFinalizer, options);
  }
}
