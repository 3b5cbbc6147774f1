import type { Dashboard, Panel } from './grafana.ts';
import { maxBy, of, one, p95, rate, sumBy } from './query.ts';
import { armRow, electedProcessesRow, kubernetesRow, workRow } from './shared-rows.ts';

const assignments: readonly Panel[] = [
  {
    title: 'Identities that pods need',
    description: 'Assignments of identities to pods, by bindings and labels.',
    unit: 'short',
    queries: one(maxBy('instance', of('azimuth_identity_desired')), '{{instance}}'),
  },
  {
    title: 'Machines with identities of pods',
    description: 'Virtual machines and scale sets that the controller changes.',
    unit: 'short',
    queries: one(maxBy('instance', of('azimuth_identity_machines')), '{{instance}}'),
  },
  {
    title: 'Time to Assigned, 95th percentile',
    description: 'From the creation of an AzureAssignedIdentity until its pod can get a token.',
    unit: 's',
    queries: one(p95('azimuth_identity_time_to_assigned_seconds'), 'time'),
  },
  {
    title: 'Assignments written',
    description: 'AzureAssignedIdentities that the controller created, updated and deleted.',
    unit: 'ops',
    queries: [
      { expr: `sum(${rate('aadpodidentity_assigned_identity_addition_count')})`, legend: 'addition' },
      { expr: `sum(${rate('aadpodidentity_assigned_identity_update_count')})`, legend: 'update' },
      { expr: `sum(${rate('aadpodidentity_assigned_identity_deletion_count')})`, legend: 'deletion' },
    ],
  },
  {
    title: 'Time to write an assignment, 95th percentile',
    description: 'It grows where the API server is slow.',
    unit: 's',
    queries: [
      { expr: p95('aadpodidentity_assigned_identity_addition_duration_seconds'), legend: 'addition' },
      { expr: p95('aadpodidentity_assigned_identity_update_duration_seconds'), legend: 'update' },
      { expr: p95('aadpodidentity_assigned_identity_deletion_duration_seconds'), legend: 'deletion' },
    ],
  },
  {
    title: 'Writes that the API server refused',
    description: 'The controller tries them again.',
    unit: 'ops',
    queries: one(
      sumBy('operation_type', rate('aadpodidentity_kubernetes_api_operations_errors_count')),
      '{{operation_type}}',
    ),
  },
];

const machines: readonly Panel[] = [
  {
    title: 'Time of requests about machines, 95th percentile',
    description: 'An update ends when Azure has finished its operation.',
    unit: 's',
    queries: one(
      p95('aadpodidentity_cloud_provider_operations_duration_seconds', 'operation_type'),
      '{{operation_type}}',
    ),
  },
  {
    title: 'Failed requests about machines',
    description: 'Azure refused a read or a change, or did not answer.',
    unit: 'ops',
    queries: one(
      sumBy('operation_type', rate('aadpodidentity_cloud_provider_operations_errors_count')),
      '{{operation_type}}',
    ),
  },
  {
    title: 'Refused identities',
    description: 'Azure refused one identity of a change and accepted the others; an event names the identity.',
    unit: 'ops',
    queries: one(sumBy('instance', rate('azimuth_identity_refused_total')), '{{instance}}'),
  },
  {
    title: 'Certificates: time until they expire',
    description: 'Certificates of AzureIdentities of type 2. Renew each before it expires.',
    unit: 's',
    queries: one(
      `min by (namespace, name) (${of('azimuth_identity_certificate_expiry_timestamp_seconds')} - time())`,
      '{{namespace}}/{{name}}',
    ),
  },
];

/** The work and the condition of the identity controller. */
export const identityDashboard: Dashboard = {
  uid: 'azimuth-identity',
  title: 'Azimuth: identities of pods',
  program: 'identity',
  rows: [
    { title: 'Assignments', panels: assignments },
    { title: 'Machines', panels: machines },
    armRow,
    workRow,
    kubernetesRow,
    electedProcessesRow,
  ],
};
