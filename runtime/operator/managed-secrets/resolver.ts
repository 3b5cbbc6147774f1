import type { ManagedSecretKind } from '../../api/machines/managed-secret-spec.ts';
import type { Delivery } from '../../api/machines/secret-references.ts';
import { locationKey } from '../../compute/features/features.ts';
import type { MachineIdentity, SecretVersion } from '../../compute/machines/machine-model.ts';
import { regionOf } from '../../compute/managed-secrets/rollout-state.ts';
import type { RolloutMachine } from '../../compute/managed-secrets/rollout-steps.ts';
import type { FeatureGates } from '../features/feature-gates.ts';
import type { Consumers, SecretListener, Users } from './secret-users.ts';

/** A ManagedSecret as resolved for a machine of its namespace, by location, from the last reads of this process. */
export interface ResolvedSecret {
  readonly kind: ManagedSecretKind;
  /** Number of the version, the same in every vault. */
  readonly number: number;
  /** The account that a password or key is for. */
  readonly userName?: string;
  /** The version in the vault of the machine's region; for VMAccess that of the protected settings. */
  readonly version?: SecretVersion;
  /** Of kind Identity: the current identity. */
  readonly identity?: MachineIdentity;
  /** Stale: the region has not got the newest version. */
  readonly state: 'Current' | 'Stale';
  /** Number of the newest version in the vault, which a reader without a version gets; undefined where it is this version. */
  readonly latest?: number;
}

/** A resolved secret, or why a machine has to wait: `reason` is a word for a condition. */
export type Resolution =
  | { readonly ok: true; readonly secret: ResolvedSecret }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** The state of the copy in one vault, as of its last read. */
export interface KnownCopy {
  readonly state: 'Current' | 'Stale' | 'Expired';
  /** Number of the newest version there that is enabled; undefined if there is none. */
  readonly number: number | undefined;
  readonly version: SecretVersion | undefined;
  /** The version with the protected settings of VMAccess of the same number. */
  readonly vmAccess: SecretVersion | undefined;
  /** Number of the newest version in the vault, which a reader without a version gets; undefined where it is this version. */
  readonly latest?: number;
  /** Why the copy is not Current. */
  readonly message?: string;
}

/** The controller's last reading of one ManagedSecret. */
export interface KnownSecret {
  readonly uid: string;
  readonly kind: ManagedSecretKind;
  readonly userName?: string;
  /** Number of the current version; undefined until there is one. */
  readonly number: number | undefined;
  /** When versions of the home vault end, by number, in milliseconds since the epoch. @default none ends */
  readonly ends?: Readonly<Record<number, number>>;
  /** By location in lower case, the home vault by that of the vault; a region's own copy goes first. */
  readonly copies: ReadonlyMap<string, KnownCopy>;
  readonly identity?: MachineIdentity;
  /** How far a new version is; undefined where versions go everywhere at once. */
  readonly rollout?: KnownRollout;
  /** Why no machine gets another version than it has. */
  readonly held?: { readonly reason: string; readonly message: string };
  /** Why there is no version. */
  readonly message?: string;
}

/** The version of each region, and the machines of one region that have the next one already. */
export interface KnownRollout {
  readonly home: string;
  readonly regions: Readonly<Record<string, number>>;
  readonly early?: { readonly location: string; readonly machines: readonly string[]; readonly copy: KnownCopy };
}

/** A machine that asks. */
export interface MachineConsumer {
  /** Region of the machine, in any spelling. */
  readonly location: string;
  readonly subscription: string;
  /** Name of its object. */
  readonly machine?: string;
  readonly delivery: Delivery;
}

/**
 * The ManagedSecrets as this process read them last from their vaults. Nothing here comes from a status, and nothing is
 * a value. Empty until the controller has run: machines then wait.
 */
export class ManagedSecrets {
  readonly #gates: Pick<FeatureGates, 'of'>;
  readonly #exists: (namespace: string, name: string) => boolean;
  readonly #known = new Map<string, KnownSecret>();
  readonly #listeners = new Set<SecretListener>();
  readonly #releaseListeners = new Set<SecretListener>();
  /** The last results of `usersOf`, by namespace and name. */
  readonly #seenUsers = new Map<string, Map<string, ReadonlySet<number> | undefined>>();
  #users: Users = () => undefined;
  #consumers: Consumers = () => undefined;

  /** `exists` says whether the cluster has the object. */
  constructor(gates: Pick<FeatureGates, 'of'>, exists: (namespace: string, name: string) => boolean) {
    this.#gates = gates;
    this.#exists = exists;
  }

  /** The secret for a machine, or the reason to wait. A closed gate of its subscription refuses every ManagedSecret. */
  resolve(namespace: string, name: string, request: MachineConsumer): Resolution {
    const gate = this.#gates.of(request.subscription);
    if (!gate.open) return { ok: false, reason: 'WaitingForFeature', message: gate.message };
    const knownSecret = this.#known.get(keyOf(namespace, name));
    if (!knownSecret) {
      if (!this.#exists(namespace, name))
        return refusal('ReferenceNotFound', `ManagedSecret ${name} does not exist in this namespace yet`);
      return refusal('SecretNotReady', `ManagedSecret ${name} has not been read yet`);
    }
    const { kind, number, identity, userName, message, held, rollout } = knownSecret;
    if (held) return refusal(held.reason, `ManagedSecret ${name}: ${held.message}`);
    if (number === undefined)
      return refusal('SecretNotReady', `ManagedSecret ${name} has no version yet${message ? `: ${message}` : ''}`);
    const secretVersion = { kind, number, ...(userName !== undefined && { userName }) };
    if (kind === 'Identity') {
      if (!identity) return refusal('SecretNotReady', `The identity of ManagedSecret ${name} is not in Azure yet`);
      return { ok: true, secret: { ...secretVersion, identity, state: 'Current' } };
    }
    if (request.delivery === 'Endpoint') {
      const served = rollout?.regions[regionOf(rollout, locationKey(request.location))];
      return { ok: true, secret: { ...secretVersion, number: served ?? number, state: 'Current' } };
    }
    return this.#copy(name, knownSecret, secretVersion, request);
  }

  /** Locations of the vaults with a copy, as of the last reading. */
  locations(namespace: string, name: string): readonly string[] {
    return [...(this.#known.get(keyOf(namespace, name))?.copies.keys() ?? [])];
  }

  /** When the versions of a ManagedSecret end, by number, as of the last reading; without versions that do not end. */
  ends(namespace: string, name: string): Readonly<Record<number, number>> {
    return this.#known.get(keyOf(namespace, name))?.ends ?? {};
  }

  #copy(
    name: string,
    { copies, rollout }: KnownSecret,
    secretVersion: Pick<ResolvedSecret, 'kind' | 'number' | 'userName'>,
    { location, delivery, machine = '' }: MachineConsumer,
  ): Resolution {
    const region = locationKey(location);
    const early = rollout?.early;
    const isEarly = early?.location === region && early.machines.includes(machine);
    const copy = isEarly ? early.copy : copies.get(region);
    if (!copy) {
      const message = `ManagedSecret ${name} has no vault in ${region}: add one to its spec.regions`;
      return refusal('RegionMissing', message);
    }
    if (copy.state === 'Expired') {
      const message = `The copy of ManagedSecret ${name} in ${region} is older than maxStaleness, or was never made`;
      return refusal('SecretExpired', `${message}${copy.message ? `: ${copy.message}` : ''}`);
    }
    const version = delivery === 'VMAccess' ? (copy.vmAccess ?? copy.version) : copy.version;
    if (!version || copy.number === undefined)
      return refusal('SecretNotReady', `ManagedSecret ${name} has no version in ${region} yet`);
    const { number, state, latest } = copy;
    return { ok: true, secret: { ...secretVersion, number, version, state, ...(latest !== undefined && { latest }) } };
  }

  /** Adds a listener. Returns the function that removes it. */
  onChange(listener: SecretListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Sets the source of the versions that machines use. Without a source, and while it returns undefined, no version is
   * disabled.
   */
  setUsers(source: Users): void {
    this.#users = source;
  }

  /** Sets the source of the machines that name a ManagedSecret. */
  setConsumers(source: Consumers): void {
    this.#consumers = source;
  }

  /** The machines that name a ManagedSecret; undefined while that is not known. */
  consumersOf(namespace: string, name: string): readonly RolloutMachine[] | undefined {
    return this.#consumers(namespace, name);
  }

  /** Has ManagedSecrets with a rollout reconciled after a change of one of their machines. */
  recheckRollouts(namespace: string, names: Iterable<string>): void {
    for (const name of names) {
      if (!this.#known.get(keyOf(namespace, name))?.rollout) continue;
      for (const listener of this.#releaseListeners) listener(namespace, name);
    }
  }

  /** Numbers of the versions that machines use; undefined while that is not known. */
  usersOf(namespace: string, name: string): ReadonlySet<number> | undefined {
    const users = this.#users(namespace)?.(name);
    const seen = this.#seenUsers.get(namespace) ?? new Map<string, ReadonlySet<number> | undefined>();
    this.#seenUsers.set(namespace, seen.set(name, users));
    return users;
  }

  /** Adds a listener for versions that no machine uses any more. Returns the function that removes it. */
  onRelease(listener: SecretListener): () => void {
    this.#releaseListeners.add(listener);
    return () => void this.#releaseListeners.delete(listener);
  }

  /**
   * Calls the listeners for each ManagedSecret with a version that was in use at the last call of `usersOf`, or may have
   * been, and is not any more. `names` are those to check; all of the namespace without.
   */
  recheckUsers(namespace: string, names?: Iterable<string>): void {
    const seen = this.#seenUsers.get(namespace);
    const users = seen && this.#users(namespace);
    if (!users) return;
    for (const name of [...(names ?? seen.keys())]) {
      if (!seen.has(name) || !isReleased(seen.get(name), users(name))) continue;
      for (const listener of this.#releaseListeners) listener(namespace, name);
    }
  }

  /** Records a reading of the controller; undefined once the object is gone. */
  set(namespace: string, name: string, secret: KnownSecret | undefined): void {
    const key = keyOf(namespace, name);
    const old = this.#known.get(key);
    if (secret) this.#known.set(key, secret);
    else this.#remove(namespace, name);
    if (fingerprint(old) === fingerprint(secret)) return;
    for (const listener of this.#listeners) listener(namespace, name);
  }

  #remove(namespace: string, name: string): void {
    this.#known.delete(keyOf(namespace, name));
    const seen = this.#seenUsers.get(namespace);
    seen?.delete(name);
    if (seen?.size === 0) this.#seenUsers.delete(namespace);
  }

  /** The last reading of the object with this uid; undefined where there is none. */
  known(namespace: string, name: string, uid: string | undefined): KnownSecret | undefined {
    const knownSecret = this.#known.get(keyOf(namespace, name));
    return knownSecret?.uid === uid ? knownSecret : undefined;
  }
}

function isReleased(seen: ReadonlySet<number> | undefined, users: ReadonlySet<number> | undefined): boolean {
  return users !== undefined && (seen === undefined || [...seen].some((number) => !users.has(number)));
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function refusal(reason: string, message: string): Resolution {
  return { ok: false, reason, message };
}

function fingerprint(secret: KnownSecret | undefined): string {
  return secret ? JSON.stringify({ ...secret, copies: [...secret.copies] }) : '';
}
