import { listAll } from '../kube/client/paginate.ts';
import { type Lease, leasesType } from '../kube/leader-election/lease-record.ts';
import type { Removal } from './removal.ts';

/** Milliseconds without progress after which the Leases of the programs are read again. */
export const leaseMs = 30_000;
/** Milliseconds between two reads of a Lease. */
const readMs = 500;
/** Seconds that a Lease without a duration is watched, and the most for one with a duration. */
const usualSeconds = 15;
const mostSeconds = 60;

type LeaseReader = Pick<Removal, 'client' | 'clock' | 'signal'>;

/**
 * Whether a program renews the Lease of this name, in a namespace of the programs: tenants can write such Leases in
 * theirs. Without such a namespace nothing was installed by the manifests, and any counts. Waits as long as the Lease is
 * valid after a renewal: the clock of this machine may differ from that of the program's.
 */
export async function isProgramRunning(
  lease: string,
  homes: ReadonlySet<string>,
  { client, clock, signal }: LeaseReader,
): Promise<boolean> {
  const counts = (namespace = '') => homes.size === 0 || homes.has(namespace);
  const held = async () => {
    const fieldSelector = `metadata.name=${lease}`;
    const { items } = await listAll<Lease>(client, leasesType, { fieldSelector, signal });
    return items.filter(
      ({ metadata, spec }) => metadata.name === lease && counts(metadata.namespace) && spec?.holderIdentity,
    );
  };
  const first = await held();
  if (first.length === 0) return false;
  const times = new Map(first.map(({ metadata, spec }) => [metadata.uid, spec.renewTime]));
  const seconds = Math.max(...first.map(({ spec }) => spec.leaseDurationSeconds ?? usualSeconds));
  const deadline = clock.monotonic() + Math.min(seconds, mostSeconds) * 1000;
  while (clock.monotonic() < deadline) {
    await clock.sleep(readMs, signal);
    const now = await held();
    if (now.some(({ metadata, spec }) => spec.renewTime !== times.get(metadata.uid))) return true;
  }
  return false;
}
