import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import type { AttachmentReference } from '../attachments/attachment-reference.ts';
import type { Assigned, AssignedState } from '../objects.ts';
import {
  assignedFinalizer,
  assignedObject,
  clientIdAnnotation,
  formerAnnotations,
  hasDesiredContent,
  verifiedClientId,
} from './assigned-object.ts';
import type { Desired } from './desired.ts';

/** The state of an identity on a machine. */
export type AttachmentState = 'attached' | 'detached' | 'unknown';

/** The observed state of machines, as far as a decision needs it. */
export interface View {
  /** The state of one identity on its machine. */
  attachment(reference: AttachmentReference): AttachmentState;
  /** Whether the desired assignments of all pods are known: an object of an unknown one stays as it is. */
  isComplete(): boolean;
}

/** The next write of an assignment. */
export type Step =
  | { readonly kind: 'none' }
  /** The machine has to change first; its worker enqueues the assignment. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'create'; readonly object: Assigned }
  | { readonly kind: 'replace'; readonly object: Assigned }
  | { readonly kind: 'patch'; readonly body: object; readonly state: AssignedState }
  /** No pod needs it any more, or somebody deletes it: remove the finalizer and delete it. */
  | { readonly kind: 'finish' };

const none: Step = { kind: 'none' };
const wait: Step = { kind: 'wait' };

/**
 * Decides the next write. The object only reports which identity a pod has: the controller attaches by the desired
 * state and detaches by its own records. So neither a crash between two writes nor a foreign write to the object
 * changes its actions.
 *
 * A pod whose identity is replaced keeps the old one until the new one is attached.
 */
export function nextStep(current: Assigned | undefined, desired: Desired | undefined, view: View): Step {
  if (!current) {
    return desired
      ? { kind: 'create', object: assignedObject(desired, isReady(desired, view) ? 'Assigned' : 'Created') }
      : none;
  }
  if (!view.isComplete() && !isOf(current, desired)) return wait;
  if (!desired || current.metadata.deletionTimestamp) {
    const over = current.metadata.deletionTimestamp && !hasFinalizer(current, assignedFinalizer);
    return over ? none : { kind: 'finish' };
  }
  return update(current, desired, view);
}

function update(current: Assigned, desired: Desired, view: View): Step {
  const state = stateOf(current);
  const ready = isReady(desired, view);
  if (hasDesiredContent(current, desired)) {
    return correct(current, desired, ready || state === 'Assigned' ? 'Assigned' : state === '' ? '' : 'Created');
  }
  const serves = state === 'Assigned' || state === '';
  if (serves && !ready && desired.replaces && embeds(current, desired, desired.replaces.identity)) return wait;
  // The identity itself is the same; its client id or binding changed.
  const same = serves && desired.attachable && embeds(current, desired, desired.reference?.identity);
  return { kind: 'replace', object: assignedObject(desired, ready || same ? 'Assigned' : 'Created', current) };
}

/** For an object with the desired content: one patch of state, annotations and finalizer where they differ. */
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

/** Whether the object is of the pod of this assignment. */
function isOf({ spec }: Assigned, desired: Desired | undefined): boolean {
  const { name, namespace } = desired?.pod.metadata ?? {};
  return desired !== undefined && spec?.pod === name && spec?.podNamespace === namespace;
}

/** Whether the object assigns this identity to the pod on the pod's current node. */
function embeds({ spec }: Assigned, { node }: Desired, identity: string | undefined): boolean {
  const { type = 0, resourceID = '' } = spec?.azureIdentityRef?.spec ?? {};
  return (
    identity !== undefined && type === 0 && spec?.nodename === node && normalizeResourceId(resourceID) === identity
  );
}

/**
 * Whether the pod can use the identity. Outside its windows an unattached one counts: the node daemon refuses it
 * anyway.
 */
function isReady({ attachable, reference, verification, windows }: Desired, view: View): boolean {
  if (!attachable) return true;
  if (verification.state !== 'verified' || !reference || windows === 'unknown') return false;
  return windows !== 'attach' || view.attachment(reference) === 'attached';
}

/** `status.status` of the object, '' where absent. */
export function stateOf({ status }: Assigned): AssignedState {
  return (status?.status ?? '') as AssignedState;
}
