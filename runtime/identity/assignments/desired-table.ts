import { keyOf } from '../../kube/client/types.ts';
import { AttachmentIndex } from '../attachments/attachment-index.ts';
import { type Desired, rolesOf } from './desired.ts';

/** The desired assignments by key, and the attachment references that follow from them. */
export class DesiredTable {
  /**
   * Several pods may need the same name, because it joins its parts by '-': the first pod by namespace and name gets
   * it.
   */
  readonly #byKey = new Map<string, Desired[]>();
  /** The identities that the assignments need, by machine. */
  readonly index = new AttachmentIndex();

  /** Number of keys. */
  get size(): number {
    return this.#byKey.size;
  }

  /** All keys. */
  keys(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  /** The assignments of a key; the first one has the AzureAssignedIdentity. */
  of(key: string): readonly Desired[] {
    return this.#byKey.get(key) ?? [];
  }

  /** Adds an assignment and its references. */
  add(desired: Desired): void {
    const list = [...(this.#byKey.get(desired.key) ?? []), desired];
    this.#byKey.set(
      desired.key,
      list.sort((a, b) => (keyOf(a.pod) < keyOf(b.pod) ? -1 : 1)),
    );
    for (const [reference, role] of rolesOf(desired)) this.index.add(reference, role, desired.key);
  }

  /** Removes an assignment and its references. */
  remove(desired: Desired): void {
    const left = (this.#byKey.get(desired.key) ?? []).filter((each) => each !== desired);
    if (left.length === 0) this.#byKey.delete(desired.key);
    else this.#byKey.set(desired.key, left);
    for (const [reference, role] of rolesOf(desired)) this.index.remove(reference, role, desired.key);
    // Another pod with the same assignment name may need the same reference.
    for (const other of left) {
      for (const [reference, role] of rolesOf(other)) this.index.add(reference, role, other.key);
    }
  }
}
