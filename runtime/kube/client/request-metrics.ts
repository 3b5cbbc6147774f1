import { counter, histogram, type Metrics } from '../../base/observability/metrics.ts';
import type { RequestSubject } from './status-error.ts';

/** Notes one request: its HTTP status, or why there was none. */
export type NoteRequest = (subject: RequestSubject, code: number | 'unreachable' | 'aborted', seconds: number) => void;

/**
 * Counts requests to the API server; durations run until the answer begins, so that watches fit in. They are by verb alone:
 * by resource too, a program that watches 75 kinds would have two thousand lines of buckets in every answer to Prometheus.
 */
export function requestMetrics(metrics: Metrics): NoteRequest {
  const requests = counter(metrics, {
    name: 'azimuth_kube_requests_total',
    help: 'Requests to the Kubernetes API server by HTTP status, `unreachable` or `aborted`.',
    labelNames: ['verb', 'resource', 'code'],
  });
  const durations = histogram(metrics, {
    name: 'azimuth_kube_request_duration_seconds',
    help: 'Time until the Kubernetes API server begins its answer.',
    labelNames: ['verb'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
  });
  return ({ verb, resource: subject }, code, seconds) => {
    // Paths would make as many series.
    const resource = subject.startsWith('/') ? 'path' : subject;
    requests.inc({ verb, resource, code: String(code) });
    durations.observe({ verb }, seconds);
  };
}
