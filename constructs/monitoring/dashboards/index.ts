import type { MonitoredProgram } from '../alerts.ts';
import type { Dashboard } from './grafana.ts';
import { identityDashboard } from './identity.ts';
import { nmiDashboard } from './nmi.ts';
import { operatorDashboard } from './operator.ts';
import { secretsDashboard } from './secrets.ts';
import { volumesDashboard } from './volumes.ts';

/** The dashboard of each program. */
export const dashboards: Readonly<Record<MonitoredProgram, Dashboard>> = {
  operator: operatorDashboard,
  identity: identityDashboard,
  nmi: nmiDashboard,
  secrets: secretsDashboard,
  volumes: volumesDashboard,
};
