import type { KindDefinition } from '../api/types.ts';
import { counter, gauge, histogram, type Metrics } from '../base/observability/metrics.ts';
import type { State } from '../engine/index.ts';

/** Two groups may have a kind of the same name. */
type Kind = Pick<KindDefinition, 'group' | 'kind'>;

/** The metrics of the operator. */
export interface OperatorMetrics {
  /** One ARM request for an object of the kind; `code` is the HTTP status, or an error code if there was no answer. */
  request(kind: Kind, request: string, code: string): void;
  /** One request to a vault for an object of the kind; status 0 if there was no answer. */
  vaultRequest(kind: Kind, request: string, status: number): void;
  /** The state of an object; undefined once it is deleted. */
  state(kind: Kind, uid: string, state: State | undefined): void;
  /** An object had no room for its status. */
  statusTooLarge(kind: Kind): void;
  /** Seconds from creation of the object to its first Ready. */
  ready(kind: Kind, seconds: number): void;
}

/** Registers the operator's metrics. */
export function operatorMetrics(metrics: Metrics): OperatorMetrics {
  const requests = counter(metrics, {
    name: 'azimuth_operator_arm_requests_total',
    help: 'Requests to Azure Resource Manager by group and kind, request (GET, PUT, DELETE, POLL, an action; POST for actions of an ArmResource) and status or error code.',
    labelNames: ['group', 'kind', 'request', 'code'],
  });
  const vaultRequests = counter(metrics, {
    name: 'azimuth_operator_vault_requests_total',
    help: 'Requests to Key Vault by group and kind, request (GET, PUT, PATCH, POST, DELETE) and status, 0 without an answer.',
    labelNames: ['group', 'kind', 'request', 'code'],
  });
  const resources = gauge(metrics, {
    name: 'azimuth_operator_resources',
    help: 'Custom resources by group, kind and state.',
    labelNames: ['group', 'kind', 'state'],
  });
  const operations = gauge(metrics, {
    name: 'azimuth_operator_operations_in_flight',
    help: 'Long-running Azure operations that the operator polls, by group and kind.',
    labelNames: ['group', 'kind'],
  });
  const timeToReady = histogram(metrics, {
    name: 'azimuth_operator_time_to_ready_seconds',
    help: 'Time from the creation of a custom resource to its first Ready.',
    labelNames: ['group', 'kind'],
    buckets: [1, 5, 15, 30, 60, 120, 300, 600, 1200, 3600],
  });
  const tooLarge = counter(metrics, {
    name: 'azimuth_operator_status_too_large_total',
    help: 'Statuses that the operator could not write because their object is too large, by group and kind.',
    labelNames: ['group', 'kind'],
  });
  const states = new Map<string, State>();
  const change = ({ group, kind }: Kind, state: State, by: 1 | -1) => {
    resources.inc({ group, kind, state }, by);
    if (state === 'Polling') operations.inc({ group, kind }, by);
  };
  return {
    request: ({ group, kind }, request, code) => requests.inc({ group, kind, request, code }),
    vaultRequest: ({ group, kind }, request, status) =>
      vaultRequests.inc({ group, kind, request, code: String(status) }),
    state: (kind, uid, state) => {
      const old = states.get(uid);
      if (old === state) return;
      if (old) change(kind, old, -1);
      if (state) change(kind, state, 1);
      if (state) states.set(uid, state);
      else states.delete(uid);
    },
    statusTooLarge: ({ group, kind }) => tooLarge.inc({ group, kind }),
    ready: ({ group, kind }, seconds) => timeToReady.observe({ group, kind }, seconds),
  };
}
