import { approvalPolicyName } from '../../../api/deployments/approval-policy.ts';
import type { ComputeApprovalSpec } from '../../../api/deployments/compute-approval.ts';
import { computeApproval } from '../../../api/deployments/compute-approval.ts';
import { resourceOf } from '../../../api/kinds.ts';
import { normalizeText } from '../../../base/text/normalize.ts';
import type { WatchedCache } from '../../../kube/cache/types.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../kube/client/types.ts';

/** A ComputeApproval as the API server has it. */
export type ApprovalObject = KubeObject & { spec: ComputeApprovalSpec };

/** ComputeApprovals, as the client addresses them. */
export const approvalType = resourceOf(computeApproval);
/** Index of approvals by their run: `namespace/run`. */
export const runIndex = 'run';

/** The keys of an approval in `runIndex`. Blanks around the name, which a person writes, do not count. */
export function runKeysOf({ metadata, spec }: ApprovalObject): string[] {
  return [`${metadata.namespace}/${normalizeText(String(spec?.run))}`];
}

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

/** Reads who approved a wave. */
export class Approvals {
  readonly #cache: Pick<WatchedCache<ApprovalObject>, 'byIndex'>;
  readonly #client: Pick<KubeClient, 'tryGet'>;

  constructor(cache: Pick<WatchedCache<ApprovalObject>, 'byIndex'>, client: Pick<KubeClient, 'tryGet'>) {
    this.#cache = cache;
    this.#client = client;
  }

  /**
   * Who approved this wave, or undefined. An approval that is older than the run is for another one of its name, or was
   * given blindly, and does not count. The name is the user's own where Azimuth's admission policy was in force when it
   * was made; otherwise anybody may have written any name, and the text says so.
   */
  async of({ metadata: run }: KubeObject, wave: number, signal: AbortSignal): Promise<string | undefined> {
    const { creationTimestamp: made = '' } = run;
    const found = this.#cache
      .byIndex(runIndex, `${run.namespace}/${run.name}`)
      .filter(({ metadata }) => (metadata.creationTimestamp ?? '') >= made && metadata.deletionTimestamp === undefined)
      .find(({ spec }) => spec.wave === wave);
    if (!found) return undefined;
    const name = String(found.spec.approvedBy).slice(0, 253);
    return (await this.#isVerified(found, signal)) ? name : `${name} (unverified: no admission policy holds the name)`;
  }

  async #isVerified(
    { metadata: { creationTimestamp: at = '' } }: ApprovalObject,
    signal: AbortSignal,
  ): Promise<boolean> {
    const key = { name: approvalPolicyName };
    const found = await Promise.all([policies, bindings].map((type) => this.#client.tryGet(type, key, signal))).catch(
      () => [],
    );
    return found.length > 0 && found.every((each) => (each?.metadata.creationTimestamp ?? '~') <= at);
  }
}
