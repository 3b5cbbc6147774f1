import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { programLabels } from '../private/labels.ts';
import type { MonitoredProgram } from './alerts.ts';
import { grafanaJson } from './dashboards/grafana.ts';
import { dashboards } from './dashboards/index.ts';

/** Properties of `ProgramDashboard`. */
export interface ProgramDashboardProps {
  /** The program that the dashboard shows. */
  readonly program: MonitoredProgram;

  /** The namespace of the ConfigMap, that Grafana's sidecar reads. */
  readonly namespace: string;

  /** The version label. */
  readonly version: string;

  /**
   * The label that the sidecar selects.
   *
   * @default { grafana_dashboard: '1' }, which is that of the chart kube-prometheus-stack
   */
  readonly sidecarLabels?: Readonly<Record<string, string>>;

  /**
   * The folder in Grafana, for sidecars that read `grafana_folder`.
   *
   * @default 'Azimuth'
   */
  readonly folder?: string;
}

/**
 * A Grafana dashboard of a program, in a ConfigMap that Grafana's sidecar finds by its label.
 *
 * It needs the metrics of `/metrics` in Prometheus, with the label `instance` that Prometheus adds.
 */
export class ProgramDashboard extends Construct {
  constructor(scope: Construct, id: string, props: ProgramDashboardProps) {
    super(scope, id);
    const { program, namespace, version, sidecarLabels = { grafana_dashboard: '1' }, folder = 'Azimuth' } = props;
    new k8s.KubeConfigMap(this, 'Resource', {
      metadata: {
        name: `azimuth-${program}-dashboard`,
        namespace,
        labels: { ...programLabels(program, version).all, ...sidecarLabels },
        annotations: { grafana_folder: folder },
      },
      data: { [`azimuth-${program}.json`]: `${JSON.stringify(grafanaJson(dashboards[program]), undefined, 1)}\n` },
    });
  }
}

/**
 * Properties of `OperatorDashboard`.
 *
 * @deprecated Use `ProgramDashboardProps`.
 */
export type OperatorDashboardProps = Omit<ProgramDashboardProps, 'program'>;

/**
 * The dashboard of the operator.
 *
 * @deprecated Use `ProgramDashboard`, whose program is then the operator.
 */
export class OperatorDashboard extends ProgramDashboard {
  constructor(scope: Construct, id: string, props: OperatorDashboardProps) {
    super(scope, id, { ...props, program: 'operator' });
  }
}
