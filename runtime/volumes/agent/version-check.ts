import { KeyVaultError } from '../../azure/key-vault/error.ts';
import type { VaultCollection, VaultItem } from '../../azure/key-vault/vault-items.ts';
import type { Clock } from '../../base/clock.ts';
import type { ObjectRequest, VolumeRequest } from '../options/volume-request.ts';
import { type FetchOptions, readEach, type VaultReader } from '../vault/fetch.ts';
import { cacheKeyOf } from './cache-key.ts';

const collections = { secret: 'secrets', key: 'keys', cert: 'certificates' } as const satisfies Record<
  ObjectRequest['type'],
  VaultCollection
>;
const listAgainMs = 60 * 60_000;

/** Versions that were looked up already, by who asked and for what; for the volumes of one batch. */
export type SeenVersions = Map<string, Promise<readonly VaultItem[]>>;

/** By the names of files: the versions in a volume, and when they were made, as far as a vault told. */
export interface SeenVolume {
  readonly versions: Readonly<Record<string, string>>;
  readonly created: Map<string, number>;
}

/** Tells by version ids, without reading a value, whether a volume is up to date. */
export class VersionCheck {
  readonly #clock: Clock;
  /** Who may not list what, until when that is believed. */
  readonly #mayNotList = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many it knows that may not list, for tests. */
  get remembered(): number {
    return this.#mayNotList.size;
  }

  /**
   * The objects to read, each by the version that is the newest; undefined where the volume has all of these. Objects are
   * read without a version where the vault does not say: the identity may not list, or the newest cannot be read.
   *
   * A vault that does not know the version in the volume, and has only older ones, lags behind: that takes nothing back.
   */
  async toRead(
    request: VolumeRequest,
    { versions, created }: SeenVolume,
    vault: FetchOptions,
    seen: SeenVersions,
  ): Promise<readonly ObjectRequest[] | undefined> {
    const reader = `${request.vault}/${cacheKeyOf(request)}`;
    if ((this.#mayNotList.get(reader) ?? 0) > this.#clock.monotonic()) return request.objects;
    this.#mayNotList.delete(reader);
    const look = async (object: ObjectRequest, { versions: listed }: VaultReader): Promise<ObjectRequest> => {
      const { type, name, file } = object;
      const key = `${reader}/${type}/${name.toLowerCase()}`;
      const list = () => {
        const own = listed(collections[type], name);
        seen.set(key, own);
        return own;
      };
      // Another volume's look may have failed for a reason of that volume, which ended all that it had under way.
      const items = await (seen.get(key)?.catch(list) ?? list());
      const own = items.find(({ version }) => version === versions[file]);
      if (own?.created !== undefined) created.set(file, own.created);
      const newest = clearlyNewest(items);
      if (!newest?.enabled || newest.version === undefined) return object;
      const behind = !own && (newest.created ?? 0) < (created.get(file) ?? 0);
      return { ...object, version: (behind ? versions[file] : undefined) ?? newest.version };
    };
    // One that was asked for by its version stays what it is.
    const moving = request.objects.filter(({ version }) => version === '');
    try {
      const looked = await readEach(moving, look, vault);
      if (looked.every(({ version, file }) => version === versions[file])) return undefined;
      const byFile = new Map(looked.map((object) => [object.file, object]));
      return request.objects.map((object) => byFile.get(object.file) ?? object);
    } catch (error) {
      if (!(error instanceof KeyVaultError && error.status === 403 && error.action.permission === 'list')) throw error;
      this.#remember(reader);
      return request.objects;
    }
  }

  /** Pods come and go: what has run out is of nobody any more. */
  #remember(reader: string): void {
    const now = this.#clock.monotonic();
    for (const [other, until] of this.#mayNotList) if (until <= now) this.#mayNotList.delete(other);
    this.#mayNotList.set(reader, now + listAgainMs);
  }
}

/** Undefined where two came in the same second, the unit of a vault's times. */
function clearlyNewest([first, second]: readonly VaultItem[]): VaultItem | undefined {
  return second && second.created === first?.created ? undefined : first;
}
