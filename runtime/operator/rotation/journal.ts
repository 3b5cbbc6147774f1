import { annotations } from '../../arm-kinds/names.ts';
import { type Journal, parseJournal } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type Published, publishedAt, type RotationStep } from '../export/steps.ts';
import { memoOf } from './memo.ts';

/** The journal of the object's rotation; undefined without a rotation under way. */
export function rotationJournal(object: KubeObject): Journal | undefined {
  return parseJournal(object.metadata.annotations?.[annotations.rotation]);
}

/** The keys that an object publishes now: during a rotation, those that the next step does not renew. */
export function publishedBy(object: KubeObject, steps: readonly RotationStep[]): Published {
  return publishedAt(steps, memoOf(rotationJournal(object)?.blocks['rotate']?.memo).step);
}
