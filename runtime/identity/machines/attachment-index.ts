import type { WatchedCache } from '../../kube/cache/types.ts';
import { keyOf } from '../../kube/client/types.ts';
import type { Desired, DesiredAssignments } from '../assignments/desired.ts';
import type { Assigned } from '../objects.ts';
import { allClaims, type Claim, ownClaim, sameClaim } from './attachment-reference.ts';

/** Assignments (by key) that have recorded a claim to one identity on one machine, by what shall become of it. */
export interface Holders {
  /** The identity shall be attached. */
  readonly attach: Set<string>;
  /** It serves until its successor is attached. */
  readonly serving: Set<string>;
  /** It is no longer of use to them. */
  readonly release: Set<string>;
  /** Client id of the identity, as the claims record it. */
  clientId: string;
}

type Role = 'attach' | 'serving' | 'release';

interface Entry {
  readonly claim: Claim;
  readonly role: Role;
}

/**
 * The claims that AzureAssignedIdentities record, by machine and identity: the reference count of attached identities.
 * Only what is recorded in the API counts, so that whoever starts after a crash finds the same.
 */
export class Ledger {
  readonly #cache: WatchedCache<Assigned>;
  readonly #desired: DesiredAssignments;
  readonly #entries = new Map<string, readonly Entry[]>();
  readonly #machines = new Map<string, Map<string, Holders>>();
  readonly #listeners = new Set<(machines: ReadonlySet<string>) => void>();
  readonly #heldListeners = new Set<(keys: ReadonlySet<string>) => void>();

  constructor(cache: WatchedCache<Assigned>, desired: DesiredAssignments) {
    this.#cache = cache;
    this.#desired = desired;
    cache.onChange((change) =>
      this.#update([keyOf(change.type === 'deleted' ? change.old : change.object)], new Set()),
    );
    desired.onChange((keys, machines) => this.#update(keys, machines));
  }

  /** Holders by identity. */
  of(machine: string): ReadonlyMap<string, Holders> {
    return this.#machines.get(machine) ?? new Map();
  }

  machines(): IterableIterator<string> {
    return this.#machines.keys();
  }

  /** Whether an assignment other than `key` has recorded that it needs the identity there. */
  heldByOthers({ machine, identity }: Claim, key: string): boolean {
    const holders = this.#machines.get(machine)?.get(identity);
    return holders !== undefined && (hasOther(holders.attach, key) || hasOther(holders.serving, key));
  }

  /** Hears which machines' holders may have changed. */
  onChange(listener: (machines: ReadonlySet<string>) => void): void {
    this.#listeners.add(listener);
  }

  /** Hears which assignments want to release what another one has just recorded that it needs. */
  onHeld(listener: (keys: ReadonlySet<string>) => void): () => void {
    this.#heldListeners.add(listener);
    return () => this.#heldListeners.delete(listener);
  }

  #update(keys: Iterable<string>, concerned: ReadonlySet<string>): void {
    const machines = new Set(concerned);
    const freed = new Set<string>();
    for (const key of keys) {
      for (const { claim, role } of this.#entries.get(key) ?? []) {
        machines.add(claim.machine);
        this.#remove(key, claim, role);
      }
      const entries = entriesOf(this.#cached(key), this.#desired.get(key));
      if (entries.length === 0) this.#entries.delete(key);
      else this.#entries.set(key, entries);
      for (const { claim, role } of entries) {
        machines.add(claim.machine);
        const holders = this.#holders(claim);
        holders[role].add(key);
        holders.clientId = claim.clientId || holders.clientId;
        if (role !== 'release') for (const each of holders.release) freed.add(each);
      }
    }
    if (freed.size > 0) for (const listener of this.#heldListeners) listener(freed);
    if (machines.size > 0) for (const listener of this.#listeners) listener(machines);
  }

  #cached(key: string): Assigned | undefined {
    const [namespace = '', name = ''] = key.split('/');
    return this.#cache.get({ namespace, name });
  }

  #holders({ machine, identity }: Claim): Holders {
    const identities = this.#machines.get(machine) ?? new Map<string, Holders>();
    this.#machines.set(machine, identities);
    const holders = identities.get(identity) ?? {
      attach: new Set(),
      serving: new Set(),
      release: new Set(),
      clientId: '',
    };
    identities.set(identity, holders);
    return holders;
  }

  #remove(key: string, { machine, identity }: Claim, role: Role): void {
    const identities = this.#machines.get(machine);
    const holders = identities?.get(identity);
    if (!identities || !holders) return;
    holders[role].delete(key);
    if (holders.attach.size + holders.serving.size + holders.release.size > 0) return;
    identities.delete(identity);
    if (identities.size === 0) this.#machines.delete(machine);
  }
}

function entriesOf(current: Assigned | undefined, desired: Desired | undefined): Entry[] {
  if (!current) return [];
  const going = !desired || current.metadata.deletionTimestamp !== undefined;
  // What it had is detached already.
  if (going && current.status?.status === 'Unassigned') return [];
  const own = ownClaim(current);
  const seen = new Set<string>();
  return allClaims(current).flatMap((claim): Entry[] => {
    const id = `${claim.machine} ${claim.identity}`;
    if (seen.has(id)) return [];
    seen.add(id);
    if (going) return [{ claim, role: 'release' }];
    if (sameClaim(claim, desired.claim)) return [{ claim, role: 'attach' }];
    return [{ claim, role: sameClaim(claim, own) ? 'serving' : 'release' }];
  });
}

function hasOther(keys: ReadonlySet<string>, key: string): boolean {
  return keys.size > (keys.has(key) ? 1 : 0);
}
