import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesVersion } from './kubernetes-version.ts';

/** Properties of a PodDisruptionBudget. */
export interface PodDisruptionBudgetProps {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  readonly kubernetesVersion: KubernetesVersion;
}

/**
 * Keeps all replicas but one. Kubernetes 1.21 added policy/v1, and 1.25 removed policy/v1beta1; both have the same
 * members as far as this uses them.
 */
export function podDisruptionBudget(scope: Construct, id: string, props: PodDisruptionBudgetProps): ApiObject {
  const { name, namespace, labels, selector, kubernetesVersion } = props;
  return new ApiObject(scope, id, {
    apiVersion: kubernetesVersion.atLeast(1, 21) ? 'policy/v1' : 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace, labels: { ...labels } },
    spec: { maxUnavailable: 1, selector: { matchLabels: { ...selector } } },
  });
}
