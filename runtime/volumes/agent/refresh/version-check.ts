import { KeyVaultError } from '../../../azure/key-vault/error.ts';
import type { VaultCollection } from '../../../azure/key-vault/vault-items.ts';
import { ListTooLong } from '../../../azure/key-vault/vault-requests.ts';
import type { Clock } from '../../../base/clock.ts';
import type { VolumeObject, VolumeSpec } from '../../options/volume-spec.ts';
import { type FetchOptions, type ListedVersion, readEach, type VaultReader } from '../../vault/fetch.ts';
import { cacheKeyOf } from './cache-key.ts';

const collections = { secret: 'secrets', key: 'keys', cert: 'certificates' } as const satisfies Record<
  VolumeObject['type'],
  VaultCollection
>;
const listAgainMs = 60 * 60_000;

/** Lists of versions already read in one batch, by reader and object. */
export type SeenVersions = Map<string, Promise<readonly ListedVersion[]>>;

/** The versions in a volume by file name, and their creation times where known. */
export interface SeenVolume {
  readonly versions: Readonly<Record<string, string>>;
  readonly created: Map<string, number>;
}

/** Checks by version ids, without reading a value, whether a volume is up to date. */
export class VersionCheck {
  readonly #clock: Clock;
  /** Readers that may not list an object, or whose list is too long, until monotonic milliseconds. */
  readonly #mayNotList = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of remembered refusals, for tests. */
  get remembered(): number {
    return this.#mayNotList.size;
  }

  /**
   * The objects to read, each by its latest version; undefined where the volume has all of them. Without a version
   * where the vault does not list it: the identity may not list, the list is too long, or the latest version is
   * unreadable.
   *
   * A vault with only older versions than the volume's lags behind: the volume keeps its version.
   */
  async toRead(
    request: VolumeSpec,
    { versions, created }: SeenVolume,
    vault: FetchOptions,
    seen: SeenVersions,
  ): Promise<readonly VolumeObject[] | undefined> {
    const reader = `${request.vault}/${cacheKeyOf(request)}`;
    if ((this.#mayNotList.get(reader) ?? 0) > this.#clock.monotonic()) return request.objects;
    this.#mayNotList.delete(reader);
    const resolve = async (object: VolumeObject, { versions: listed }: VaultReader): Promise<VolumeObject> => {
      const { type, name, file } = object;
      const key = `${reader}/${type}/${name.toLowerCase()}`;
      const list = () => {
        const own = listed(collections[type], name);
        seen.set(key, own);
        return own;
      };
      // The failed read may be due to the other volume, whose end aborted its requests: read again.
      const items = await (seen.get(key)?.catch(list) ?? list());
      const own = items.find(({ version }) => version === versions[file]);
      if (own?.created !== undefined) created.set(file, own.created);
      const latest = singleLatest(items);
      if (!latest?.enabled || latest.version === undefined) return object;
      const behind = !own && (latest.created ?? 0) < (created.get(file) ?? 0);
      return { ...object, version: (behind ? versions[file] : undefined) ?? latest.version };
    };
    // An object with a fixed version does not change.
    const moving = request.objects.filter(({ version }) => version === '');
    try {
      const resolved = await readEach(moving, resolve, vault);
      if (resolved.every(({ version, file }) => version === versions[file])) return undefined;
      const byFile = new Map(resolved.map((object) => [object.file, object]));
      return request.objects.map((object) => byFile.get(object.file) ?? object);
    } catch (error) {
      const mayNotList = error instanceof KeyVaultError && error.status === 403 && error.action.permission === 'list';
      if (!mayNotList && !(error instanceof ListTooLong)) throw error;
      this.#remember(reader);
      return request.objects;
    }
  }

  /** Drops expired refusals. */
  #remember(reader: string): void {
    const now = this.#clock.monotonic();
    for (const [other, until] of this.#mayNotList) if (until <= now) this.#mayNotList.delete(other);
    this.#mayNotList.set(reader, now + listAgainMs);
  }
}

/** The latest version; undefined where two have the same time, because a vault's times have seconds. */
function singleLatest([first, second]: readonly ListedVersion[]): ListedVersion | undefined {
  return second && second.created === first?.created ? undefined : first;
}
