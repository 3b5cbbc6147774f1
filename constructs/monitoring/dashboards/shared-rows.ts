import type { Panel, Row } from './grafana.ts';
import { maxBy, of, one, p95, rate, sumBy } from './query.ts';

const arm: readonly Panel[] = [
  {
    title: 'Requests by status',
    description: '0 is no answer.',
    unit: 'reqps',
    stacked: true,
    queries: one(sumBy('method, status', rate('azimuth_arm_requests_total')), '{{method}} {{status}}'),
  },
  {
    title: 'Time until the answer, 95th percentile',
    description: 'Without waiting for a token or for the rate limit.',
    unit: 's',
    queries: one(p95('azimuth_arm_request_seconds', 'method'), '{{method}}'),
  },
  {
    title: 'Throttled',
    description: 'Answers 429. The program waits as long as each asks for.',
    unit: 'ops',
    queries: one(sumBy('class', rate('azimuth_arm_throttled_total')), '{{class}}'),
  },
  {
    title: 'Held back, 95th percentile',
    description: "Time that requests wait for the program's own rate limit, so that Azure does not refuse them.",
    unit: 's',
    queries: one(p95('azimuth_arm_throttle_wait_seconds', 'class'), '{{class}}'),
  },
  {
    title: 'Left of the limits',
    description: 'Remaining requests in the last answer of Azure, for a subscription, tenant or provider.',
    unit: 'short',
    queries: one(
      `min by (subscription, limit) (${of('azimuth_arm_remaining_requests')})`,
      '{{limit}} {{subscription}}',
    ),
  },
];

const work: readonly Panel[] = [
  {
    title: 'Waiting in the queue',
    description: 'Objects that are due and wait for a worker.',
    unit: 'short',
    stacked: true,
    queries: one(`${sumBy('name', of('workqueue_depth'))} > 0`, '{{name}}'),
  },
  {
    title: 'Wait in the queue, 95th percentile',
    description: 'It grows where the program has too few workers, or Azure is too slow.',
    unit: 's',
    queries: one(p95('workqueue_queue_duration_seconds', 'name'), '{{name}}'),
  },
  {
    title: 'Workers in use',
    description: 'The share of its workers that a controller uses.',
    unit: 'percentunit',
    queries: one(
      `${sumBy('controller', of('controller_runtime_active_workers'))} / ${sumBy('controller', of('controller_runtime_max_concurrent_reconciles'))} > 0`,
      '{{controller}}',
    ),
  },
  {
    title: 'Reconcile runs by result',
    description: 'The program retries an error with a growing delay.',
    unit: 'ops',
    stacked: true,
    queries: one(sumBy('result', rate('controller_runtime_reconcile_total')), '{{result}}'),
  },
  {
    title: 'Longest reconcile run',
    description: 'Time since the start of the oldest run in progress.',
    unit: 's',
    queries: one(`${maxBy('name', of('workqueue_longest_running_processor_seconds'))} > 0`, '{{name}}'),
  },
  {
    title: 'Retries',
    description: 'Reconcile runs after a failure.',
    unit: 'ops',
    queries: one(`${sumBy('name', rate('workqueue_retries_total'))} > 0`, '{{name}}'),
  },
];

const cluster: readonly Panel[] = [
  {
    title: 'Requests to the API server',
    description: 'By verb and status.',
    unit: 'reqps',
    stacked: true,
    queries: one(sumBy('verb, code', rate('azimuth_kube_requests_total')), '{{verb}} {{code}}'),
  },
  {
    title: 'Watches that did not end well',
    description: 'The program reopens a watch that ends; a relist reads all objects again.',
    unit: 'ops',
    queries: one(
      sumBy('resource, result', rate('azimuth_reflector_watches_total', 'result!="ended"')),
      '{{resource}} {{result}}',
    ),
  },
  {
    title: 'Objects in memory',
    description: 'Of Secrets and ConfigMaps only the names.',
    unit: 'short',
    queries: one(`${maxBy('resource', of('azimuth_cache_objects'))} > 0`, '{{resource}}'),
  },
];

const processes: readonly Panel[] = [
  {
    title: 'Memory',
    description: 'Resident memory by replica, and the part of JavaScript.',
    unit: 'bytes',
    queries: [
      { expr: of('process_resident_memory_bytes'), legend: '{{instance}} resident' },
      { expr: of('nodejs_heap_size_used_bytes'), legend: '{{instance}} heap' },
    ],
  },
  {
    title: 'Processor',
    description: 'Seconds of processor time per second.',
    unit: 'short',
    queries: one(rate('process_cpu_seconds_total'), '{{instance}}'),
  },
  {
    title: 'Event loop',
    description: 'Time by which the event loop is late, 99th percentile since the last scrape.',
    unit: 's',
    queries: one(of('nodejs_eventloop_lag_p99_seconds'), '{{instance}}'),
  },
];

const leader: Panel = {
  title: 'Leader',
  description: 'The replica with the lease. A failure to renew it is not yet its loss.',
  unit: 'short',
  queries: [
    { expr: maxBy('instance', of('leader_election_master_status')), legend: '{{instance}} leads' },
    { expr: sumBy('instance', rate('azimuth_lease_failures_total')), legend: '{{instance}} failures a second' },
  ],
};

const events: Panel = {
  title: 'Events that were not written',
  description: 'The program had too many series of events, or the API server refused them.',
  unit: 'ops',
  queries: one(sumBy('instance', rate('azimuth_events_discarded_total')), '{{instance}}'),
};

/** Requests to Azure Resource Manager. */
export const armRow: Row = { title: 'Azure Resource Manager', panels: arm };
/** Queues and reconcile runs of a program with controllers. */
export const workRow: Row = { title: 'Work', panels: work };
/** The reads of a program from the API server. */
export const kubernetesRow: Row = { title: 'Kubernetes', panels: [...cluster, events] };
/** The processes of a program. */
export const processesRow: Row = { title: 'Processes', panels: processes };
/** The processes of a program of which one replica works at a time. */
export const electedProcessesRow: Row = { title: 'Processes', panels: [...processes, leader] };
