import { bodyFingerprint, knownDifferenceOf } from '../../arm-kinds/comparison/applied-record.ts';
import { hasSecrets } from '../../arm-kinds/secret-value.ts';
import { hasFailed } from '../../azure/arm/operations/provisioning-state.ts';
import type { Observation } from './observation.ts';
import type { DesiredState } from './reconcile-plan.ts';

/** The resource that Azure shows, and the record of the last PUT. */
type Compared = Pick<Observation, 'live' | 'applied' | 'now'>;

/** Whether Azure's reads may still show the state before the last PUT. */
export function mayBeStale({ applied, now }: Pick<Observation, 'applied' | 'now'>): boolean {
  return applied?.settlesAt !== undefined && now < applied.settlesAt;
}

/** Whether the last PUT had this body, with the same values from Secrets. */
export function wasApplied(desired: DesiredState, { applied }: Pick<Observation, 'applied'>): boolean {
  const { body, inputs } = fingerprintsOf(desired);
  return applied?.body === body && applied.inputs === inputs;
}

/**
 * Whether a PUT is needed: the resource is missing or broken, a secret input has a new value, the last PUT had another
 * body (a removed field shows in no difference), or a declared field differs in another way than after that PUT. A
 * difference in a read that may be stale needs none.
 */
export function needsPut(desired: DesiredState, observed: Compared): boolean {
  const { body, declared = body, inputsVersion } = desired;
  const { live, applied } = observed;
  if (!live?.exists || hasFailed(live.body)) return true;
  if (hasSecrets(body) && applied?.inputs !== inputsVersion) return true;
  if (applied && applied.body !== bodyFingerprint(declared)) return true;
  if (live.hidden) return applied === undefined;
  const difference = knownDifferenceOf(body, live.body);
  return difference !== '' && difference !== applied?.knownDifference && !mayBeStale(observed);
}

/** Whether Azure shows the declared state, so that a difference in the record was a stale read or is no more. */
export function endsKnownDifference({ body }: DesiredState, { live, applied }: Compared): boolean {
  if (!applied?.knownDifference || !live?.exists || live.hidden) return false;
  return knownDifferenceOf(body, live.body) === '';
}

/** When to read the resource again, because this read shows a difference and may be stale. */
export function settlesAt({ body }: DesiredState, observed: Compared): number | undefined {
  const { live, applied } = observed;
  if (!mayBeStale(observed) || !live?.exists || live.hidden) return undefined;
  return knownDifferenceOf(body, live.body) === '' ? undefined : applied?.settlesAt;
}

/**
 * The journal's memo of a PUT that is about to be sent: with it, a restarted process finds out whether the PUT
 * arrived.
 */
export interface PutMemo {
  /** Fingerprint of the body, including the fields that are left to others. */
  readonly body: string;
  /** Fingerprint of the values from Secrets in the body, as in `Applied`. */
  readonly inputs: string;
  /** Azure does not show the body yet. */
  readonly differs: boolean;
}

/** The memo for the next PUT. */
export function putMemo(desired: DesiredState, { live }: Compared): PutMemo {
  const { body } = desired;
  return { ...fingerprintsOf(desired), differs: !live?.exists || knownDifferenceOf(body, live.body) !== '' };
}

/**
 * Whether the announced body is still the desired one. The memo of an interrupted PUT survives a change of the spec or
 * of a password in a Secret.
 */
export function isForDesiredState(desired: DesiredState, memo: PutMemo | undefined): boolean {
  const { body, inputs } = fingerprintsOf(desired);
  return memo?.body === body && memo.inputs === inputs;
}

/**
 * Whether Azure now shows the announced body, which it did not show before: the PUT arrived, and its answer was lost.
 */
export function hasArrived(desired: DesiredState, { live }: Compared, memo: PutMemo | undefined): boolean {
  if (!memo?.differs || !live?.exists || hasFailed(live.body)) return false;
  return isForDesiredState(desired, memo) && knownDifferenceOf(desired.body, live.body) === '';
}

function fingerprintsOf({ body, declared = body, inputsVersion }: DesiredState): Pick<PutMemo, 'body' | 'inputs'> {
  return { body: bodyFingerprint(declared), inputs: hasSecrets(body) ? inputsVersion : '' };
}
