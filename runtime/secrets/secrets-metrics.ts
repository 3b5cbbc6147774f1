import { counter, gauge, type Metrics } from '../base/observability/metrics.ts';
import type { RefusalReason } from './protocol/http-error.ts';

/** Name, labels and meaning of each metric; docs/reference/secrets.md lists these. */
export const secretsMetricTable = {
  azimuth_secrets_requests_total: {
    help: 'Requests by status of the answer; 499 where the caller hung up.',
    labelNames: ['status_code'],
  },
  azimuth_secrets_refusals_total: { help: 'Refused requests by reason.', labelNames: ['reason'] },
  azimuth_secrets_refused_connections_total: {
    help: 'Connections that a limit refused or ended.',
    labelNames: [],
  },
  azimuth_secrets_waiting_requests: { help: 'Long polls that wait for another version.', labelNames: [] },
  azimuth_secrets_held: { help: 'Secrets whose value is in memory.', labelNames: [] },
  azimuth_secrets_oldest_seconds: {
    help: 'Age of the oldest value in memory: seconds since it was last known to be the newest version.',
    labelNames: [],
  },
} as const;

/** The metrics of the secret endpoint. */
export class SecretsMetrics {
  readonly #requests;
  readonly #refusals;
  readonly #connections;
  readonly #waiting;

  /** `ages`: of the values in memory, milliseconds, read at each scrape. */
  constructor(metrics: Metrics, ages: () => number[]) {
    this.#requests = counter(metrics, row('azimuth_secrets_requests_total'));
    this.#refusals = counter(metrics, row('azimuth_secrets_refusals_total'));
    this.#connections = counter(metrics, row('azimuth_secrets_refused_connections_total'));
    this.#waiting = gauge(metrics, row('azimuth_secrets_waiting_requests'));
    const held = gauge(metrics, row('azimuth_secrets_held'));
    Object.assign(held, { collect: () => held.set(ages().length) });
    const oldest = gauge(metrics, row('azimuth_secrets_oldest_seconds'));
    Object.assign(oldest, { collect: () => oldest.set(Math.round(ages().reduce((a, b) => Math.max(a, b), 0) / 1000)) });
  }

  /** Counts an answer. */
  request(status: number): void {
    this.#requests.inc({ status_code: String(status) });
  }

  /** Counts a refusal. */
  refusal(reason: RefusalReason): void {
    this.#refusals.inc({ reason });
  }

  /** Counts a connection that a limit refused or ended. */
  connection(): void {
    this.#connections.inc();
  }

  /** Adds to the number of long polls. */
  waiting(by: 1 | -1): void {
    this.#waiting.inc(by);
  }
}

function row<N extends keyof typeof secretsMetricTable>(name: N) {
  const { help, labelNames } = secretsMetricTable[name];
  return { name, help, labelNames: labelNames as readonly (typeof secretsMetricTable)[N]['labelNames'][number][] };
}
