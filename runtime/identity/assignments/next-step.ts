import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import type { AttachmentReference } from '../machines/attachment-reference.ts';
import type { Assigned, AssignedState } from '../objects.ts';
import {
  assignedFinalizer,
  assignedObject,
  clientIdAnnotation,
  formerAnnotations,
  saysTheSame,
  verifiedClientId,
} from './assigned-object.ts';
import type { Desired } from './desired.ts';

/** What is known of an identity on a machine. */
export type AttachmentState = 'attached' | 'detached' | 'unknown';

/** What a decision may read besides the object and the desired state. */
export interface View {
  attachment(reference: AttachmentReference): AttachmentState;
}

/** The one write that brings an assignment closer to the desired state. */
export type Step =
  | { readonly kind: 'none' }
  /** Something has to happen at the machine first; its worker enqueues the assignment. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'create'; readonly object: Assigned }
  | { readonly kind: 'replace'; readonly object: Assigned }
  | { readonly kind: 'patch'; readonly body: object; readonly state: AssignedState }
  /** No pod has it any more, or somebody deletes it: remove the finalizer and delete it. */
  | { readonly kind: 'finish' };

const none: Step = { kind: 'none' };
const wait: Step = { kind: 'wait' };

/**
 * Decides what to write next. The object tells others what a pod has; it steers nothing: what is attached follows from
 * the desired state, what is detached from the controller's own records. So a crash between two writes changes nothing
 * about what follows, and neither does an object that somebody else wrote.
 *
 * A pod whose identity is exchanged for another keeps the old one until the new one is attached.
 */
export function nextStep(current: Assigned | undefined, desired: Desired | undefined, view: View): Step {
  if (!current) {
    return desired
      ? { kind: 'create', object: assignedObject(desired, isReady(desired, view) ? 'Assigned' : 'Created') }
      : none;
  }
  if (!desired || current.metadata.deletionTimestamp) {
    const over = current.metadata.deletionTimestamp && !hasFinalizer(current, assignedFinalizer);
    return over ? none : { kind: 'finish' };
  }
  return update(current, desired, view);
}

function update(current: Assigned, desired: Desired, view: View): Step {
  const state = stateOf(current);
  const ready = isReady(desired, view);
  if (saysTheSame(current, desired)) {
    return correct(current, desired, ready || state === 'Assigned' ? 'Assigned' : state === '' ? '' : 'Created');
  }
  const serves = state === 'Assigned' || state === '';
  if (serves && !ready && desired.replaces && embeds(current, desired, desired.replaces.identity)) return wait;
  // A change beside the identity itself, as of its client id or its binding.
  const same = serves && desired.attachable && embeds(current, desired, desired.reference?.identity);
  return { kind: 'replace', object: assignedObject(desired, ready || same ? 'Assigned' : 'Created', current) };
}

/** The same content: state, annotations and finalizer are corrected, in one patch, where they differ. */
function correct(current: Assigned, desired: Desired, state: AssignedState): Step {
  const { resourceVersion, finalizers = [], annotations = {} } = current.metadata;
  const changes: Record<string, unknown> = {};
  for (const former of formerAnnotations) if (annotations[former] !== undefined) changes[former] = null;
  const clientId = verifiedClientId(desired);
  if (clientId !== undefined && annotations[clientIdAnnotation] !== clientId) changes[clientIdAnnotation] = clientId;
  const annotate = Object.keys(changes).length > 0;
  const finalize = !finalizers.includes(assignedFinalizer);
  if (!annotate && !finalize && state === stateOf(current)) return state === 'Assigned' ? none : wait;
  const metadata = {
    resourceVersion,
    ...(annotate && { annotations: changes }),
    ...(finalize && { finalizers: [...finalizers, assignedFinalizer] }),
  };
  const status = state === stateOf(current) ? {} : { status: { status: state, availableReplicas: 1 } };
  return { kind: 'patch', body: { metadata, ...status }, state };
}

/** Whether the object gives this identity to the pod on the node where the pod is. */
function embeds({ spec }: Assigned, { node }: Desired, identity: string | undefined): boolean {
  const { type = 0, resourceID = '' } = spec?.azureIdentityRef?.spec ?? {};
  return (
    identity !== undefined && type === 0 && spec?.nodename === node && normalizeResourceId(resourceID) === identity
  );
}

/** Whether nothing has to be waited for: outside its windows the node daemon refuses the identity by itself. */
function isReady({ attachable, reference, verification, windows }: Desired, view: View): boolean {
  if (!attachable) return true;
  if (verification.state !== 'verified' || !reference) return false;
  return windows !== 'attach' || view.attachment(reference) === 'attached';
}

/** `status.status` of the object. */
export function stateOf({ status }: Assigned): AssignedState {
  return (status?.status ?? '') as AssignedState;
}
