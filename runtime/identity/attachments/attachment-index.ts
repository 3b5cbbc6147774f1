import type { AttachmentReference } from './attachment-reference.ts';

/** The role of an identity on a machine for an assignment: attach it, or only do not detach it. */
export type AttachmentRole = 'attach' | 'keep';

/** Keys of the assignments that refer to one identity on one machine. */
export interface AttachmentUsers {
  readonly attach: Set<string>;
  readonly keep: Set<string>;
}

/**
 * Which assignments need which identity on which machine. Computed from pods, bindings and AzureIdentities only: no
 * content of an AzureAssignedIdentity attaches or detaches anything.
 */
export class AttachmentIndex {
  readonly #machines = new Map<string, Map<string, AttachmentUsers>>();

  /** Users of a machine by identity. */
  of(machine: string): ReadonlyMap<string, AttachmentUsers> {
    return this.#machines.get(machine) ?? new Map();
  }

  /** Machines with at least one user. */
  machines(): IterableIterator<string> {
    return this.#machines.keys();
  }

  /** Number of machines with at least one user. */
  get size(): number {
    return this.#machines.size;
  }

  /** Adds the reference of the assignment with this key. */
  add({ machine, identity }: AttachmentReference, role: AttachmentRole, key: string): void {
    const identities = this.#machines.get(machine) ?? new Map<string, AttachmentUsers>();
    this.#machines.set(machine, identities);
    const users = identities.get(identity) ?? { attach: new Set(), keep: new Set() };
    identities.set(identity, users);
    users[role].add(key);
  }

  /** Removes the reference of the assignment with this key. */
  remove({ machine, identity }: AttachmentReference, role: AttachmentRole, key: string): void {
    const identities = this.#machines.get(machine);
    const users = identities?.get(identity);
    if (!identities || !users) return;
    users[role].delete(key);
    if (users.attach.size + users.keep.size > 0) return;
    identities.delete(identity);
    if (identities.size === 0) this.#machines.delete(machine);
  }
}
