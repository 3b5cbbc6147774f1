import { counter, gauge, histogram, type Metrics } from '../base/observability/metrics.ts';
import type { CertificateEnd } from './conditions/certificates.ts';

/** A write of an AzureAssignedIdentity, as metrics name it. */
export type AssignmentOperation = 'addition' | 'update' | 'deletion';

/** Measurements of the identity controller; times in seconds. */
export interface IdentityMetrics {
  /** One write of an AzureAssignedIdentity. */
  write(operation: AssignmentOperation, seconds: number, failed: boolean): void;
  /** One request to ARM about a machine: vm_get, vm_update, vmss_get, vmss_update. */
  machine(operation: string, seconds: number, failed: boolean): void;
  /** Time from the creation of an AzureAssignedIdentity until it is Assigned. */
  assigned(seconds: number): void;
  /** An identity that ARM refused to attach or detach. */
  refused(): void;
}

/** Values read at each scrape. */
export interface IdentityGauges {
  readonly desired: () => number;
  readonly machines: () => number;
  readonly certificates: () => Iterable<CertificateEnd>;
}

const seconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3, 4, 5, 10];

/**
 * Registers the metrics of the identity controller. Those with the prefix `aadpodidentity_` have the names, labels and
 * buckets of AAD Pod Identity, so that its dashboards work.
 */
export function identityMetrics(metrics: Metrics, gauges: IdentityGauges): IdentityMetrics {
  const writes = writeMetrics(metrics);
  const kubeErrors = counter(metrics, {
    name: 'aadpodidentity_kubernetes_api_operations_errors_count',
    help: 'Writes of AzureAssignedIdentities that the API server refused.',
    labelNames: ['operation_type'],
  });
  const cloudTime = histogram(metrics, {
    name: 'aadpodidentity_cloud_provider_operations_duration_seconds',
    help: 'Time of reading (get) and changing (update, until the operation has ended) a machine.',
    labelNames: ['operation_type'],
    buckets: [0.5, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 120, 300],
  });
  const cloudErrors = counter(metrics, {
    name: 'aadpodidentity_cloud_provider_operations_errors_count',
    help: 'Failed reads and changes of machines.',
    labelNames: ['operation_type'],
  });
  const toAssigned = histogram(metrics, {
    name: 'azimuth_identity_time_to_assigned_seconds',
    help: 'Time from the creation of an AzureAssignedIdentity until it is Assigned.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 10, 20, 30, 60, 120, 300],
  });
  const refusals = counter(metrics, {
    name: 'azimuth_identity_refused_total',
    help: 'Times that ARM refused to attach or detach one identity and accepted the others.',
  });
  live(metrics, 'azimuth_identity_desired', 'Desired assignments of identities to pods.', gauges.desired);
  live(metrics, 'azimuth_identity_machines', 'Machines with identities of pods.', gauges.machines);
  liveExpiry(metrics, gauges.certificates);
  return {
    write: (operation, duration, failed) => {
      if (failed) kubeErrors.inc({ operation_type: `assigned_identity_${operation}` });
      else writes[operation].count.inc();
      writes[operation].time.observe(duration);
    },
    machine: (operation, duration, failed) => {
      cloudTime.observe({ operation_type: operation }, duration);
      if (failed) cloudErrors.inc({ operation_type: operation });
    },
    assigned: (duration) => toAssigned.observe(duration),
    refused: () => refusals.inc(),
  };
}

function live(metrics: Metrics, name: string, help: string, value: () => number): void {
  const created = gauge(metrics, { name, help });
  Object.assign(created, { collect: () => created.set(value()) });
}

/** Count and time of the successful writes of each operation. */
function writeMetrics(metrics: Metrics) {
  const operations = ['addition', 'update', 'deletion'] as const;
  return Object.fromEntries(
    operations.map((operation) => [
      operation,
      {
        count: counter(metrics, {
          name: `aadpodidentity_assigned_identity_${operation}_count`,
          help: `AzureAssignedIdentities: each successful ${operation}.`,
        }),
        time: histogram(metrics, {
          name: `aadpodidentity_assigned_identity_${operation}_duration_seconds`,
          help: `Time of each ${operation} of an AzureAssignedIdentity.`,
          buckets: seconds,
        }),
      },
    ]),
  ) as Record<AssignmentOperation, { count: ReturnType<typeof counter>; time: ReturnType<typeof histogram> }>;
}

function liveExpiry(metrics: Metrics, certificates: IdentityGauges['certificates']): void {
  const expiry = gauge(metrics, {
    name: 'azimuth_identity_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of an AzureIdentity of type 2 expires, in seconds since 1970; at most 1,000 identities.',
    labelNames: ['namespace', 'name'],
  });
  const collect = () => {
    expiry.reset();
    for (const { namespace, name, expiresAt } of certificates())
      expiry.set({ namespace, name }, Math.floor(expiresAt / 1000));
  };
  Object.assign(expiry, { collect });
}
