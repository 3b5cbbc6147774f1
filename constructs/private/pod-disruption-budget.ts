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
 * Keeps all replicas but one. policy/v1 came with Kubernetes 1.21 and policy/v1beta1 went with 1.25; both have the
 * members used here, so the version is all that differs.
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
