import type { Dashboard, Panel } from './grafana.ts';
import { maxBy, of, one, p95, rate, sumBy } from './query.ts';
import { kubernetesRow, processesRow } from './shared-rows.ts';

const volumes: readonly Panel[] = [
  {
    title: 'Mounts by result',
    description: 'Volumes that kubelet requested. A failed one has its reason in an event of the pod.',
    unit: 'ops',
    stacked: true,
    queries: one(sumBy('result', rate('azimuth_volumes_mounts_total')), '{{result}}'),
  },
  {
    title: 'Time of a mount, 95th percentile',
    description: 'With the authentication of the pod, its token, the answers of the vault and the formats.',
    unit: 's',
    queries: one(p95('azimuth_volumes_mount_duration_seconds'), 'time'),
  },
  {
    title: 'Refreshed volumes',
    description: 'Volumes whose files follow the vault.',
    unit: 'short',
    queries: one(`sum(${of('azimuth_volumes_kept')})`, 'volumes'),
  },
  {
    title: 'Refreshes by result',
    description: 'Reads of refreshed volumes: unchanged, changed or failed.',
    unit: 'ops',
    stacked: true,
    queries: one(sumBy('result', rate('azimuth_volumes_refreshes_total')), '{{result}}'),
  },
  {
    title: 'Oldest content',
    description: 'Time since the last successful read, of the volume with the oldest one on each node.',
    unit: 's',
    queries: one(maxBy('instance', of('azimuth_volumes_refresh_age_seconds')), '{{instance}}'),
  },
  {
    title: 'Restarts of workloads',
    description: 'Restarts that volumes request after a change, by result.',
    unit: 'ops',
    queries: one(sumBy('result', rate('azimuth_volumes_restarts_total')), '{{result}}'),
  },
];

const driver: readonly Panel[] = [
  {
    title: 'Nodes without the driver',
    description: 'Nodes on which the FlexVolume driver is missing, or is another one.',
    unit: 'short',
    queries: one(`count(${of('azimuth_volumes_driver_installed')} == 0) or vector(0)`, 'nodes'),
  },
  {
    title: 'Repairs of the driver',
    description: 'Somebody else on the node removes or changes the driver.',
    unit: 'ops',
    queries: one(sumBy('instance', rate('azimuth_volumes_driver_repairs_total')), '{{instance}}'),
  },
];

/** The work and the condition of the node agents of Key Vault volumes. */
export const volumesDashboard: Dashboard = {
  uid: 'azimuth-volumes',
  title: 'Azimuth: Key Vault volumes',
  program: 'volumes',
  rows: [
    { title: 'Volumes', panels: volumes },
    { title: 'FlexVolume driver', panels: driver },
    kubernetesRow,
    processesRow,
  ],
};
