import { reasons, secretReasons } from '../../../arm-kinds/names.ts';
import type { SecretPlan } from '../../../compute/managed-secrets/plan.ts';
import type { Readiness } from '../../objects/conditions.ts';
import type { KnownSecret } from '../resolver.ts';
import { secretSeverity } from './secret-severity.ts';
import { timestamp } from './timestamp.ts';

/** Why no machine gets another version than it has: the pinned one cannot be used. */
export function heldBy({ pinProblem }: Pick<SecretPlan, 'pinProblem'>): Pick<KnownSecret, 'held'> {
  if (pinProblem === undefined) return {};
  return { held: { reason: secretReasons.pinUnavailable, message: pinProblem } };
}

/** The Ready condition while the pinned version cannot be used; undefined otherwise. */
export function unavailable({ pinProblem: message }: Pick<SecretPlan, 'pinProblem'>): Readiness | undefined {
  const reason = secretReasons.pinUnavailable;
  return message === undefined ? undefined : { severity: secretSeverity(reason), reason, message };
}

/** The input of `succeeded`. */
export interface SucceededInput {
  readonly plan: Pick<SecretPlan, 'pausedRenewal' | 'newest'>;
  /** `spec.pinnedVersion`. */
  readonly pinned: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The Ready condition of a ManagedSecret in order. A renewal that a pin holds up needs attention once it is due. */
export function succeeded({ plan: { pausedRenewal, newest }, pinned, now }: SucceededInput): Readiness {
  if (pinned === undefined) return { severity: undefined, reason: reasons.succeeded, message: '' };
  const text = `spec.pinnedVersion keeps version ${pinned} in use, and the newest is ${newest?.number ?? pinned}`;
  if (pausedRenewal === undefined || pausedRenewal > now) {
    const message = `${text}. No scheduled renewal follows until the pin is removed`;
    return { severity: undefined, reason: secretReasons.pinned, message };
  }
  const message = `${text}. The renewal of ${timestamp(pausedRenewal)} waits until the pin is removed`;
  const reason = secretReasons.renewalPaused;
  return { severity: secretSeverity(reason), reason, message };
}
