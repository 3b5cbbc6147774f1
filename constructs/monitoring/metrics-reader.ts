import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { programLabels } from '../private/labels.ts';

/** A service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Properties of `MetricsReader`. */
export interface MetricsReaderProps {
  /** The version label. */
  readonly version: string;

  /**
   * Service accounts that may read the metrics, such as that of a Prometheus with a configuration of its own.
   *
   * @default none
   */
  readonly accounts?: readonly ServiceAccountName[];

  /**
   * Namespace of a service account for PodMonitors, with a Secret that has its token.
   *
   * @default no such account
   */
  readonly accountIn?: string | undefined;
}

/**
 * The right to read the metrics of the programs on nodes, whose ports every pod reaches: a ClusterRole with the URL
 * `/metrics` and nothing else, and the accounts that have it. A PodMonitor takes its token from a Secret. That of Prometheus
 * itself would do more than read metrics, so the Secret has the token of an account that may do nothing else.
 */
export class MetricsReader extends Construct {
  /** Name of the ClusterRole, of its binding, and of the service account with its Secret. */
  static readonly roleName = 'azimuth-metrics-reader';

  constructor(scope: Construct, id: string, { version, accounts = [], accountIn }: MetricsReaderProps) {
    super(scope, id);
    const labels = programLabels('monitoring', version).all;
    const own = accountIn === undefined ? [] : [{ name: MetricsReader.roleName, namespace: accountIn }];
    if (accountIn !== undefined) {
      const metadata = { name: MetricsReader.roleName, namespace: accountIn, labels };
      const account = new k8s.KubeServiceAccount(this, 'ServiceAccount', {
        metadata,
        automountServiceAccountToken: false,
      });
      // kube-controller-manager deletes a Secret whose account does not exist.
      new k8s.KubeSecret(this, 'Secret', {
        metadata: { ...metadata, annotations: { 'kubernetes.io/service-account.name': MetricsReader.roleName } },
        type: 'kubernetes.io/service-account-token',
      }).node.addDependency(account);
    }
    const metadata = { name: MetricsReader.roleName, labels };
    new k8s.KubeClusterRole(this, 'ClusterRole', {
      metadata,
      rules: [{ nonResourceUrLs: ['/metrics'], verbs: ['get'] }],
    });
    const subjects = [...own, ...accounts].map(({ namespace, name }) => ({ kind: 'ServiceAccount', namespace, name }));
    if (subjects.length === 0) return;
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: MetricsReader.roleName };
    new k8s.KubeClusterRoleBinding(this, 'ClusterRoleBinding', { metadata, roleRef, subjects });
  }
}
