import { constrainedMemory } from 'node:process';
import { fitsShare } from '../../../base/fairness/fits-share.ts';

/** A volume as far as its memory counts. `refreshedBytes`: bytes of the files that a refresh wrote; 0 before the first. */
export interface RefreshedVolume {
  readonly directory: string;
  readonly refreshedBytes: number;
}

/**
 * Bytes of files that refreshes of this node may have written: a fifth of the container's memory, or 48 MiB without a
 * limit. The kernel counts a file in a tmpfs to the container that wrote it, for as long as the file exists: also after a
 * restart of the agent.
 */
export function mostRefreshedBytes(limit = constrainedMemory()): number {
  const isLimited = limit > 0 && limit < 2 ** 40;
  return isLimited ? Math.floor(limit / 5) : 48 * 1024 * 1024;
}

/** Whether a refresh may write so many bytes into a volume, beside those of the other volumes. */
export function fitsRefreshedMemory<V extends RefreshedVolume>(
  volume: V,
  bytes: number,
  all: readonly V[],
  { namespaceOf, most }: { readonly namespaceOf: (volume: V) => string; readonly most: number },
): boolean {
  const others = all.filter(({ directory }) => directory !== volume.directory);
  const sum = (volumes: readonly V[]) => volumes.reduce((total, { refreshedBytes }) => total + refreshedBytes, 0);
  const namespace = namespaceOf(volume);
  const namespaceVolumes = others.filter((other) => other.refreshedBytes > 0 && namespaceOf(other) === namespace);
  return fitsShare(bytes, { own: sum(namespaceVolumes), all: sum(others), most });
}
