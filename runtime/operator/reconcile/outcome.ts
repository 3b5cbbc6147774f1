import type { ErrorOverride } from '../../api/types.ts';
import { reasons } from '../../arm-kinds/names.ts';
import type { RetryClass } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { RunResult, State } from '../../engine/index.ts';
import { ScopeNotAllowed } from '../credentials/scopes.ts';
import type { RotationReport } from '../rotation/rotate-keys.ts';
import { type Readiness, requestNote } from './conditions.ts';
import type { Memory } from './dependencies.ts';
import type { Pass } from './effects.ts';
import { failureFacts, jittered, longestWaitMs, retryDelay, retryNote } from './errors.ts';

/** How a pass over an object ended: with a result of the engine, or before it came to that. */
export interface Outcome {
  readonly pass?: Pass;
  readonly result?: RunResult;
  readonly error?: unknown;
  readonly deleting?: Deleting;
  readonly rotation?: RotationReport;
}

/** What is told of an object that is being deleted. */
export interface Deleting {
  /** Its namespace, where the object goes with that. */
  readonly namespace: string | undefined;
  /** How to let go of the object, once Azure has refused for long enough to say so. */
  readonly letGo: string | undefined;
}

export interface Judgement {
  readonly readiness: Readiness;
  readonly state: State;
  /** When to come back; undefined: when something changes. */
  readonly afterMs?: number;
}

interface Setting {
  /** Counts the tries. */
  readonly memory: Memory;
  readonly now: number;
  readonly syncPeriodMs: number | undefined;
  readonly overrides: readonly ErrorOverride[];
}

/** The resource lies in another subscription than the one of the credential. */
export class SubscriptionMismatch extends AzimuthError {
  constructor(actual: string, credential: string) {
    super('AZ_TERMINAL', `The resource belongs to subscription ${actual}, the credential to ${credential || 'none'}`);
  }
}

/** What the outcome of a pass means for the Ready condition and for the next try. */
export function judge(outcome: Outcome, setting: Setting): Judgement {
  const { memory, now } = setting;
  const { result, pass, deleting } = outcome;
  if (outcome.error || !result || !pass) return failed(outcome.error, setting, deleting, 'Pending');
  const nextMs = result.nextAt === undefined ? undefined : Math.max(0, result.nextAt - now);
  if (result.failure) {
    const final = result.journal.blocks[result.failure.block]?.state === 'Failed';
    if (pass.error !== undefined) return failed(pass.error, setting, deleting, final ? 'Failed' : 'Pending');
    const { code: reason, message } = result.failure;
    if (final) return judgement('Failed', 'Error', reason, `${message}. ${note('none')}`);
    // What the pass began with has changed: nobody's failure, and the next one begins with what is so now.
    const changed = reason === reasons.reconciling;
    const retryClass = changed || reason === reasons.deleting ? 'fast' : 'slow';
    const afterMs = retryDelay({ retryClass, retryAfterMs: undefined }, memory.attempts++, undefined);
    if (changed) return { ...judgement('Pending', 'Info', reason, message), afterMs };
    return { ...judgement('Pending', 'Warning', reason, `${message}. ${note(retryClass)}`), afterMs };
  }
  const [wait] = result.waits;
  // An operation under way goes on in Azure meanwhile; its end is read once nothing is missing any more.
  const isHeldUp = result.state === 'Blocked' || (result.state === 'Polling' && !deleting);
  if (isHeldUp && wait) {
    const severity = wait.reason === reasons.deleting ? 'Info' : 'Warning';
    const told = judgement('Blocked', severity, wait.reason, result.waits.map(({ message }) => message).join('; '));
    // What is waited for is watched; but not all of it lies in the cluster.
    const { syncPeriodMs } = setting;
    if (wait.reason !== reasons.adoptionRefused && syncPeriodMs === undefined) return told;
    return { ...told, afterMs: jittered(syncPeriodMs ?? longestWaitMs) };
  }
  if (result.state === 'Succeeded' && !deleting) return judgement('Succeeded', undefined, reasons.succeeded, '');
  const because = deleting?.namespace === undefined ? '' : `, as the namespace ${deleting.namespace} is being deleted`;
  const message = deleting ? `Azure is deleting the resource${because}` : 'Azure is working on the resource';
  const reason = deleting ? reasons.deleting : reasons.reconciling;
  return { ...judgement(result.state, 'Info', reason, message), afterMs: nextMs ?? 1000 };
}

function failed(
  error: unknown,
  { memory, syncPeriodMs, overrides }: Setting,
  deleting: Deleting | undefined,
  state: State,
): Judgement {
  const mismatch = error instanceof SubscriptionMismatch;
  const refused = error instanceof ScopeNotAllowed;
  const facts = failureFacts(error, overrides);
  // A deletion is never given up, and what hinders it often ends within minutes.
  const hindered = deleting && (facts.retryClass === 'none' || facts.retryClass === 'verySlow');
  const retryClass = hindered ? 'slow' : mismatch || refused ? 'none' : facts.retryClass;
  const afterMs = retryDelay({ ...facts, retryClass }, memory.attempts++, syncPeriodMs);
  const severity = retryClass === 'none' ? 'Error' : 'Warning';
  const reason = mismatch ? reasons.subscriptionMismatch : refused ? reasons.scopeNotAllowed : facts.reason;
  const message = `${facts.message.replace(/\.$/, '')}.${requestNote(facts.requestId)} ${note(retryClass)}${deleting?.letGo ?? ''}`;
  return { ...judgement(state, severity, reason, message), ...(afterMs !== undefined && { afterMs }) };
}

/** What ends a failure for good, besides time. */
function note(retryClass: RetryClass): string {
  if (retryClass !== 'none') return retryNote(retryClass);
  return 'It is not tried again until the spec or azimuth.dev/retry changes, or the operator restarts.';
}

function judgement(state: State, severity: Readiness['severity'], reason: string, message: string): Judgement {
  return { readiness: { severity, reason, message }, state };
}
