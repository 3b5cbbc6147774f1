/** How far a region has the version in use. */
import { type VaultReading, versionsOf } from './plan.ts';
import type { SecretVersion } from './vault-tags.ts';
import { versionUpTo } from './version-in-use.ts';

/** How a copy stands. */
export interface CopyState {
  readonly state: 'Current' | 'Stale' | 'Expired';
  /** The version that the region has. */
  readonly version: SecretVersion | undefined;
  /** Milliseconds since the copy was last in sync; undefined if it never was. */
  readonly age: number | undefined;
}

/**
 * The state of the copy of a region. `syncedAt` is when it was last seen with the current version. A copy that is older than
 * `maxStaleness` is Expired: no new use of it is allowed.
 */
export function copyState(
  reading: VaultReading,
  current: SecretVersion | undefined,
  {
    now,
    syncedAt,
    maxStaleness,
    pinned,
  }: {
    readonly now: number;
    readonly syncedAt: number | undefined;
    readonly maxStaleness: number;
    readonly pinned?: number | undefined;
  },
): CopyState {
  const version = versionUpTo(versionsOf(reading) ?? [], current?.number ?? pinned);
  const inSync = current !== undefined && version?.number === current.number && version.hash === current.hash;
  if (inSync) return { state: 'Current', version, age: 0 };
  const age = syncedAt === undefined ? undefined : Math.max(0, now - syncedAt);
  return { state: age !== undefined && age <= maxStaleness ? 'Stale' : 'Expired', version, age };
}
