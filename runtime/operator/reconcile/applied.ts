import { armDiff } from '../../arm-kinds/body/arm-diff.ts';
import { hasSecrets } from '../../arm-kinds/secret-value.ts';
import { hasFailed } from '../../azure/arm/operations/provisioning-state.ts';
import { canonicalJson, type JsonObject, jsonHash } from '../../base/json.ts';
import type { Applied, Observation } from './observation.ts';
import type { DesiredState } from './request/request.ts';

/** The resource that Azure shows, and the record of the last PUT. */
type Compared = Pick<Observation, 'live' | 'applied'>;

/** The record of a PUT that Azure accepted while nothing else about it is known. */
export const accepted: Applied = { body: '', inputs: '', knownDifference: '' };

/** Hash of a body, with placeholders for secrets. */
export function bodyFingerprint(body: JsonObject | undefined): string {
  return jsonHash(body);
}

/** Hash of the differences between the body and the resource; '' without any. */
export function knownDifferenceOf(body: JsonObject | undefined, live: JsonObject): string {
  const differences = armDiff(body, live);
  return differences.length === 0 ? '' : jsonHash(canonicalJson(differences));
}

/**
 * Whether a PUT is needed: the resource is missing or broken, a secret input has a new value, the last PUT had another
 * body (a removed field shows in no difference), or a declared field differs in another way than after that PUT.
 */
export function needsPut({ body, declared = body, inputsVersion }: DesiredState, { live, applied }: Compared): boolean {
  if (!live?.exists || hasFailed(live.body)) return true;
  if (hasSecrets(body) && applied?.inputs !== inputsVersion) return true;
  if (applied && applied.body !== bodyFingerprint(declared)) return true;
  if (live.hidden) return applied === undefined;
  const knownDifference = knownDifferenceOf(body, live.body);
  return knownDifference !== '' && knownDifference !== applied?.knownDifference;
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

/** Formats the record as the text of the annotation. */
export function formatApplied({ body, inputs, knownDifference }: Applied): string {
  return [body, inputs, knownDifference].join('.');
}

/** Parses the annotation; undefined for a text in another form. */
export function parseApplied(text: string | undefined): Applied | undefined {
  const [body, inputs, knownDifference] = text?.split('.') ?? [];
  return body === undefined || inputs === undefined || knownDifference === undefined
    ? undefined
    : { body, inputs, knownDifference };
}
