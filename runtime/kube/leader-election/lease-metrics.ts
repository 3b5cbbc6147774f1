import { counter, gauge, type Metrics } from '../../base/observability/metrics.ts';

/** The metrics of one lease. */
export interface LeaseMetrics {
  /** 1 while this replica holds the lease. */
  status(value: 0 | 1): void;
  failed(): void;
}

/** The metrics of the lease of that name. The first is named as in client-go, so that its dashboards work. */
export function leaseMetrics(metrics: Metrics, name: string): LeaseMetrics {
  const held = gauge(metrics, {
    name: 'leader_election_master_status',
    help: 'Whether this replica holds the lease.',
    labelNames: ['name'],
  });
  const failures = counter(metrics, {
    name: 'azimuth_lease_failures_total',
    help: 'Requests for the lease that failed.',
    labelNames: ['name'],
  });
  // At 0 from the beginning: an alert on a rise would miss the first failure of a series that begins with it.
  failures.inc({ name }, 0);
  return {
    status: (value) => held.set({ name }, value),
    failed: () => failures.inc({ name }),
  };
}
