import type { Chart } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-27';
import type { MonitoredProgram } from '../monitoring/alerts.ts';
import { MetricsReader } from '../monitoring/metrics-reader.ts';
import { Monitoring } from '../monitoring/monitoring.ts';
import { ProgramDashboard } from '../monitoring/program-dashboard.ts';
import type { PlatformProps } from '../platform-props.ts';

/** Properties of the platform, with the namespace of its programs. */
type Props = PlatformProps & { readonly namespace: string };

/** Adds alerts and dashboards to the chart. `programs` has the namespace of each program that is deployed. */
export function addMonitoring(
  chart: Chart,
  applied: k8s.KubeNamespace,
  { monitoring, dashboard, namespace, version, metricsAuthentication = true }: Props,
  programs: Partial<Record<MonitoredProgram, string>>,
): void {
  if (monitoring) {
    const own = { namespace, ...monitoring, version, programs, metricsAuthentication };
    new Monitoring(chart, 'Monitoring', own).node.addDependency(applied);
  }
  for (const program of dashboard ? (Object.keys(programs) as MonitoredProgram[]) : []) {
    const own = { namespace, ...dashboard, version, program };
    new ProgramDashboard(chart, `Dashboard-${program}`, own).node.addDependency(applied);
  }
}

/** Adds the role of the readers of metrics of the programs on nodes. */
export function addMetricsReader(
  chart: Chart,
  applied: k8s.KubeNamespace,
  { metricsAuthentication = true, metricsReaders, monitoring, namespace, version }: Props,
): void {
  if (!metricsAuthentication) return;
  const accountIn = monitoring ? (monitoring.namespace ?? namespace) : undefined;
  const own = { version, accountIn, ...(metricsReaders && { accounts: metricsReaders }) };
  new MetricsReader(chart, 'MetricsReader', own).node.addDependency(applied);
}
