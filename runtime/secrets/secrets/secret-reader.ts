import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import type { VaultSecret } from '../../azure/key-vault/vault-items.ts';
import { decodeRollout, rolloutSecretName } from '../../compute/managed-secrets/rollout-state.ts';
import { observe, ownerTag, type SecretVersion, versionTags } from '../../compute/managed-secrets/vault-tags.ts';
import { pinProblem, versionUpTo } from '../../compute/managed-secrets/version-in-use.ts';
import { type EndpointSecret, nameInVault, ownerOf } from './managed-secrets.ts';
import type { References } from './references.ts';
import type { VaultAccess } from './vault-access.ts';

/** One version with its value. Times in milliseconds since the epoch. */
export interface HeldVersion {
  readonly number: number;
  readonly hash: string;
  /** The vault's own id of it. */
  readonly version: string;
  readonly value: string;
  readonly contentType: string | undefined;
  readonly created: number;
  readonly expires: number | undefined;
}

/** The versions of a ManagedSecret that the endpoint holds. */
export interface Reading {
  readonly uid: string;
  readonly current: HeldVersion;
  /** The version before it, while it is enabled. */
  readonly previous: HeldVersion | undefined;
  /** Since when the copy is not known to be the newest version; milliseconds since the epoch. */
  readonly syncedAt: number;
  /** Of the home vault and of the vault that was read; their gates must be open. */
  readonly subscriptions: readonly string[];
}

/** A secret that has no value to return. `gone`: the value in memory is not valid any more. */
export class SecretProblem extends Error {
  readonly gone: boolean;

  constructor(message: string, gone: boolean) {
    super(message);
    this.gone = gone;
  }
}

/** Dependencies of SecretReader. */
export interface SecretReaderDeps {
  readonly references: References;
  readonly vaults: Pick<VaultAccess, 'of'>;
  /** Region of this replica; undefined reads the home vault. */
  readonly location: string | undefined;
  readonly now: () => number;
}

type Place = readonly [vaultId: string, name: string];

/**
 * Reads ManagedSecrets from the vault of this replica's region. A secret counts only if its tags name this very object,
 * so that nobody reads another secret by choosing its name.
 */
export class SecretReader {
  readonly #deps: SecretReaderDeps;

  constructor(deps: SecretReaderDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the versions at home and in the region, and reads the values that `held` has not got. Throws SecretProblem, and
   * the errors of references and vaults.
   */
  async read(object: EndpointSecret, held: Reading | undefined, signal: AbortSignal): Promise<Reading> {
    const { references, now } = this.#deps;
    const { namespace = '', uid = '' } = object.metadata;
    const { home, regions = [] } = object.spec;
    if (!home) throw new SecretProblem('the ManagedSecret has no vault', true);
    const name = nameInVault(object);
    const region = regions.find(({ location }) => location === this.#deps.location);
    const homeId = await references.armIdOf(namespace, home.vault, signal);
    const id = region ? await references.armIdOf(namespace, region.vault, signal) : homeId;
    const started = now();
    const atHome = await this.#versions(object, [homeId, name], signal);
    const here = id === homeId ? atHome : await this.#versions(object, [id, name], signal);
    const { pinnedVersion: pinned } = object.spec;
    const problem = pinProblem(atHome, pinned);
    // As machines keep their models, callers keep the version before the pin.
    if (problem !== undefined) throw new SecretProblem(problem, false);
    const most = (await this.#released(object, [homeId, name], region?.location, signal)) ?? pinned;
    const limit = most === undefined || pinned === undefined ? most : Math.min(most, pinned);
    const newest = versionUpTo(atHome, limit);
    const current = versionUpTo(here, limit);
    if (!current) throw new SecretProblem('the vault has no enabled version yet', true);
    const previous = versionUpTo(here, current.number - 1);
    const heldSecret = held?.uid === uid ? held : undefined;
    const place: Place = [id, name];
    return {
      uid,
      current: await this.#value(object, place, current, heldSecret, signal),
      previous: previous && (await this.#value(object, place, previous, heldSecret, signal)),
      syncedAt: syncedAt(atHome, newest, current, started, heldSecret?.syncedAt),
      subscriptions: [...new Set([homeId, id].map((each) => tryParseResourceId(each)?.subscriptionId ?? ''))],
    };
  }

  async #versions(object: EndpointSecret, [id, name]: Place, signal: AbortSignal): Promise<readonly SecretVersion[]> {
    const listed = await this.#deps.vaults
      .of(id)
      .listVersions('secrets', name, signal)
      .catch((error) => {
        if (error instanceof KeyVaultError && error.status === 404) return [];
        throw error;
      });
    const observed = observe(ownerOf(object), listed);
    if (observed.state === 'Ours') return observed.versions;
    throw noVersion(name);
  }

  /**
   * Number of the version that a rollout has brought to the region as a whole; undefined without one. A region that the
   * spec does not name has the vault and the turn of the home vault.
   */
  async #released(
    object: EndpointSecret,
    [id, name]: Place,
    region: string | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    if (!object.spec.rollout) return undefined;
    const secret = await this.#deps.vaults.of(id).tryGetSecret(rolloutSecretName(name), undefined, signal);
    if (!secret) return undefined;
    if (secret.tags[versionTags.object] !== ownerTag(ownerOf(object))) throw noVersion(rolloutSecretName(name), false);
    const state = decodeRollout(secret.value);
    return state?.regions[region ?? state.home];
  }

  async #value(
    object: EndpointSecret,
    [id, name]: Place,
    listed: SecretVersion,
    held: Reading | undefined,
    signal: AbortSignal,
  ): Promise<HeldVersion> {
    const same = [held?.current, held?.previous].find(
      (each) => each?.version === listed.version && each.hash === listed.hash,
    );
    if (same) return { ...same, expires: listed.expires };
    const secret = await this.#deps.vaults.of(id).getSecret(name, listed.version, signal);
    if (secret.tags[versionTags.object] !== ownerTag(ownerOf(object))) throw noVersion(name);
    return heldVersion(listed, secret);
  }
}

/**
 * The same text for an absent secret and for that of another object: the endpoint's credential reads vaults of several
 * namespaces, and nobody may learn the names in those of others.
 */
function noVersion(name: string, gone = true): SecretProblem {
  return new SecretProblem(`the vault has no secret ${name} of this ManagedSecret`, gone);
}

function heldVersion(listed: SecretVersion, { value, contentType }: VaultSecret): HeldVersion {
  const { number, hash, version, created, expires } = listed;
  return { number, hash, version, value, contentType, created, expires };
}

/**
 * Until when the copy is known to have been the newest version: now, or the creation of the version at home that the
 * region has not got.
 */
function syncedAt(
  atHome: readonly SecretVersion[],
  newest: SecretVersion | undefined,
  current: SecretVersion,
  now: number,
  before: number | undefined,
): number {
  if (!newest || (newest.number === current.number && newest.hash === current.hash)) return now;
  const later = atHome.filter(({ number }) => number > current.number).map(({ created }) => created);
  const since = later.length > 0 ? Math.min(...later) : (before ?? current.created);
  return Math.min(since, now);
}
