import { k8s } from 'cdk8s-plus-27';
import type { ProgramLabels } from './labels.ts';

/** The variable parts of a DaemonSet. */
export interface NodeDaemon {
  readonly labels: ProgramLabels;
  /** Nodes that are updated at a time: a number or a percentage. */
  readonly maxUnavailable: number | string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly serviceAccountName: string;
  readonly container: k8s.Container;
  readonly volumes: k8s.Volume[];
}

/** A program that runs as root on the network of every Linux node, with a toleration for all taints. */
export function nodeDaemonSet(daemon: NodeDaemon): k8s.DaemonSetSpec {
  const { labels, maxUnavailable, annotations, serviceAccountName, container, volumes } = daemon;
  const count =
    typeof maxUnavailable === 'number'
      ? k8s.IntOrString.fromNumber(maxUnavailable)
      : k8s.IntOrString.fromString(maxUnavailable);
  return {
    revisionHistoryLimit: 3,
    selector: { matchLabels: labels.selector },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: count } },
    template: {
      metadata: { labels: labels.all, ...(annotations && { annotations }) },
      spec: {
        serviceAccountName,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        hostNetwork: true,
        dnsPolicy: 'ClusterFirstWithHostNet',
        priorityClassName: 'system-node-critical',
        terminationGracePeriodSeconds: 30,
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        // Every node that runs pods needs the daemon.
        tolerations: [{ operator: 'Exists' }],
        securityContext: {
          runAsNonRoot: false,
          runAsUser: 0,
          runAsGroup: 0,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [container],
        volumes,
      },
    },
  };
}

/**
 * The argument and the port of metrics for readers with a token, on a port that no other program of the node has; without
 * authentication the health port has the metrics.
 */
export function metricsPort(
  port: number,
  authentication = true,
): { readonly args: readonly string[]; readonly ports: readonly k8s.ContainerPort[] } {
  if (!authentication) return { args: ['--metrics-port=off'], ports: [] };
  return {
    args: [`--metrics-port=${port}`],
    ports: [{ name: 'metrics', containerPort: port, protocol: 'TCP' }],
  };
}

/** Root with these capabilities only; `host` permits access to the host's files under SELinux. */
export function rootWith(capabilities: readonly string[], { host = false } = {}): k8s.SecurityContext {
  return {
    // The type of privileged containers; has no effect without SELinux.
    ...(host && { seLinuxOptions: { type: 'spc_t' } }),
    runAsUser: 0,
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'], add: [...capabilities] },
  };
}

/** Why `maxUnavailable` is neither a number above 0 nor a percentage; empty if it is one. */
export function maxUnavailableProblems(maxUnavailable: number | string): string[] {
  if (/^([1-9]\d*|[1-9]\d?%|100%)$/.test(String(maxUnavailable))) return [];
  return [`Expected \`maxUnavailable\` to be a number above 0 or a percentage, got \`${maxUnavailable}\``];
}
