import type { Dashboard, Panel } from './grafana.ts';
import { of, one, p95, rate, sumBy } from './query.ts';
import { kubernetesRow, processesRow } from './shared-rows.ts';

const tokens: readonly Panel[] = [
  {
    title: 'Requests by route and status',
    description: 'All requests of pods. 403 has its reason in the audit line and in an event of the pod.',
    unit: 'reqps',
    stacked: true,
    queries: one(sumBy('route, status_code', rate('azimuth_nmi_requests_total')), '{{route}} {{status_code}}'),
  },
  {
    title: 'Token requests by namespace',
    description: 'Token requests of pods, by the namespace of the pod.',
    unit: 'reqps',
    stacked: true,
    queries: one(sumBy('namespace', rate('aadpodidentity_nmi_operations_duration_seconds_count')), '{{namespace}}'),
  },
  {
    title: 'Refused token requests',
    description: 'Token requests that got no token, by namespace of the pod and status.',
    unit: 'reqps',
    queries: one(
      sumBy(
        'namespace, status_code',
        rate('aadpodidentity_nmi_operations_duration_seconds_count', 'status_code!="200"'),
      ),
      '{{namespace}} {{status_code}}',
    ),
  },
  {
    title: 'Time until a token, 95th percentile',
    description: 'By the resource that the token is for. A first request may wait for its assignment.',
    unit: 's',
    queries: one(p95('aadpodidentity_nmi_operations_duration_seconds', 'resource'), '{{resource}}'),
  },
  {
    title: 'Token cache',
    description: 'Reads of the token cache. A hit needs no request to Microsoft Entra ID.',
    unit: 'ops',
    queries: one(sumBy('result', rate('azimuth_nmi_token_cache_total')), '{{result}}'),
  },
  {
    title: 'Waiting requests',
    description: 'Requests that wait for a pod or an assignment.',
    unit: 'short',
    queries: one(sumBy('instance', of('azimuth_nmi_waiting_requests')), '{{instance}}'),
  },
];

const sources: readonly Panel[] = [
  {
    title: 'Time of a new token, 95th percentile',
    description: 'Requests to Microsoft Entra ID and to the metadata endpoint of the machine.',
    unit: 's',
    queries: one(p95('aadpodidentity_imds_operations_duration_seconds', 'operation_type'), '{{operation_type}}'),
  },
  {
    title: 'Failed requests for a new token',
    description: 'Microsoft Entra ID or the metadata endpoint refused, or did not answer.',
    unit: 'ops',
    queries: one(sumBy('operation_type', rate('aadpodidentity_imds_operations_errors_count')), '{{operation_type}}'),
  },
  {
    title: 'Failed reads of Secrets',
    description: 'Secrets of AzureIdentities that the API server did not give.',
    unit: 'ops',
    queries: one(
      sumBy('operation_type', rate('aadpodidentity_kubernetes_api_operations_errors_count')),
      '{{operation_type}}',
    ),
  },
];

const node: readonly Panel[] = [
  {
    title: 'Nodes without redirection',
    description: 'Pods of such a node get no tokens, and none of them reaches the metadata endpoint of the machine.',
    unit: 'short',
    queries: one(`count(${of('azimuth_nmi_redirection_ready')} == 0) or vector(0)`, 'nodes'),
  },
  {
    title: 'Repairs of the rules',
    description: 'Somebody else on the node removes or changes the rules of the daemon.',
    unit: 'ops',
    queries: one(sumBy('instance, family', rate('azimuth_nmi_redirection_repairs_total')), '{{instance}} {{family}}'),
  },
  {
    title: 'Refused connections',
    description: 'Connections and requests beyond a limit of a pod or namespace.',
    unit: 'ops',
    queries: one(sumBy('bound', rate('azimuth_nmi_refused_connections_total')), '{{bound}}'),
  },
];

/** The work and the condition of the node daemons. */
export const nmiDashboard: Dashboard = {
  uid: 'azimuth-nmi',
  title: 'Azimuth: tokens of pods',
  program: 'nmi',
  rows: [
    { title: 'Tokens', panels: tokens },
    { title: 'Sources of tokens', panels: sources },
    { title: 'Nodes', panels: node },
    kubernetesRow,
    processesRow,
  ],
};
