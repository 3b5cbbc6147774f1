import { armDiff } from '../../arm-kinds/body/arm-diff.ts';
import { hasSecrets } from '../../arm-kinds/secret-value.ts';
import { hasFailed } from '../../azure/arm/provisioning-state.ts';
import { canonicalJson, type JsonObject, jsonHash } from '../../base/json.ts';
import type { Applied, Observation } from './observation.ts';
import type { DesiredState } from './request.ts';

/** What Azure shows, and what was applied last. */
type Compared = Pick<Observation, 'live' | 'applied'>;

/** The record of an object that has something in Azure of which no more is known. */
export const accepted: Applied = { body: '', inputs: '', knownDifference: '' };

/** Hash of a body, with marks in place of secrets. */
export function bodyFingerprint(body: JsonObject | undefined): string {
  return jsonHash(body);
}

/** Hash of the differences between the body and the resource; '' without any. */
export function knownDifferenceOf(body: JsonObject | undefined, live: JsonObject): string {
  const differences = armDiff(body, live);
  return differences.length === 0 ? '' : jsonHash(canonicalJson(differences));
}

/**
 * Whether a PUT is needed: the resource is missing or broken, a secret input has a new value, another body was sent
 * last (a removed field shows in no difference), or a declared field differs in another way than it did then.
 */
export function needsPut({ body, declared = body, inputsVersion }: DesiredState, { live, applied }: Compared): boolean {
  if (!live?.exists || hasFailed(live.body)) return true;
  if (hasSecrets(body) && applied?.inputs !== inputsVersion) return true;
  if (applied && applied.body !== bodyFingerprint(declared)) return true;
  if (live.hidden) return applied === undefined;
  const knownDifference = knownDifferenceOf(body, live.body);
  return knownDifference !== '' && knownDifference !== applied?.knownDifference;
}

/** The journal's memo of a PUT that is about to be sent: it tells a restart whether the PUT arrived. */
export interface PutMemo {
  /** Fingerprint of the body, with the fields that are left to others. */
  readonly body: string;
  /** Of the values from Secrets in it, as in `Applied`. */
  readonly inputs: string;
  /** Azure does not show it yet. */
  readonly differs: boolean;
}

/** The memo for the PUT that is about to be sent. */
export function putMemo(desired: DesiredState, { live }: Compared): PutMemo {
  const { body } = desired;
  return { ...fingerprintsOf(desired), differs: !live?.exists || knownDifferenceOf(body, live.body) !== '' };
}

/**
 * Whether the announced body is still the desired one. The memo of a PUT that was cut off outlives the spec it was made
 * for: the spec, or a password in a Secret, may have changed since.
 */
export function isStillWanted(desired: DesiredState, memo: PutMemo | undefined): boolean {
  const { body, inputs } = fingerprintsOf(desired);
  return memo?.body === body && memo.inputs === inputs;
}

/** Whether Azure shows the announced body, which it did not show before: the PUT arrived, and only its answer was lost. */
export function hasArrived(desired: DesiredState, { live }: Compared, memo: PutMemo | undefined): boolean {
  if (!memo?.differs || !live?.exists || hasFailed(live.body)) return false;
  return isStillWanted(desired, memo) && knownDifferenceOf(desired.body, live.body) === '';
}

function fingerprintsOf({ body, declared = body, inputsVersion }: DesiredState): Pick<PutMemo, 'body' | 'inputs'> {
  return { body: bodyFingerprint(declared), inputs: hasSecrets(body) ? inputsVersion : '' };
}

/** Text of the annotation. */
export function formatApplied({ body, inputs, knownDifference }: Applied): string {
  return [body, inputs, knownDifference].join('.');
}

/** Undefined for a text in another form. */
export function parseApplied(text: string | undefined): Applied | undefined {
  const [body, inputs, knownDifference] = text?.split('.') ?? [];
  return body === undefined || inputs === undefined || knownDifference === undefined
    ? undefined
    : { body, inputs, knownDifference };
}
