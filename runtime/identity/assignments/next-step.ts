import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import {
  allClaims,
  type Claim,
  claimsAnnotation,
  claimsText,
  furtherClaims,
  isAttachable,
  machineAnnotation,
  ownClaim,
  sameClaim,
} from '../machines/attachment-reference.ts';
import type { Machine } from '../machines/machine.ts';
import type { Assigned, AssignedState } from '../objects.ts';
import { assignedFinalizer, assignedObject, saysTheSame } from './assigned-object.ts';
import type { Desired } from './desired.ts';

/** What is known of an identity on a machine. */
export type Attachment = 'attached' | 'detached' | 'unknown';

/** What a decision may look at besides the object and what is desired. */
export interface View {
  attachment(claim: Claim): Attachment;
  /** Whether another assignment has recorded that it needs it. */
  heldByOthers(claim: Claim): boolean;
  /** Whether the identity is never to be detached. */
  immutable(claim: Claim): boolean;
  /** For objects that do not record their machine. */
  machineOf(node: string): Machine | undefined;
}

/** The one write that brings an assignment closer to what is desired. */
export type Step =
  | { readonly kind: 'none' }
  /** Something has to happen at the machines first; their workers wake the assignment. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'create'; readonly object: Assigned }
  | { readonly kind: 'replace'; readonly object: Assigned }
  | { readonly kind: 'patch'; readonly body: object; readonly state: AssignedState }
  /** Nothing is attached on its behalf any more: give up the finalizer and delete it. */
  | { readonly kind: 'finish'; readonly nodeGone: boolean };

const none: Step = { kind: 'none' };
const wait: Step = { kind: 'wait' };

/**
 * Decides what to write next. Pure, and a function of what the API holds: a crash between any two writes changes nothing
 * about what follows. The order that makes it so: a claim is recorded before its identity is attached, and is given up
 * only after it is seen to be detached or another assignment has recorded that it needs it.
 *
 * A pod whose identity is exchanged for another keeps the old one until the new one is attached.
 */
export function nextStep(current: Assigned | undefined, desired: Desired | undefined, view: View): Step {
  if (!current) {
    return desired
      ? { kind: 'create', object: assignedObject(desired, isReady(desired, view) ? 'Assigned' : 'Created') }
      : none;
  }
  if (!desired || current.metadata.deletionTimestamp) return release(current, desired, view);
  return keep(current, desired, view);
}

function release(current: Assigned, desired: Desired | undefined, view: View): Step {
  if (!hasFinalizer(current, assignedFinalizer)) {
    return current.metadata.deletionTimestamp ? none : { kind: 'finish', nodeGone: false };
  }
  if (stateOf(current) === 'Unassigned') return { kind: 'finish', nodeGone: false };
  if (isAttachable(current) && !ownClaim(current)) {
    const machine = view.machineOf(current.spec?.nodename ?? '');
    if (!machine) return { kind: 'finish', nodeGone: true };
    const metadata = {
      resourceVersion: current.metadata.resourceVersion,
      annotations: { [machineAnnotation]: machine.id },
    };
    return { kind: 'patch', body: { metadata }, state: stateOf(current) };
  }
  // Somebody deleted the object though its pod needs it: it is made anew, and what is attached stays.
  const stays = (claim: Claim) => sameClaim(claim, desired?.claim);
  const left = allClaims(current).filter((claim) => !stays(claim) && !isReleased(claim, view));
  return left.length > 0 ? wait : { kind: 'finish', nodeGone: false };
}

function keep(current: Assigned, desired: Desired, view: View): Step {
  const state = stateOf(current);
  const own = ownClaim(current);
  const want = desired.claim;
  const further = furtherClaims(current);
  const left = further.filter((claim) => !sameClaim(claim, want) && !isReleased(claim, view));
  const ready = isReady(desired, view);
  const serves = state === 'Assigned' || state === '';

  if (saysTheSame(current, desired) && (!own || !want || sameClaim(own, want))) {
    const next = ready || state === 'Assigned' ? 'Assigned' : state === '' ? '' : 'Created';
    return amend(current, desired, next, left);
  }
  const swaps = serves && !ready && desired.attachable && !sameClaim(own, want) && inPlace(current, desired, own);
  if (swaps) {
    if (!want || further.some((claim) => sameClaim(claim, want))) return wait;
    return claim(current, [...left, want]);
  }
  const next =
    ready || (serves && sameClaim(own, want) && !desired.attachable === !isAttachable(current))
      ? 'Assigned'
      : 'Created';
  const old = own && !sameClaim(own, want) && !isReleased(own, view) ? [own] : [];
  return { kind: 'replace', object: assignedObject(desired, next, [...left, ...old], current) };
}

/** The same content: state, machine, claims and finalizer are set right, in one patch, where they are not. */
function amend(current: Assigned, desired: Desired, state: AssignedState, left: readonly Claim[]): Step {
  const { resourceVersion, finalizers = [], annotations = {} } = current.metadata;
  const changes: Record<string, unknown> = {};
  const claims = claimsText(left);
  if ((annotations[claimsAnnotation] ?? null) !== claims) changes[claimsAnnotation] = claims;
  if (desired.machine && !annotations[machineAnnotation]) changes[machineAnnotation] = desired.machine.id;
  const annotate = Object.keys(changes).length > 0;
  const finalize = !finalizers.includes(assignedFinalizer);
  if (!annotate && !finalize && state === stateOf(current))
    return state === 'Assigned' && left.length === 0 ? none : wait;
  const metadata = {
    resourceVersion,
    ...(annotate && { annotations: changes }),
    ...(finalize && { finalizers: [...finalizers, assignedFinalizer] }),
  };
  const status = state === stateOf(current) ? {} : { status: { status: state, availableReplicas: 1 } };
  return { kind: 'patch', body: { metadata, ...status }, state };
}

/** Records a claim before anything is done about it; what serves the pod stays as it is. */
function claim(current: Assigned, claims: readonly Claim[]): Step {
  const { resourceVersion } = current.metadata;
  const body = { metadata: { resourceVersion, annotations: { [claimsAnnotation]: claimsText(claims) } } };
  return { kind: 'patch', body, state: stateOf(current) };
}

/** Whether the pod is still where the object says. A pod of the same name elsewhere has nothing to wait for here. */
function inPlace({ spec }: Assigned, { node, claim: want }: Desired, own: Claim | undefined): boolean {
  return spec?.nodename === node && (!own || !want || own.machine === want.machine);
}

function isReady({ attachable, claim: want }: Desired, view: View): boolean {
  return !attachable || (want !== undefined && view.attachment(want) === 'attached');
}

function isReleased(claim: Claim, view: View): boolean {
  return view.immutable(claim) || view.heldByOthers(claim) || view.attachment(claim) === 'detached';
}

export function stateOf({ status }: Assigned): AssignedState {
  return (status?.status ?? '') as AssignedState;
}
