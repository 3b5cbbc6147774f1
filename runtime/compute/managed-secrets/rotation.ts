/**
 * When a value is renewed. Times are milliseconds since the epoch, spans are milliseconds. Nothing here reads a clock. A
 * value is renewed relative to its own creation, so instants that passed while no program ran cost one renewal.
 */
import { createHash } from 'node:crypto';
import { backoff } from '../../base/backoff.ts';
import { type ComputeProblem, computeError } from '../problems/compute-problem.ts';
import type { ProblemName } from '../problems/problem-names.ts';

const second = 1000;
const minute = 60_000;
const hour = 3_600_000;

/** How often a value without an expiry of its own is renewed. */
export interface Rotation {
  /** Span from one value to the next, with `renewBefore` subtracted. */
  readonly every: number;
  /** @default 0 */
  readonly renewBefore?: number;
  /** How long the old value stays usable beside the new one. @default 0 */
  readonly overlap?: number;
}

/** Limits that a rotation has to keep. */
export interface RotationLimits {
  /** Span that consumers take to get a new value; the overlap must cover it. @default 0 */
  readonly consumersNeed?: number;
  /** Least span between two values, so that no object renews in a loop. @default one hour */
  readonly leastInterval?: number;
}

/** Problems of a rotation. `path` is the path of its fields. */
export function rotationProblems(rotation: Rotation, path: string, limits: RotationLimits = {}): ComputeProblem[] {
  const { consumersNeed = 0, leastInterval = hour } = limits;
  const { every, renewBefore = 0, overlap = 0 } = rotation;
  const problems: ComputeProblem[] = [];
  const wrong = (name: ProblemName, field: string, fix: string) =>
    problems.push(computeError(name, `${path}.${field}`, fix));
  if (!(Number.isFinite(every) && every > 0))
    wrong('EveryInvalid', 'every', 'must be a span above 0; set one such as 720h');
  if (!(renewBefore >= 0 && renewBefore < every)) {
    wrong('RenewBeforeInvalid', 'renewBefore', 'must be 0 or more and shorter than every; shorten it');
  } else if (every - renewBefore < leastInterval) {
    const least = Math.ceil(leastInterval / second);
    wrong('IntervalTooShort', 'every', `must be at least ${least} s longer than renewBefore; lengthen it`);
  }
  if (!(overlap >= 0 && overlap <= every)) {
    wrong(
      'OverlapInvalid',
      'overlap',
      'must be 0 or more and no longer than every, so that two values live at most; shorten it',
    );
  } else {
    problems.push(...overlapProblems(overlap, `${path}.overlap`, consumersNeed));
  }
  return problems;
}

/** The problem of an overlap that is shorter than consumers need; of any value, also of one with an expiry of its own. */
export function overlapProblems(overlap: number, path: string, consumersNeed: number): ComputeProblem[] {
  if (overlap >= consumersNeed) return [];
  const fix = `must be at least the ${Math.ceil(consumersNeed / second)} s in which consumers get a new value; lengthen it`;
  return [computeError('OverlapTooShort', path, fix)];
}

/** Share of a span that jitter takes at most. */
const jitterShare = 0.1;

/**
 * A part of a span, at most 10 % of it, that depends on the name alone: equal after each restart and on each replica, and
 * spread evenly over names. Whole milliseconds.
 */
export function stableJitter(name: string, span: number): number {
  const fraction = createHash('sha256').update(name).digest().readUIntBE(0, 6) / 2 ** 48;
  return Math.floor(Math.max(0, span) * jitterShare * fraction);
}

/**
 * When a value without an expiry of its own is renewed: `every - renewBefore` after its creation, earlier by the jitter of
 * its name, and never later. An instant in the past is due now, once: the next one counts from the new creation.
 */
export function nextRotation(createdAt: number, rotation: Rotation, name: string): number {
  const span = rotation.every - (rotation.renewBefore ?? 0);
  return createdAt + span - stableJitter(name, span);
}

/** The validity of an issued certificate; not the one that was asked for. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Least lifetime of a certificate, and least span from one certificate to the next; milliseconds. */
export const leastLifetime = hour;
/** Least `renewBefore`. */
const leastRenewBefore = 5 * minute;

/** Problems of the lifetime that a certificate is to have, and of its renewal. `path` is the path of the two fields. */
export function certificateTimeProblems(
  duration: number,
  renewBefore: number | undefined,
  path: string,
): ComputeProblem[] {
  if (!(duration >= leastLifetime)) {
    return [computeError('IntervalTooShort', `${path}.duration`, 'must be at least one hour; lengthen it')];
  }
  if (renewBefore === undefined) return [];
  const fits = renewBefore >= leastRenewBefore && duration - renewBefore >= leastRenewBefore;
  const fix = 'must be at least 5 minutes, and at least 5 minutes shorter than duration; change it';
  return fits ? [] : [computeError('RenewBeforeInvalid', `${path}.renewBefore`, fix)];
}

/** When to renew a certificate before its end. */
export interface RenewalRule {
  /** Span before the end; it counts if it is above 0 and shorter than the lifetime. */
  readonly renewBefore?: number;
  /** Share of the lifetime before its end, 1..99. It counts without a usable `renewBefore`. @default a third */
  readonly renewBeforePercentage?: number;
}

/**
 * When a certificate is renewed, by cert-manager's rule: the end minus `renewBefore`, minus a percentage of the lifetime,
 * or minus a third of it. The instant is rounded down to the second, not the span.
 */
export function renewalInstant({ notBefore, notAfter }: Validity, rule: RenewalRule = {}): number {
  const lifetime = Math.max(0, notAfter - notBefore);
  const { renewBefore = 0, renewBeforePercentage: percent = 0 } = rule;
  const share = percent >= 1 && percent <= 99 ? (lifetime * percent) / 100 : lifetime / 3;
  const before = renewBefore > 0 && renewBefore < lifetime ? renewBefore : share;
  return Math.floor((notAfter - before) / second) * second;
}

/** The same, earlier by the jitter of the name, so that certificates of one day are not renewed in one minute. */
export function nextRenewal(validity: Validity, name: string, rule: RenewalRule = {}): number {
  const instant = renewalInstant(validity, rule);
  return Math.floor((instant - stableJitter(name, instant - validity.notBefore)) / second) * second;
}

/** The end of a leaf: `duration` after its begin, and never after its CA. Undefined when the CA has ended by then. */
export function leafNotAfter(notBefore: number, duration: number, ca: Validity): number | undefined {
  const end = Math.min(notBefore + duration, ca.notAfter);
  return notBefore >= ca.notBefore && end > notBefore ? end : undefined;
}

/**
 * Whether a leaf is renewed although its time has not come: another key of its CA signs now, or the leaf outlives the CA.
 * The keys are compared by their ids, such as the subject key id, in any case.
 */
export function mustReissueLeaf(
  leaf: { readonly notAfter: number; readonly issuerKeyId: string },
  ca: { readonly notAfter: number; readonly keyId: string },
): boolean {
  return leaf.issuerKeyId.toLowerCase() !== ca.keyId.toLowerCase() || leaf.notAfter > ca.notAfter;
}

/** Wait after the nth failure to issue, n from 1: 1 h, doubled each time, 32 h at most. A changed spec goes at once. */
export function issueBackoff(failures: number): number {
  return backoff(Math.max(1, failures) - 1, { initialMs: hour, maxMs: 32 * hour, jitter: 0 });
}

/** Failures from which on the back-off does not grow. */
const mostFailures = 6;

/**
 * How many failures to issue there were when the last one followed the first by this span, at least 1: each was followed
 * by its `issueBackoff`. A process that starts again does not remember their number.
 */
export function failuresWithin(span: number): number {
  let failures = 1;
  for (let at = issueBackoff(1); failures < mostFailures && at <= span; at += issueBackoff(failures)) failures++;
  return failures;
}

/**
 * Wait before the next read of an order that has taken `age` already: the span that the issuer asks for, and at least a
 * quarter of the age, from 1 s to 5 min.
 */
export function orderPoll(age: number, retryAfter = 0): number {
  return Math.max(retryAfter, Math.min(5 * minute, Math.max(second, age / 4)));
}

/** Wait before try n, n from 1, at a vault that throttles: its Retry-After, else 1, 2, 4, 8 and then 16 s. */
export function throttleBackoff(attempt: number, retryAfter?: number): number {
  return retryAfter ?? backoff(Math.max(1, attempt) - 1, { initialMs: second, maxMs: 16 * second, jitter: 0 });
}
