import type { KubeObject } from '../../kube/client/types.ts';
import { nodeOf } from '../objects/node-id.ts';

/** The versions of Secrets and ConfigMaps that the operator wrote itself, so that it can ignore their watch events. */
export class OwnWrites {
  readonly #versions = new Map<string, string | undefined>();

  /** Records an object as the API server returned it for the operator's write. */
  record(written: KubeObject): void {
    this.#versions.set(nodeOf(written), written.metadata.resourceVersion);
  }

  /** Whether this is the version that the operator wrote last. */
  includes(object: KubeObject): boolean {
    const version = this.#versions.get(nodeOf(object));
    return version !== undefined && version === object.metadata.resourceVersion;
  }

  /** Forgets all versions: after a restore of etcd, other writes get the same numbers. */
  clear(): void {
    this.#versions.clear();
  }

  /** Forgets a deleted object. */
  forget(object: KubeObject): void {
    this.#versions.delete(nodeOf(object));
  }
}
