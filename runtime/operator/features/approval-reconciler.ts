import type { ReconcileKey, ReconcileResult, Runtime, WatchedCache } from '../../kube/cache/types.ts';
import type { ApproverNames } from '../approvals/approver-names.ts';
import { writeObjectStatus } from '../object-status.ts';
import type { Readiness } from '../objects/conditions.ts';
import { type FeatureApproval, type FeatureRegistration, resyncMs } from './feature-reconciler.ts';

/** Dependencies of the reconciler of FeatureApprovals. */
export interface ApprovalReconcilerDeps {
  readonly runtime: Runtime;
  readonly registrations: Pick<WatchedCache<FeatureRegistration>, 'get'>;
  readonly approvals: WatchedCache<FeatureApproval>;
  readonly approvers: Pick<ApproverNames, 'of'>;
}

/** Reports whether a FeatureApproval is in force. The condition decides nothing: the gates read the spec. */
export class ApprovalReconciler {
  readonly #deps: ApprovalReconcilerDeps;

  constructor(deps: ApprovalReconcilerDeps) {
    this.#deps = deps;
  }

  /** Reconciles the condition of one FeatureApproval. */
  readonly reconcile = async (request: ReconcileKey, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const { runtime, approvals, registrations, approvers } = this.#deps;
    const object = approvals.get(request);
    if (!object || object.metadata.deletionTimestamp !== undefined) return undefined;
    const now = runtime.clock.now();
    const { until, for: target } = object.spec;
    const leftMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) - now;
    const readiness = approvalReadiness(target.name, until, leftMs, registrations.get(target) !== undefined);
    const { client } = runtime;
    const approver = await approvers.of(object, signal);
    const members = approver === undefined ? {} : { approver };
    await writeObjectStatus({ client, type: approvals.type, object, members, readiness, now, signal });
    return { requeueAfterMs: leftMs > 0 ? Math.min(resyncMs, leftMs + 1) : resyncMs };
  };
}

function approvalReadiness(name: string, until: string | undefined, leftMs: number, isThere: boolean): Readiness {
  if (leftMs <= 0) {
    const message = `it ended at ${until}: set a later spec.until, or delete it`;
    return { severity: 'Error', reason: 'ApprovalEnded', message };
  }
  if (isThere) return { severity: undefined, reason: 'InForce', message: '' };
  const message = `there is no FeatureRegistration ${name}; create it, or correct spec.for.name`;
  return { severity: 'Warning', reason: 'RegistrationNotFound', message };
}
