import type { Dashboard, Panel } from './grafana.ts';
import { maxBy, of, one, rate, sumBy } from './query.ts';
import { armRow, kubernetesRow, processesRow } from './shared-rows.ts';

const requests: readonly Panel[] = [
  {
    title: 'Answers by status',
    description: '304 is a poll without a new version; 499 is a caller that hung up.',
    unit: 'reqps',
    stacked: true,
    queries: one(sumBy('status_code', rate('azimuth_secrets_requests_total')), '{{status_code}}'),
  },
  {
    title: 'Refusals by reason',
    description: 'The audit line of each refusal names the caller.',
    unit: 'reqps',
    queries: one(sumBy('reason', rate('azimuth_secrets_refusals_total')), '{{reason}}'),
  },
  {
    title: 'Long polls',
    description: 'Requests that wait for another version.',
    unit: 'short',
    queries: one(sumBy('instance', of('azimuth_secrets_waiting_requests')), '{{instance}}'),
  },
  {
    title: 'Refused connections',
    description: 'Connections that a limit refused or ended.',
    unit: 'ops',
    queries: one(sumBy('instance', rate('azimuth_secrets_refused_connections_total')), '{{instance}}'),
  },
];

const values: readonly Panel[] = [
  {
    title: 'Values in memory',
    description: 'Secrets that the endpoint can answer while their vault is away.',
    unit: 'short',
    queries: one(maxBy('instance', of('azimuth_secrets_held')), '{{instance}}'),
  },
  {
    title: 'Age of the oldest value',
    description:
      'Time since it was last known to be the newest version. The endpoint refuses values beyond maxStaleness.',
    unit: 's',
    queries: one(maxBy('instance', of('azimuth_secrets_oldest_seconds')), '{{instance}}'),
  },
];

/** The work and the condition of the secret endpoint. */
export const secretsDashboard: Dashboard = {
  uid: 'azimuth-secrets',
  title: 'Azimuth: secrets of machines',
  program: 'secrets',
  rows: [
    { title: 'Requests', panels: requests },
    { title: 'Values', panels: values },
    armRow,
    kubernetesRow,
    processesRow,
  ],
};
