import { LRUCache } from 'lru-cache';
import type { Gauge } from 'prom-client';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/log.ts';
import { gauge, type Metrics } from '../../base/observability/metrics.ts';

const day = 86_400_000;
/** A certificate that expires within this time gets a warning. */
export const certificateWarningMs = 30 * day;
/** Sources in memory; namespaces decide how many exist. */
const maxSources = 1000;

/**
 * Warns of client certificates before they expire, and publishes the expiry of the program's own one as a metric, where
 * it gets `metrics`.
 */
export class CertificateExpiry {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #gauge: Gauge | undefined;
  /** By source: the certificate's end, and when the log had the last warning. */
  readonly #warned = new LRUCache<string, { readonly expiresAt: number; readonly at: number }>({ max: maxSources });

  constructor(log: Logger, metrics?: Metrics, clock: Clock = systemClock) {
    this.#log = log;
    this.#clock = clock;
    this.#gauge =
      metrics &&
      gauge(metrics, {
        name: 'azimuth_credential_certificate_expiry_timestamp_seconds',
        help: "When the client certificate of the program's own credential expires, in seconds since 1970.",
      });
  }

  /**
   * Called with each token that a certificate signs for. `source` says where it comes from; `own`: it is that of the program
   * itself, not of a Secret in a namespace.
   */
  used(source: string, expiresAt: number, isProgramOwned: boolean): void {
    if (isProgramOwned) this.#gauge?.set(Math.floor(expiresAt / 1000));
    const now = this.#clock.now();
    if (expiresAt - now > certificateWarningMs) return;
    const last = this.#warned.get(source);
    if (last?.expiresAt === expiresAt && now - last.at < day) return;
    this.#warned.set(source, { expiresAt, at: now });
    const fields = { certificate: source, expiresAt: new Date(expiresAt).toISOString() };
    if (expiresAt <= now) this.#log.warn(fields, 'a client certificate has expired: replace it');
    else this.#log.warn(fields, 'a client certificate expires soon: replace it');
  }
}
