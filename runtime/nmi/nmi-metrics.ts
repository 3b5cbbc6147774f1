import { counter, gauge, histogram, type Metrics } from '../base/observability/metrics.ts';
import type { Limit } from './http/limits.ts';

/** Name, labels and meaning of each metric; upstream's names where it had one. docs/reference/nmi.md lists these. */
export const nmiMetricTable = {
  aadpodidentity_nmi_operations_duration_seconds: {
    help: 'Token requests by route, status, namespace of the pod and resource; rare resources count as other.',
    labelNames: ['operation_type', 'status_code', 'namespace', 'resource'],
  },
  aadpodidentity_imds_operations_duration_seconds: {
    help: 'Requests for tokens to the metadata endpoint and to Microsoft Entra ID.',
    labelNames: ['operation_type'],
  },
  aadpodidentity_imds_operations_errors_count: {
    help: 'Failed requests for tokens to the metadata endpoint and to Microsoft Entra ID.',
    labelNames: ['operation_type'],
  },
  aadpodidentity_kubernetes_api_operations_errors_count: {
    help: 'Failed reads of Secrets.',
    labelNames: ['operation_type'],
  },
  azimuth_nmi_requests_total: {
    help: 'All requests by route and status of the answer.',
    labelNames: ['route', 'status_code'],
  },
  azimuth_nmi_token_cache_total: { help: 'Reads of the token cache by result: hit or miss.', labelNames: ['result'] },
  azimuth_nmi_waiting_requests: { help: 'Requests that wait for a pod or an assignment.', labelNames: [] },
  azimuth_nmi_refused_connections_total: {
    help: 'Refused connections and requests, by the limit that they exceeded.',
    labelNames: ['bound'],
  },
  azimuth_nmi_redirection_ready: {
    help: '1 while the redirection rules are in place, otherwise 0; absent with --iptables=off.',
    labelNames: [],
  },
  azimuth_nmi_redirection_repairs_total: {
    help: 'Repairs of changed rules.',
    labelNames: ['family'],
  },
} as const;

type Name = keyof typeof nmiMetricTable;

const tokenBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3, 4, 5, 10];
/** Upstream's begin at half a second; the lower ones are additions. */
const operationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
/** Most values of the label `resource`, which callers choose; upstream had no limit. */
const maxResources = 50;

/** The metrics of the node daemon. */
export class NmiMetrics {
  readonly #metrics: Metrics;
  readonly #resources = new Set<string>();
  readonly #operations;
  readonly #requests;
  readonly #upstream;
  readonly #cache;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#operations = histogram(metrics, {
      ...row('aadpodidentity_nmi_operations_duration_seconds'),
      buckets: operationBuckets,
    });
    this.#upstream = histogram(metrics, {
      ...row('aadpodidentity_imds_operations_duration_seconds'),
      buckets: tokenBuckets,
    });
    this.#requests = counter(metrics, row('azimuth_nmi_requests_total'));
    this.#cache = counter(metrics, row('azimuth_nmi_token_cache_total'));
    for (const name of [
      'aadpodidentity_imds_operations_errors_count',
      'aadpodidentity_kubernetes_api_operations_errors_count',
      'azimuth_nmi_refused_connections_total',
      'azimuth_nmi_redirection_repairs_total',
    ] as const) {
      counter(metrics, row(name));
    }
  }

  /** Counts a request. `status`: of the answer, 499 where the caller hung up. */
  request(route: string, status: number): void {
    this.#requests.inc({ route, status_code: String(status) });
  }

  /** Observes a token request, seconds. `resource` becomes a label value only after a token was issued for it. */
  operation(path: string, status: number, namespace: string, resource: string, seconds: number): void {
    if (status === 200 && this.#resources.size < maxResources) this.#resources.add(resource);
    const resourceLabel = this.#resources.has(resource) ? resource : 'other';
    this.#operations.observe(
      { operation_type: path, status_code: String(status), namespace, resource: resourceLabel },
      seconds,
    );
  }

  /** Observes a request to Entra or the metadata endpoint, seconds. */
  upstream(operation: string, seconds: number, ok: boolean): void {
    this.#upstream.observe({ operation_type: operation }, seconds);
    if (!ok) this.#count('aadpodidentity_imds_operations_errors_count', operation);
  }

  /** Counts a failed read of a Secret. */
  secretError(): void {
    this.#count('aadpodidentity_kubernetes_api_operations_errors_count', 'get_secret');
  }

  /** Counts a read of the token cache. */
  cache(result: 'hit' | 'miss'): void {
    this.#cache.inc({ result });
  }

  /** Counts a connection or request that a limit refused or ended. */
  limit(limit: Limit): void {
    counter(this.#metrics, row('azimuth_nmi_refused_connections_total')).inc({ bound: limit });
  }

  /** Registers the gauge of waiting requests, read at each scrape. */
  waiting(count: () => number): void {
    const waiting = gauge(this.#metrics, row('azimuth_nmi_waiting_requests'));
    Object.assign(waiting, { collect: () => waiting.set(count()) });
  }

  /** Sets whether the redirection rules are in place. A daemon without redirection never calls it, and has no such metric. */
  redirection(ready: boolean): void {
    gauge(this.#metrics, row('azimuth_nmi_redirection_ready')).set(ready ? 1 : 0);
  }

  /** Counts a repair of the rules. */
  repaired(family: 'ipv4' | 'ipv6'): void {
    counter(this.#metrics, row('azimuth_nmi_redirection_repairs_total')).inc({ family });
  }

  #count(name: Name, operation: string): void {
    counter(this.#metrics, { name, help: nmiMetricTable[name].help, labelNames: ['operation_type'] }).inc({
      operation_type: operation,
    });
  }
}

function row<N extends Name>(name: N) {
  const { help, labelNames } = nmiMetricTable[name];
  return { name, help, labelNames: labelNames as readonly (typeof nmiMetricTable)[N]['labelNames'][number][] };
}
