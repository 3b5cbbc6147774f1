/** Which version of a ManagedSecret is in use: the newest that is enabled, or the one that its spec pins. */
import type { SecretVersion } from './vault-tags.ts';

/** Versions that a message lists. */
const mostListed = 20;

/**
 * The version in use among those of one vault, newest number first.
 *
 * @param pinned Number of `spec.pinnedVersion`.
 * @returns Undefined where no version is enabled, or not the pinned one.
 */
export function versionInUse(
  versions: readonly SecretVersion[],
  pinned: number | undefined,
): SecretVersion | undefined {
  return versions.find(({ enabled, number }) => enabled && (pinned === undefined || number === pinned));
}

/**
 * The newest enabled version of a region's vault up to the number of the version in use: a region that lacks that one
 * serves the one before, and never a later one.
 */
export function versionUpTo(versions: readonly SecretVersion[], most: number | undefined): SecretVersion | undefined {
  return versions.find(({ enabled, number }) => enabled && (most === undefined || number <= most));
}

/** Why the pinned version cannot be used, with the versions that there are; undefined where it can. */
export function pinProblem(versions: readonly SecretVersion[], pinned: number | undefined): string | undefined {
  if (pinned === undefined || versionInUse(versions, pinned)) return undefined;
  const state = versions.some(({ number }) => number === pinned) ? 'is disabled' : 'does not exist';
  const listed = versions.slice(0, mostListed).map(({ number, enabled }) => `${number}${enabled ? '' : ' (disabled)'}`);
  const more = versions.length > mostListed ? ' and older ones' : '';
  const has = listed.length === 0 ? 'is none' : `are ${listed.join(', ')}${more}`;
  const fix = 'set spec.pinnedVersion to an enabled one, or remove it';
  return `Version ${pinned} is pinned and ${state}; there ${has}: ${fix}. Machines keep the versions that they have`;
}
