import { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { KubernetesVersion } from '../private/kubernetes-version.ts';
import { bindingSpec, policySpec } from './injection-policy.ts';

/** Properties of `WorkloadIdentityPolicy`. */
export interface WorkloadIdentityPolicyProps {
  /**
   * The oldest API server that gets the manifests: at least 1.34, which has the beta version if that is switched on
   * (`--runtime-config=admissionregistration.k8s.io/v1beta1=true` and the feature gate MutatingAdmissionPolicy); from
   * 1.36 on nothing has to be switched on.
   *
   * @default '1.36'
   */
  readonly kubernetesVersion?: string | undefined;

  /**
   * Name of the policy and of its binding.
   *
   * @default 'azimuth-workload-identity'
   */
  readonly name?: string;
}

/**
 * Gives pods with the label `azure.workload.identity/use: "true"` the token and the variables of their service account, as
 * the webhook of Azure does, by a MutatingAdmissionPolicy of the API server: there is no program that could be down. One
 * policy serves the cluster. It acts on pods of the service accounts for which a `WorkloadIdentity` with `byPolicy` has
 * made the parameters, a ConfigMap in the namespace of the pods.
 */
export class WorkloadIdentityPolicy extends Construct {
  /** Name of the policy and of its binding. */
  readonly name: string;

  constructor(scope: Construct, id: string, props: WorkloadIdentityPolicyProps = {}) {
    super(scope, id);
    const { kubernetesVersion = '1.36', name = 'azimuth-workload-identity' } = props;
    this.name = name;
    const version = KubernetesVersion.of(kubernetesVersion);
    const apiVersion = `admissionregistration.k8s.io/${version.atLeast(1, 36) ? 'v1' : 'v1beta1'}`;
    const object = (kind: string, spec: object) => {
      const made = new ApiObject(this, kind, { apiVersion, kind, metadata: { name }, spec });
      // Both are cluster-scoped: the namespace of the chart is not for them.
      if (made.metadata.namespace !== undefined) made.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
    };
    object('MutatingAdmissionPolicy', policySpec);
    object('MutatingAdmissionPolicyBinding', bindingSpec(name));
    this.node.addValidation({
      validate: () =>
        version.atLeast(1, 34)
          ? []
          : [
              `Expected \`kubernetesVersion\` to be 1.34 or later, got \`${kubernetesVersion}\`: older API servers have no ` +
                'MutatingAdmissionPolicy; call `inject` of WorkloadIdentity without `byPolicy`',
            ],
    });
  }
}
