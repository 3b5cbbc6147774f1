import type { Condition } from '../../../api/common-schemas.ts';
import { classOfCode } from '../../../azure/arm/error-classes.ts';
import { rollReasons } from '../../../compute/rolls/roll-plan.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { readyCondition } from '../../objects/conditions.ts';

/** The condition of machines with ManagedSecrets: each instance has the newest model. */
const delivered = 'SecretsDelivered';
/** Milliseconds that a failure from before a new try is not taken for its result. */
const oldFailureMs = 60_000;

/** The state of a node's object in the cluster. */
export type Observation =
  | { readonly state: 'Absent' | 'Changed' | 'Foreign' }
  | {
      readonly state: 'Ready' | 'Failed' | 'Progressing';
      readonly reason: string;
      readonly message: string;
      /** Whether the cache shows the object as it was applied. */
      readonly isSeen: boolean;
    };

/** Codes of Azure for images that do not exist; the operator tries again, since somebody may publish one. */
const imageCodes: ReadonlySet<string> = new Set(['ImageNotFound', 'PlatformImageNotFound', 'GalleryImageNotFound']);

/**
 * Whether a reason is a failure that lasts until somebody changes something: Azure has refused the body of a request, or
 * the instances of a set are ill with the new model.
 */
function isFailure(reason: string): boolean {
  return classOfCode(reason) === 'verySlow' || imageCodes.has(reason) || reason === rollReasons.stopped;
}

/** An object that the cache does not show yet. */
export const progressing = { state: 'Progressing', reason: '', message: '', isSeen: false } as const;

/** The conditions of an object. */
export function conditionsOf(object: KubeObject | undefined): readonly Condition[] | undefined {
  return (object?.['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions;
}

/**
 * The state that the conditions of an object show.
 *
 * @param refused Whether Azure refused the last try for it.
 */
export function readinessOf(object: KubeObject, appliedAt: number, now: number, refused: boolean): Observation {
  const conditions = conditionsOf(object);
  const ready = readyCondition(conditions);
  if (!ready || ready.observedGeneration !== object.metadata.generation) return { ...progressing, isSeen: true };
  const { reason, message = '' } = ready;
  if (ready.status === 'True') {
    const roll = conditions?.find(({ type }) => type === delivered);
    if (!roll || roll.status === 'True') return { state: 'Ready', reason, message: '', isSeen: true };
    return { state: 'Progressing', reason: roll.reason, message: roll.message ?? '', isSeen: true };
  }
  const isOld = Date.parse(ready.lastTransitionTime) < appliedAt - 1000 && now - appliedAt < oldFailureMs;
  const isFailed =
    (ready.severity === 'Error' || (ready.severity === 'Warning' && (refused || isFailure(reason)))) && !isOld;
  return { state: isFailed ? 'Failed' : 'Progressing', reason, message, isSeen: true };
}
