import { attachmentRecordLabel } from '../api/pod-identity/attachment-record.ts';
import { AzimuthError } from '../base/errors.ts';
import { configMapsType } from '../kube/client/core-types.ts';
import { listAll } from '../kube/client/paginate.ts';
import type { KubeClient, KubeObject } from '../kube/client/types.ts';
import { shown } from '../view/model/row-of.ts';
import { requirePrograms } from './needed-programs.ts';
import { leaseMs } from './program-lease.ts';
import type { Removal } from './removal.ts';

/** Records that an error names. */
const mostNamed = 5;

/**
 * The records of identities on machines: ConfigMaps, one for each machine to which the controller of pod identities has
 * attached any. Tenants can write ConfigMaps with this label: only those in the namespaces of the programs count.
 */
export async function attachmentRecords(
  client: KubeClient,
  homes: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  const labelSelector = `${attachmentRecordLabel.name}=${attachmentRecordLabel.value}`;
  const { items } = await listAll(client, configMapsType, { labelSelector, signal });
  return items.filter(({ metadata }) => homes.has(metadata.namespace ?? ''));
}

/**
 * Waits until the controller has detached every identity that it attached: it deletes the AzureAssignedIdentity before
 * that. Resolves to whether it had to wait. Throws AZ_LEASE_LOST where the controller stops, and AZ_KUBE_STATUS that names
 * the machines where no record has changed for `stallMs`.
 */
export async function untilDetached(homes: ReadonlySet<string>, removal: Removal): Promise<boolean> {
  const { client, clock, stallMs, pollMs = 2000, report, signal } = removal;
  let last = '';
  let progressAt = clock.monotonic();
  for (let leaseAt = progressAt, hasWaited = false; ; hasWaited = true) {
    const records = await attachmentRecords(client, homes, signal);
    const [first] = records;
    if (!first) return hasWaited;
    const now = records.map(({ metadata: { uid, resourceVersion } }) => `${uid} ${resourceVersion}`).join();
    if (now !== last) {
      [last, progressAt] = [now, clock.monotonic()];
      report(`${records.length} machines have identities that the controller detaches, first ${machineOf(first)}`);
    }
    if (clock.monotonic() - progressAt >= stallMs) throw stuck(records, stallMs);
    if (clock.monotonic() - leaseAt >= leaseMs) {
      await requirePrograms([], records, homes, removal);
      leaseAt = clock.monotonic();
    }
    await clock.sleep(pollMs, signal);
  }
}

function machineOf({ data }: KubeObject): string {
  return shown((data as Readonly<Record<string, unknown>> | undefined)?.['machine'], 300) || 'an unknown machine';
}

function stuck(records: readonly KubeObject[], stallMs: number): AzimuthError {
  const named = records.slice(0, mostNamed).map((record) => {
    return `${machineOf(record)} (ConfigMap ${record.metadata.name} in ${record.metadata.namespace})`;
  });
  const message =
    `the controller of pod identities has detached no identity from a machine for ${stallMs / 1000} s; ${records.length} ` +
    `machines are left: ${named.join('; ')}. Its log has the cause. Identities of --immutable-user-msis stay on their ` +
    'machines: delete the ConfigMap of a machine that has no other, or from which you detached them, and run the ' +
    'command again';
  return new AzimuthError('AZ_KUBE_STATUS', message);
}
