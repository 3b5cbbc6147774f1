import { operatorName } from '../../arm-kinds/names.ts';
import type { Clock } from '../../base/clock.ts';
import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import { type Lease, leasesType } from '../../kube/leader-election/lease-record.ts';
import { shown } from '../model/row-of.ts';

/** Inputs of following the operator's Lease. */
export interface LeaseFollow {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Called with each change of what is known, in a sentence. */
  readonly report: (message: string) => void;
  /** Ends the following. */
  readonly signal: AbortSignal;
}

/** Milliseconds between two reads, as long as between two renewals of an operator. */
const readMs = 2000;
/** Milliseconds without a renewal after which no operator runs: its Lease lasts as long by default. */
const silentMs = 15_000;

/**
 * Reports which replica of the operator renews its Lease, or that none does, until the signal. A renewal is one that this
 * program sees, because clocks of machines differ. It reads first after two seconds, so that a watch of a run that has
 * ended is over before. It reports once that the account may not read the Lease. Never rejects.
 */
export async function followOperatorLease({ client, clock, namespace, report, signal }: LeaseFollow): Promise<void> {
  const name = `${namespace}/${operatorName}`;
  let [renewTime, reported, lastRenewal] = ['', '', clock.monotonic()];
  const reportOnce = (message: string) => {
    if (message !== reported) report(message);
    reported = message;
  };
  try {
    for (let isFirst = true; ; isFirst = false) {
      await clock.sleep(readMs, signal);
      const lease = await client.tryGet<Lease>(leasesType, { namespace, name: operatorName }, signal).catch(unreadable);
      if (lease === 'forbidden')
        return reportOnce(`This account may not get the Lease ${name}, which says whether an operator runs`);
      const { holderIdentity, renewTime: time } = (lease !== 'unknown' && lease?.spec) || {};
      const isRenewed = typeof time === 'string' && time !== renewTime;
      if (isRenewed) [renewTime, lastRenewal] = [time, clock.monotonic()];
      if (holderIdentity && isRenewed && !isFirst)
        reportOnce(`The replica ${shown(holderIdentity, 253)} of the operator holds the Lease ${name}`);
      else if (lease !== 'unknown' && (!holderIdentity || clock.monotonic() - lastRenewal > silentMs))
        reportOnce(absent(name));
    }
  } catch {
    // The signal.
  }
}

function unreadable(error: unknown): 'forbidden' | 'unknown' {
  return error instanceof KubeStatusError && error.status === 403 ? 'forbidden' : 'unknown';
}

function absent(name: string): string {
  return (
    `No operator renews the Lease ${name}, so nothing goes on: start it, or name its namespace with --operator-namespace. ` +
    'An operator without leader election has no Lease'
  );
}
