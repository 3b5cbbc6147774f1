import { approvalPolicyName } from '../../api/deployments/approval-policy.ts';
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

/** Names of the people who gave approvals. */
export class ApproverNames {
  readonly #client: Pick<KubeClient, 'tryGet'>;

  constructor(client: Pick<KubeClient, 'tryGet'>) {
    this.#client = client;
  }

  /**
   * Who gave an approval; undefined where it names no one. The name is the user's own where Azimuth's admission policy was
   * in force when the approval was made; otherwise anybody may have written any name, and the text says so.
   */
  async of({ metadata, spec }: NamedApproval, signal: AbortSignal): Promise<string | undefined> {
    const { approvedBy } = spec;
    if (approvedBy === undefined || approvedBy === '') return undefined;
    const name = String(approvedBy).slice(0, 253);
    const isVerified = await this.#isInForceSince(metadata.creationTimestamp ?? '', signal);
    return isVerified ? name : `${name} (unverified: no admission policy holds the name)`;
  }

  async #isInForceSince(time: string, signal: AbortSignal): Promise<boolean> {
    const key = { name: approvalPolicyName };
    const found = await Promise.all([policies, bindings].map((type) => this.#client.tryGet(type, key, signal))).catch(
      () => [],
    );
    return found.length > 0 && found.every((each) => (each?.metadata.creationTimestamp ?? '~') <= time);
  }
}
