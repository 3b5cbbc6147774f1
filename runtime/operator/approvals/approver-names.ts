import { approvalPolicyName } from '../../api/deployments/approval-policy.ts';
import { isForbidden, isNotFound } from '../../kube/client/status-error.ts';
import type { KubeClient, ResourceType } from '../../kube/client/types.ts';

const policies: ResourceType = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  namespaced: false,
};
const bindings: ResourceType = {
  ...policies,
  plural: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
};

/** An approval of any kind, or the part of it that says who gave it, and when. */
export interface NamedApproval {
  readonly metadata: { readonly creationTimestamp?: string | undefined };
  readonly spec: { readonly approvedBy?: string | undefined };
}

/** The name in an approval as somebody wrote it; undefined where it names no one. */
export function writtenName({ spec: { approvedBy } }: NamedApproval): string | undefined {
  return approvedBy === undefined || approvedBy === '' ? undefined : String(approvedBy).slice(0, 253);
}

/** Names of the people who gave approvals. */
export class ApproverNames {
  readonly #client: Pick<KubeClient, 'tryGet'>;

  constructor(client: Pick<KubeClient, 'tryGet'>) {
    this.#client = client;
  }

  /**
   * Who gave an approval; undefined where it names no one. The name is the user's own where Azimuth's admission policy was
   * in force when the approval was made; otherwise anybody may have written any name, and the text says so.
   * Throws where the API server does not answer whether the policy is there.
   */
  async of(approval: NamedApproval, signal: AbortSignal): Promise<string | undefined> {
    const name = writtenName(approval);
    if (name === undefined) return undefined;
    const isVerified = await this.#isInForceSince(approval.metadata.creationTimestamp ?? '', signal);
    return isVerified ? name : `${name} (unverified: no admission policy holds the name)`;
  }

  async #isInForceSince(time: string, signal: AbortSignal): Promise<boolean> {
    const key = { name: approvalPolicyName };
    const read = (type: ResourceType) => this.#client.tryGet(type, key, signal).catch(absentIfRefused);
    const policyAndBinding = await Promise.all([policies, bindings].map(read));
    return policyAndBinding.every((each) => (each?.metadata.creationTimestamp ?? '~') <= time);
  }
}

/** An API server that has no such kinds, or that does not show them to the operator, verifies no name. */
function absentIfRefused(error: unknown): undefined {
  if (!isForbidden(error) && !isNotFound(error)) throw error;
}
