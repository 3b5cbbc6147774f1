import { expected } from '../base/errors.ts';
import type { Flag } from '../base/program.ts';
import { duration, named, type Text } from '../base/settings.ts';

/** The flags of the Lease by which replicas elect a leader; times in milliseconds once parsed. */
export const leaseFlags = {
  leaderElection: {
    flag: 'enable-leader-election',
    env: 'ENABLE_LEADER_ELECTION',
    default: 'true',
    meaning: 'whether replicas elect a leader by a Lease',
    parse: (setting, text) => text(setting) !== 'false',
  },
  leaseDurationMs: {
    flag: 'lease-duration',
    env: 'LEASE_DURATION',
    default: '15s',
    meaning: 'how long other replicas wait after the last renewal that they saw',
    parse: duration,
  },
  renewDeadlineMs: {
    flag: 'renew-deadline',
    env: 'RENEW_DEADLINE',
    default: '10s',
    meaning: 'how long after its last renewal the leader stops its work',
    parse: duration,
  },
  retryPeriodMs: {
    flag: 'retry-period',
    env: 'RETRY_PERIOD',
    default: '2s',
    meaning: 'time between two attempts to get the Lease',
    parse: duration,
  },
} as const satisfies Record<string, Flag>;

/** Throws AZ_CONFIG_INVALID for times with which two replicas could lead at once. */
export function checkLease(
  values: Readonly<Record<'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs', number>>,
  text: Text,
): void {
  const { leaseDurationMs: lease, renewDeadlineMs: renew, retryPeriodMs: retry } = leaseFlags;
  if (values.leaseDurationMs % 1000 !== 0) throw expected(named(lease), 'whole seconds', text(lease));
  if (values.renewDeadlineMs >= values.leaseDurationMs) {
    throw expected(named(renew), `less than --lease-duration, ${text(lease)}`, text(renew));
  }
  if (values.retryPeriodMs * 1.2 >= values.renewDeadlineMs) {
    const bound = `less than --renew-deadline, ${text(renew)}, by a fifth of itself`;
    throw expected(named(retry), bound, text(retry));
  }
}
