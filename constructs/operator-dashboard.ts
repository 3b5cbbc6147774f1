import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { grafanaJson } from './private/grafana.ts';
import { programLabels } from './private/labels.ts';
import { operatorPanels } from './private/operator-panels.ts';

/** Properties of `OperatorDashboard`. */
export interface OperatorDashboardProps {
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
 * A Grafana dashboard of the operator, in a ConfigMap that Grafana's sidecar finds by its label.
 *
 * It needs the metrics of `/metrics` in Prometheus, and uses only the operator's own labels.
 */
export class OperatorDashboard extends Construct {
  constructor(scope: Construct, id: string, props: OperatorDashboardProps) {
    super(scope, id);
    const sidecarLabels = props.sidecarLabels ?? { grafana_dashboard: '1' };
    new k8s.KubeConfigMap(this, 'Resource', {
      metadata: {
        name: 'azimuth-operator-dashboard',
        namespace: props.namespace,
        labels: { ...programLabels('operator', props.version).all, ...sidecarLabels },
        annotations: { grafana_folder: props.folder ?? 'Azimuth' },
      },
      data: { 'azimuth-operator.json': `${JSON.stringify(grafanaJson(operatorPanels), undefined, 1)}\n` },
    });
  }
}
