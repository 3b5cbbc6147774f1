import { counter, gauge, histogram, type Metrics } from '../base/metrics.ts';
import type { State } from '../engine/index.ts';

export interface OperatorMetrics {
  /** One ARM request for an object of the kind; `code` is the HTTP status, or an error code where there was no answer. */
  request(kind: string, request: string, code: string): void;
  /** One request to a vault for an object of the kind; status 0 where there was no answer. */
  vaultRequest(kind: string, request: string, status: number): void;
  /** The state an object was found in; undefined once it is gone. */
  state(kind: string, uid: string, state: State | undefined): void;
  /** Seconds from creation of the object to its first Ready. */
  ready(kind: string, seconds: number): void;
}

export function operatorMetrics(metrics: Metrics): OperatorMetrics {
  const requests = counter(metrics, {
    name: 'azimuth_operator_arm_requests_total',
    help: 'Requests to Azure Resource Manager by kind, request (GET, PUT, DELETE, POLL, an action) and status or error code.',
    labelNames: ['kind', 'request', 'code'],
  });
  const vaultRequests = counter(metrics, {
    name: 'azimuth_operator_vault_requests_total',
    help: 'Requests to Key Vault by kind, request (GET, PUT, PATCH, POST, DELETE) and status, 0 without an answer.',
    labelNames: ['kind', 'request', 'code'],
  });
  const resources = gauge(metrics, {
    name: 'azimuth_operator_resources',
    help: 'Custom resources by kind and state.',
    labelNames: ['kind', 'state'],
  });
  const operations = gauge(metrics, {
    name: 'azimuth_operator_operations_in_flight',
    help: 'Long-running Azure operations being polled, by kind.',
    labelNames: ['kind'],
  });
  const timeToReady = histogram(metrics, {
    name: 'azimuth_operator_time_to_ready_seconds',
    help: 'Time from the creation of a custom resource to its first Ready.',
    labelNames: ['kind'],
    buckets: [1, 5, 15, 30, 60, 120, 300, 600, 1200, 3600],
  });
  const states = new Map<string, State>();
  const change = (kind: string, state: State, by: 1 | -1) => {
    resources.inc({ kind, state }, by);
    if (state === 'Polling') operations.inc({ kind }, by);
  };
  return {
    request: (kind, request, code) => requests.inc({ kind, request, code }),
    vaultRequest: (kind, request, status) => vaultRequests.inc({ kind, request, code: String(status) }),
    state: (kind, uid, state) => {
      const old = states.get(uid);
      if (old === state) return;
      if (old) change(kind, old, -1);
      if (state) change(kind, state, 1);
      if (state) states.set(uid, state);
      else states.delete(uid);
    },
    ready: (kind, seconds) => timeToReady.observe({ kind }, seconds),
  };
}
