import { annotations } from '../arm-kinds/names.ts';
import type { CacheChange } from '../kube/cache/types.ts';
import { isBeingDeletedInAzure } from './lifecycle/deletion.ts';
import { isReady } from './objects/conditions.ts';

/** The predicate of all controllers: changes of the desired state, not of the status or the operator's annotations. */
export function isRelevantChange(change: CacheChange): boolean {
  if (change.type !== 'updated') return true;
  const { object, old } = change;
  return (
    object.metadata.generation !== old.metadata.generation ||
    object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    annotationChanged(change, annotations.reconcilePolicy) ||
    annotationChanged(change, annotations.credentialFrom) ||
    annotationChanged(change, annotations.adopt) ||
    annotationChanged(change, annotations.ignoreFields) ||
    annotationChanged(change, annotations.retry) ||
    annotationChanged(change, annotations.rotateCredentials) ||
    annotationChanged(change, annotations.rotateKeys) ||
    annotationChanged(change, annotations.rotationOverlap) ||
    // Once Azure has the resource, only a user changes this annotation: the run repairs or reports it.
    (object['status']?.id !== undefined && annotationChanged(change, annotations.resourceId))
  );
}

/** Which dependents of an object to enqueue: all, or those that are not Ready. */
export type Dependents = 'all' | 'unready';

/**
 * Which dependents to enqueue when an object changes. All dependents use its id and notice its deletion; its Ready
 * condition only helps dependents that Azure refused in the meantime.
 */
export function dependentsToEnqueue(change: CacheChange): Dependents | undefined {
  if (change.type !== 'updated') return 'all';
  const { object, old } = change;
  if (
    object['status']?.id !== old['status']?.id ||
    object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    annotationChanged(change, annotations.resourceId) ||
    isBeingDeletedInAzure(object) !== isBeingDeletedInAzure(old)
  ) {
    return 'all';
  }
  return isReady(object['status']?.conditions) && !isReady(old['status']?.conditions) ? 'unready' : undefined;
}

/** Whether an update changes the value of an annotation. */
export function annotationChanged(change: Extract<CacheChange, { type: 'updated' }>, annotation: string): boolean {
  return change.object.metadata.annotations?.[annotation] !== change.old.metadata.annotations?.[annotation];
}
