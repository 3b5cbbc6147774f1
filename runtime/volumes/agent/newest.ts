import { KeyVaultError } from '../../azure/key-vault-error.ts';
import type { VaultCollection, VaultItem } from '../../azure/key-vault-objects.ts';
import type { Clock } from '../../base/clock.ts';
import { type FetchOptions, readEach } from '../fetch.ts';
import type { ObjectRequest, VolumeRequest } from '../volume-request.ts';

const collections = { secret: 'secrets', key: 'keys', cert: 'certificates' } as const satisfies Record<
  ObjectRequest['type'],
  VaultCollection
>;
const listAgainMs = 60 * 60_000;

/** Versions that were looked up already, by who asked and for what; for the volumes of one batch. */
export type SeenVersions = Map<string, Promise<VaultItem | undefined>>;

/** Tells by version ids, without reading a value, whether a volume is up to date. */
export class Newest {
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
   * False where every object has the version that the volume has. True also where the vault does not say: the identity
   * may not list, or the newest version is not one that can be read.
   */
  async mayDiffer(
    request: VolumeRequest,
    versions: Readonly<Record<string, string>>,
    vault: FetchOptions,
    seen: SeenVersions,
  ): Promise<boolean> {
    const reader = JSON.stringify([request.vault, request.tenantId, request.identity, podOf(request)]);
    if ((this.#mayNotList.get(reader) ?? 0) > this.#clock.monotonic()) return true;
    this.#mayNotList.delete(reader);
    // One that was asked for by its version stays what it is.
    const moving = request.objects.filter(({ version }) => version === '');
    try {
      const differ = await readEach(
        moving,
        async ({ type, name, file }, { versions: listed }) => {
          const key = `${reader}/${type}/${name.toLowerCase()}`;
          const look = () => {
            const own = listed(collections[type], name).then(clearlyNewest);
            seen.set(key, own);
            return own;
          };
          // Another volume's look may have failed for a reason of that volume, which ended all that it had under way.
          const newest = await (seen.get(key)?.catch(look) ?? look());
          return !newest?.enabled || newest.version !== versions[file];
        },
        vault,
      );
      return differ.includes(true);
    } catch (error) {
      if (!(error instanceof KeyVaultError && error.status === 403 && error.action.permission === 'list')) throw error;
      this.#remember(reader);
      return true;
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

/** Who acts as itself shares what it sees with nobody. */
function podOf({ identity, pod }: VolumeRequest): string {
  return identity.mode === 'pod' ? pod.uid : '';
}
