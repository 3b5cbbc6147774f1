import type { Dashboard, Panel } from './grafana.ts';
import { of, one, p95, rate, sumBy } from './query.ts';
import { armRow, electedProcessesRow, kubernetesRow, workRow } from './shared-rows.ts';

const ofKind = 'kind=~"$kind"';

const resources: readonly Panel[] = [
  {
    title: 'Resources by state',
    description: 'Succeeded is in sync. Blocked waits for an owner, a reference or a secret; Failed for a correction.',
    unit: 'short',
    stacked: true,
    queries: one(sumBy('state', of('azimuth_operator_resources', ofKind)), '{{state}}'),
  },
  {
    title: 'Not in sync, by kind',
    description: 'Resources in progress, waiting or failed.',
    unit: 'short',
    queries: one(
      `${sumBy('group, kind, state', of('azimuth_operator_resources', ofKind, 'state!="Succeeded"'))} > 0`,
      '{{group}}/{{kind}} {{state}}',
    ),
  },
  {
    title: 'Operations in flight',
    description: 'Long-running operations of Azure that the operator polls.',
    unit: 'short',
    stacked: true,
    queries: one(sumBy('group, kind', of('azimuth_operator_operations_in_flight', ofKind)), '{{group}}/{{kind}}'),
  },
  {
    title: 'Time to ready, 95th percentile',
    description: 'From the creation of an object to its first Ready.',
    unit: 's',
    queries: one(p95('azimuth_operator_time_to_ready_seconds', 'group, kind', ofKind), '{{group}}/{{kind}}'),
  },
  {
    title: 'Writes to Azure by kind',
    description: 'Resources in sync cause none: writes without a change in the cluster are drift that comes back.',
    unit: 'reqps',
    queries: one(
      sumBy('group, kind, request', rate('azimuth_operator_arm_requests_total', ofKind, 'request=~"PUT|DELETE"')),
      '{{group}}/{{kind}} {{request}}',
    ),
  },
  {
    title: 'Refused or unanswered, by kind',
    description: 'Without 404, which says that a resource does not exist.',
    unit: 'reqps',
    queries: one(
      sumBy('group, kind, request, code', rate('azimuth_operator_arm_requests_total', ofKind, 'code!~"2..|404"')),
      '{{group}}/{{kind}} {{request}} {{code}}',
    ),
  },
  {
    title: 'Requests to Key Vault',
    description: 'Every resync sends GETs. A PUT is a new version of a secret; secrets in sync cause none.',
    unit: 'reqps',
    queries: one(
      sumBy('group, kind, request, code', rate('azimuth_operator_vault_requests_total', ofKind)),
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

/** The work and the condition of the operator. */
export const operatorDashboard: Dashboard = {
  uid: 'azimuth-operator',
  title: 'Azimuth: Azure resources',
  program: 'operator',
  variables: [{ name: 'kind', label: 'Kind', query: 'label_values(azimuth_operator_resources, kind)' }],
  rows: [{ title: 'Resources', panels: resources }, armRow, workRow, kubernetesRow, electedProcessesRow],
};
