import type { ComputeApprovalSpec } from '../../../api/deployments/compute-approval.ts';
import { computeApproval } from '../../../api/deployments/compute-approval.ts';
import { resourceOf } from '../../../api/kinds.ts';
import { normalizeText } from '../../../base/text/normalize.ts';
import type { WatchedCache } from '../../../kube/cache/types.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { type ApproverNames, writtenName } from '../../approvals/approver-names.ts';

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

/** Reads who approved a wave. */
export class Approvals {
  readonly #cache: Pick<WatchedCache<ApprovalObject>, 'byIndex'>;
  readonly #names: Pick<ApproverNames, 'of'>;

  constructor(cache: Pick<WatchedCache<ApprovalObject>, 'byIndex'>, names: Pick<ApproverNames, 'of'>) {
    this.#cache = cache;
    this.#names = names;
  }

  /**
   * Who approved this wave, or undefined. An approval that is older than the run is for another one of its name, or was
   * given blindly, and does not count. The approval itself counts whether or not its name can be verified.
   */
  async of({ metadata: run }: KubeObject, wave: number, signal: AbortSignal): Promise<string | undefined> {
    const { creationTimestamp: made = '' } = run;
    const found = this.#cache
      .byIndex(runIndex, `${run.namespace}/${run.name}`)
      .filter(({ metadata }) => (metadata.creationTimestamp ?? '') >= made && metadata.deletionTimestamp === undefined)
      .find(({ spec }) => spec.wave === wave);
    return (
      found &&
      (await this.#names.of(found, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return `${writtenName(found)} (unverified: the admission policy could not be read)`;
      }))
    );
  }
}
