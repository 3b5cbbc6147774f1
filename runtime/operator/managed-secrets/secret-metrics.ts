import { managedSecretKinds } from '../../api/machines/managed-secret-spec.ts';
import { counter, gauge, type Metrics } from '../../base/observability/metrics.ts';

/** Measurements of one ManagedSecret. */
export interface MeasuredSecret {
  readonly kind: string;
  /** When the current version was generated, in milliseconds since the epoch; undefined without one. */
  readonly created: number | undefined;
  /** Copies that are not Current. */
  readonly stale: number;
}

/** The metrics of managed secrets: one series for each kind, however many objects there are. */
export interface SecretMetrics {
  /** The state of an object; undefined once it is gone. */
  measure(uid: string, secret: MeasuredSecret | undefined): void;
  /** A try to make a new version. */
  renewal(kind: string, outcome: 'succeeded' | 'failed'): void;
}

/** Registers the metrics of managed secrets. `now` is in milliseconds since the epoch. */
export function secretMetrics(metrics: Metrics, now: () => number): SecretMetrics {
  const measured = new Map<string, MeasuredSecret>();
  const oldest = gauge(metrics, {
    name: 'azimuth_operator_managed_secret_oldest_seconds',
    help: 'Age of the oldest current version of a ManagedSecret, by kind.',
    labelNames: ['kind'],
  });
  const stale = gauge(metrics, {
    name: 'azimuth_operator_managed_secret_stale_copies',
    help: 'Copies of ManagedSecrets that lack the current version or cannot be read, by kind.',
    labelNames: ['kind'],
  });
  const renewals = counter(metrics, {
    name: 'azimuth_operator_managed_secret_renewals_total',
    help: 'Versions of ManagedSecrets that were generated (succeeded) or could not be (failed), by kind.',
    labelNames: ['kind', 'outcome'],
  });
  const ofKind = (kind: string) => [...measured.values()].filter((each) => each.kind === kind);
  const collectOldest = () => {
    for (const kind of managedSecretKinds) {
      const created = ofKind(kind).flatMap((each) => each.created ?? []);
      // One by one: a call with as many arguments as there are objects may be refused.
      const first = created.reduce((least, each) => Math.min(least, each), now());
      oldest.set({ kind }, Math.max(0, now() - first) / 1000);
    }
  };
  const collectStale = () => {
    for (const kind of managedSecretKinds)
      stale.set(
        { kind },
        ofKind(kind).reduce((sum, each) => sum + each.stale, 0),
      );
  };
  Object.assign(oldest, { collect: collectOldest });
  Object.assign(stale, { collect: collectStale });
  return {
    measure(uid, secret) {
      if (secret) measured.set(uid, secret);
      else measured.delete(uid);
    },
    renewal: (kind, outcome) => renewals.inc({ kind, outcome }),
  };
}
