import type { AttachmentReference } from './attachment-reference.ts';

/** How an assignment refers to an identity on a machine: attach it, or only leave it attached. */
export type AttachmentRole = 'attach' | 'keep';

/** Keys of the assignments that refer to one identity on one machine. */
export interface AttachmentUsers {
  readonly attach: Set<string>;
  readonly keep: Set<string>;
}

/**
 * Which identities the assignments of a machine need, by machine and identity. It follows from pods, bindings and
 * AzureIdentities alone: nothing that an AzureAssignedIdentity says attaches or detaches anything.
 */
export class AttachmentIndex {
  readonly #machines = new Map<string, Map<string, AttachmentUsers>>();

  /** Users by identity. */
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

  add({ machine, identity }: AttachmentReference, role: AttachmentRole, key: string): void {
    const identities = this.#machines.get(machine) ?? new Map<string, AttachmentUsers>();
    this.#machines.set(machine, identities);
    const users = identities.get(identity) ?? { attach: new Set(), keep: new Set() };
    identities.set(identity, users);
    users[role].add(key);
  }

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
