import { bodyFingerprint } from '../../arm-kinds/comparison/applied-record.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { jsonHash } from '../../base/json.ts';
import { type Journal, parseJournal } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';

import type { ReconcilePlan } from '../effects/reconcile-plan.ts';

/**
 * The hash of the desired state: a new hash starts a new journal. While an input is missing, the desired state is unknown, and the hash stays.
 */
export function hashOfDesiredState(plan: ReconcilePlan, current: Journal | undefined): string {
  const { object, policy, declared, resolution, waits } = plan;
  if (declared === undefined && waits.length > 0 && current) return current.desiredHash;
  return jsonHash({
    spec: object['spec'],
    policy,
    retry: object.metadata.annotations?.[annotations.retry],
    ...(declared && { body: bodyFingerprint(declared), inputs: resolution.inputsVersion }),
  });
}

/** The journal in the object's annotation; undefined where there is none that this release can read. */
export function journalOf(object: KubeObject): Journal | undefined {
  return parseJournal(object.metadata.annotations?.[annotations.journal]);
}
