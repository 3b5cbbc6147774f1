import type { Dashboard, Panel, Query } from './grafana.ts';

const rate = (metric: string, selector = '') => `rate(${metric}${selector}[$__rate_interval])`;
const sumBy = (labels: string, what: string) => `sum by (${labels}) (${what})`;
const quantile = (share: number, histogram: string, labels = '', selector = '') =>
  `histogram_quantile(${share}, ${sumBy(['le', labels].filter(Boolean).join(', '), rate(`${histogram}_bucket`, selector))})`;
const one = (expr: string, legend: string): readonly Query[] => [{ expr, legend }];
const ofKind = '{kind=~"$kind"}';

const resources: readonly Panel[] = [
  {
    title: 'Resources by state',
    description: 'Succeeded is in sync. Blocked waits for an owner, a reference or a secret; Failed for a correction.',
    unit: 'short',
    stacked: true,
    queries: one(sumBy('state', `azimuth_operator_resources${ofKind}`), '{{state}}'),
  },
  {
    title: 'Not in sync, by kind',
    description: 'Resources in progress, waiting or failed.',
    unit: 'short',
    queries: one(
      `${sumBy('group, kind, state', 'azimuth_operator_resources{kind=~"$kind",state!="Succeeded"}')} > 0`,
      '{{group}}/{{kind}} {{state}}',
    ),
  },
  {
    title: 'Operations in flight',
    description: 'Long-running operations of Azure that the operator polls.',
    unit: 'short',
    stacked: true,
    queries: one(sumBy('group, kind', `azimuth_operator_operations_in_flight${ofKind}`), '{{group}}/{{kind}}'),
  },
  {
    title: 'Time to ready, 95th percentile',
    description: 'From the creation of an object to its first Ready.',
    unit: 's',
    queries: one(quantile(0.95, 'azimuth_operator_time_to_ready_seconds', 'group, kind', ofKind), '{{group}}/{{kind}}'),
  },
  {
    title: 'Writes to Azure by kind',
    description: 'Resources in sync cause none: writes without a change in the cluster are drift that comes back.',
    unit: 'reqps',
    queries: one(
      sumBy(
        'group, kind, request',
        rate('azimuth_operator_arm_requests_total', '{kind=~"$kind",request=~"PUT|DELETE"}'),
      ),
      '{{group}}/{{kind}} {{request}}',
    ),
  },
  {
    title: 'Refused or unanswered, by kind',
    description: 'Without 404, which says that a resource does not exist.',
    unit: 'reqps',
    queries: one(
      sumBy(
        'group, kind, request, code',
        rate('azimuth_operator_arm_requests_total', '{kind=~"$kind",code!~"2..|404"}'),
      ),
      '{{group}}/{{kind}} {{request}} {{code}}',
    ),
  },
  {
    title: 'Requests to Key Vault',
    description: 'Every resync sends GETs. A PUT is a new version of a secret; secrets in sync cause none.',
    unit: 'reqps',
    queries: one(
      sumBy('group, kind, request, code', rate('azimuth_operator_vault_requests_total', '{kind=~"$kind"}')),
      '{{group}}/{{kind}} {{request}} {{code}}',
    ),
  },
  {
    title: 'Statuses that do not fit',
    description: 'Objects too large for the API server to store their status; an event has its content.',
    unit: 'ops',
    queries: one(sumBy('group, kind', rate('azimuth_operator_status_too_large_total', ofKind)), '{{group}}/{{kind}}'),
  },
];

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
    queries: one(quantile(0.95, 'azimuth_arm_request_seconds', 'method'), '{{method}}'),
  },
  {
    title: 'Throttled',
    description: 'Answers 429. The operator waits as long as each asks for.',
    unit: 'ops',
    queries: one(sumBy('class', rate('azimuth_arm_throttled_total')), '{{class}}'),
  },
  {
    title: 'Held back, 95th percentile',
    description: "Time that requests wait for the operator's own rate limit, so that Azure does not refuse them.",
    unit: 's',
    queries: one(quantile(0.95, 'azimuth_arm_throttle_wait_seconds', 'class'), '{{class}}'),
  },
  {
    title: 'Left of the limits',
    description: 'Remaining requests in the last answer of Azure, for a subscription, tenant or provider.',
    unit: 'short',
    queries: one('min by (subscription, limit) (azimuth_arm_remaining_requests)', '{{limit}} {{subscription}}'),
  },
];

const work: readonly Panel[] = [
  {
    title: 'Waiting in the queue',
    description: 'Objects that are due and wait for a worker.',
    unit: 'short',
    stacked: true,
    queries: one(`${sumBy('name', 'workqueue_depth')} > 0`, '{{name}}'),
  },
  {
    title: 'Wait in the queue, 95th percentile',
    description: 'If it grows, MAX_CONCURRENT_RECONCILES is too small or Azure too slow.',
    unit: 's',
    queries: one(quantile(0.95, 'workqueue_queue_duration_seconds', 'name'), '{{name}}'),
  },
  {
    title: 'Workers in use',
    description: 'The share of its workers that a controller uses.',
    unit: 'percentunit',
    queries: one(
      `${sumBy('controller', 'controller_runtime_active_workers')} / ${sumBy('controller', 'controller_runtime_max_concurrent_reconciles')} > 0`,
      '{{controller}}',
    ),
  },
  {
    title: 'Reconcile runs by result',
    description: 'The operator retries an error with a growing delay.',
    unit: 'ops',
    stacked: true,
    queries: one(sumBy('result', rate('controller_runtime_reconcile_total')), '{{result}}'),
  },
  {
    title: 'Longest reconcile run',
    description: 'Time since the start of the oldest run in progress.',
    unit: 's',
    queries: one('max by (name) (workqueue_longest_running_processor_seconds) > 0', '{{name}}'),
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
    description: 'The operator reopens a watch that ends; a relist reads all objects again.',
    unit: 'ops',
    queries: one(
      sumBy('resource, result', rate('azimuth_reflector_watches_total', '{result!="ended"}')),
      '{{resource}} {{result}}',
    ),
  },
  {
    title: 'Objects in memory',
    description: 'Of Secrets and ConfigMaps only the names.',
    unit: 'short',
    queries: one('max by (resource) (azimuth_cache_objects) > 0', '{{resource}}'),
  },
];

const processes: readonly Panel[] = [
  {
    title: 'Memory',
    description: 'Resident memory by replica, and the part of JavaScript.',
    unit: 'bytes',
    queries: [
      {
        expr: 'process_resident_memory_bytes and on (instance) azimuth_cache_objects',
        legend: '{{instance}} resident',
      },
      { expr: 'nodejs_heap_size_used_bytes and on (instance) azimuth_cache_objects', legend: '{{instance}} heap' },
    ],
  },
  {
    title: 'Processor',
    description: 'Seconds of processor time per second.',
    unit: 'short',
    queries: one(`${rate('process_cpu_seconds_total')} and on (instance) azimuth_cache_objects`, '{{instance}}'),
  },
  {
    title: 'Leader',
    description: 'The replica with the lease. A failure to renew it is not yet its loss.',
    unit: 'short',
    queries: [
      { expr: 'max by (instance) (leader_election_master_status)', legend: '{{instance}} leads' },
      { expr: sumBy('instance', rate('azimuth_lease_failures_total')), legend: '{{instance}} failures a second' },
    ],
  },
];

/** What the operator does, and how it fares. */
export const operatorPanels: Dashboard = {
  uid: 'azimuth-operator',
  title: 'Azimuth: Azure resources',
  tags: ['azimuth', 'azure'],
  variables: [{ name: 'kind', label: 'Kind', query: 'label_values(azimuth_operator_resources, kind)' }],
  rows: [
    { title: 'Resources', panels: resources },
    { title: 'Azure Resource Manager', panels: arm },
    { title: 'Work', panels: work },
    { title: 'Kubernetes', panels: cluster },
    { title: 'Processes', panels: processes },
  ],
};
