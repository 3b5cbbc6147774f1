import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { programLabels } from '../private/labels.ts';
import { alerts, type MonitoredProgram } from './alerts.ts';
import { MetricsReader } from './metrics-reader.ts';

/** Properties of `Monitoring`. */
export interface MonitoringProps {
  /** The namespace of the PrometheusRules and of the PodMonitors. */
  readonly namespace: string;

  /** The version label. */
  readonly version: string;

  /** The programs to watch, with their namespaces. */
  readonly programs: Readonly<Partial<Record<MonitoredProgram, string>>>;

  /**
   * Labels that Prometheus selects PodMonitors and rules by, such as `{ release: 'kube-prometheus-stack' }`.
   *
   * @default none
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Time between two reads of `/metrics`, as Prometheus writes it.
   *
   * @default '30s'
   */
  readonly interval?: string;

  /**
   * Whether programs on nodes serve their metrics to readers with a token. PodMonitors then take the token from the Secret
   * `azimuth-metrics-reader` of their namespace.
   *
   * @default true
   */
  readonly metricsAuthentication?: boolean;

  /**
   * Address of the page with the runbooks; each alert adds its anchor.
   *
   * @default 'docs/guides/runbooks.md'
   */
  readonly runbooks?: string;
}

/**
 * A PodMonitor for each program, and a PrometheusRule for each alert of these programs, for the Prometheus operator. Its
 * definitions must exist. An alert can be left out or changed by its name. The NetworkPolicies of the programs let the namespaces of `metricsFrom` in.
 */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { namespace, version, interval = '30s', runbooks = 'docs/guides/runbooks.md' } = props;
    const authenticated = props.metricsAuthentication === false ? [] : onNodes;
    const programs = Object.entries(props.programs) as [MonitoredProgram, string][];
    for (const [program, itsNamespace] of programs) {
      const { selector, all } = programLabels(program, version);
      new ApiObject(this, `PodMonitor-${program}`, {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PodMonitor',
        metadata: { name: `azimuth-${program}`, namespace, labels: { ...all, ...props.labels } },
        spec: {
          namespaceSelector: { matchNames: [itsNamespace] },
          selector: { matchLabels: selector },
          podMetricsEndpoints: [
            { ...(authenticated.includes(program) ? withToken : { port: 'health' }), path: '/metrics', interval },
          ],
        },
      });
    }
    const own = alerts.filter((alert) => alert.programs.some((program) => program in props.programs));
    for (const { name, expr, for: time, severity, summary } of own) {
      const annotations = { summary, runbook_url: `${runbooks}#${name.toLowerCase()}` };
      new ApiObject(this, `Rule-${name}`, {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PrometheusRule',
        metadata: {
          name: kebabCase(name),
          namespace,
          labels: { ...programLabels('monitoring', version).all, ...props.labels },
        },
        spec: { groups: [{ name, rules: [{ alert: name, expr, for: time, labels: { severity }, annotations }] }] },
      });
    }
  }
}

/** Programs on the network of their node, where NetworkPolicies have no effect. */
const onNodes: readonly MonitoredProgram[] = ['nmi', 'volumes'];

/** The endpoint of such a program. Nobody signs its certificate, so the token is one that reads metrics and no more. */
const withToken = {
  port: 'metrics',
  scheme: 'https',
  tlsConfig: { insecureSkipVerify: true },
  authorization: { credentials: { name: MetricsReader.roleName, key: 'token' } },
} as const;

const kebabCase = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
