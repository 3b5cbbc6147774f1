import type { ErrorOverride } from '../../../api/types.ts';
import { reasons } from '../../../arm-kinds/names.ts';
import { ArmError } from '../../../azure/arm/errors.ts';
import type { RetryClass } from '../../../azure/types.ts';
import type { EngineResult, State } from '../../../engine/index.ts';
import { ScopeNotAllowed } from '../../credentials/scopes.ts';
import { failureInfo, jittered, longestWaitMs, retryDelay, retryNote } from '../../effects/failures.ts';
import type { Memory } from '../../effects/memory.ts';
import type { DeliveryReport } from '../../machines/delivery-memory.ts';
import { type Readiness, requestNote } from '../../objects/conditions.ts';
import { SubscriptionMismatch } from '../../objects/resource-id.ts';
import type { InstancesReport } from '../../rolls/follow-instances.ts';
import type { RotationReport } from '../../rotation/rotate-keys.ts';
import type { Reconciliation } from '../reconciliation.ts';

/** Statuses of refusals that mostly last; a conflict or a lock is about the moment. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 422]);
/** Refusals in a row after which a deployment does not wait for the next try: some four minutes. */
const lastingRefusals = 9;

/** The end of a reconcile run: a result of the engine, or an error before that. */
export interface Outcome {
  readonly run?: Reconciliation;
  readonly result?: EngineResult;
  readonly error?: unknown;
  readonly deleting?: Deleting;
  readonly rotation?: RotationReport;
  /** Of a machine with ManagedSecrets. */
  readonly delivery?: DeliveryReport;
  /** Of a scale set. */
  readonly instances?: InstancesReport;
}

/** The details of a deletion in the condition of its object. */
export interface Deleting {
  /** The object's namespace, where it is being deleted too. */
  readonly namespace: string | undefined;
  /** A sentence: how to delete the object alone, once the deletion has lasted for a while. */
  readonly hint: string | undefined;
}

/** The Ready condition of an outcome, and the next run. */
export interface ReadyResult {
  readonly readiness: Readiness;
  readonly state: State;
  /** When to reconcile again, in milliseconds; undefined: only after a change. */
  readonly afterMs?: number | undefined;
}

interface Setting {
  /** Counts the tries. */
  readonly memory: Memory;
  readonly now: number;
  readonly syncPeriodMs: number | undefined;
  readonly overrides: readonly ErrorOverride[];
}

/** Computes the Ready condition and the time of the next run. */
export function computeReady(outcome: Outcome, setting: Setting): ReadyResult {
  const result = readyOf(outcome, setting);
  const hint = outcome.deleting?.hint;
  if (hint === undefined) return result;
  const { readiness } = result;
  return { ...result, readiness: { ...readiness, message: `${readiness.message.replace(/\.$/, '')}. ${hint}` } };
}

function readyOf(outcome: Outcome, setting: Setting): ReadyResult {
  const { memory, now } = setting;
  memory.isRefused = memory.hasFailedOperation === true;
  memory.hasFailedOperation = false;
  const { result, run, deleting } = outcome;
  if (outcome.error || !result || !run) return failed(outcome.error, setting, deleting, 'Pending');
  const nextMs = result.nextAt === undefined ? undefined : Math.max(0, result.nextAt - now);
  if (result.failure) {
    const final = result.journal.blocks[result.failure.block]?.state === 'Failed';
    if (run.error !== undefined) return failed(run.error, setting, deleting, final ? 'Failed' : 'Pending');
    const { code: reason, message } = result.failure;
    if (final) return readyResult('Failed', 'Error', reason, `${message}. ${note('none')}`);
    // The input of the run has changed in the meantime: this is no failure, and the next run starts with the new
    // input.
    const changed = reason === reasons.reconciling;
    const retryClass = changed || reason === reasons.deleting ? 'fast' : 'slow';
    const afterMs = retryDelay({ retryClass, retryAfterMs: undefined }, memory.attempts++, undefined);
    if (changed) return { ...readyResult('Pending', 'Info', reason, message), afterMs };
    return { ...readyResult('Pending', 'Warning', reason, `${message}. ${note(retryClass)}`), afterMs };
  }
  memory.refusals = 0;
  const wait = result.waits.find(({ needsEdit }) => needsEdit) ?? result.waits[0];
  // An operation under way continues in Azure; the operator reads its end once no input is missing any more.
  const isHeldUp = result.state === 'Blocked' || (result.state === 'Polling' && !deleting);
  if (isHeldUp && wait) {
    const severity = wait.needsEdit ? 'Error' : wait.reason === reasons.deleting ? 'Info' : 'Warning';
    const waiting = readyResult(
      wait.needsEdit ? 'Failed' : 'Blocked',
      severity,
      wait.reason,
      result.waits.map(({ message }) => message).join('; '),
    );
    // The operator watches the objects that it waits for, but not a resource in Azure.
    if (wait.endsInAzure)
      return {
        ...waiting,
        afterMs: retryDelay({ retryClass: 'slow', retryAfterMs: undefined }, memory.attempts++, undefined),
      };
    const { syncPeriodMs } = setting;
    const onlyAzureEndsIt = wait.reason === reasons.adoptionRefused || wait.reason === reasons.deletionNotSupported;
    if (!onlyAzureEndsIt && syncPeriodMs === undefined) return waiting;
    return { ...waiting, afterMs: jittered(syncPeriodMs ?? longestWaitMs) };
  }
  if (result.state === 'Succeeded' && !deleting) return instancesReady(outcome.instances);
  const because = deleting?.namespace === undefined ? '' : `, as the namespace ${deleting.namespace} is being deleted`;
  const message = deleting ? `Azure is deleting the resource${because}` : 'Azure is working on the resource';
  const reason = deleting ? reasons.deleting : reasons.reconciling;
  return { ...readyResult(result.state, 'Info', reason, message), afterMs: nextMs ?? 1000 };
}

/** Ready of a resource that Azure has as declared: that of a scale set waits for its instances. */
function instancesReady(instances: InstancesReport | undefined): ReadyResult {
  const { severity, reason, message } = instances?.readiness ?? {};
  if (severity === undefined) return readyResult('Succeeded', undefined, reasons.succeeded, '');
  const result = readyResult(severity === 'Info' ? 'Polling' : 'Blocked', severity, reason ?? '', message ?? '');
  return { ...result, afterMs: instances?.afterMs };
}

function failed(
  error: unknown,
  { memory, syncPeriodMs, overrides }: Setting,
  deleting: Deleting | undefined,
  state: State,
): ReadyResult {
  const mismatch = error instanceof SubscriptionMismatch;
  const refused = error instanceof ScopeNotAllowed;
  const info = failureInfo(error, overrides);
  // A deletion is always tried again, because its obstacles often end within minutes.
  const hindered = deleting && (info.retryClass === 'none' || info.retryClass === 'verySlow');
  const scoped = refused && !error.lasting ? 'slow' : 'none';
  const retryClass = hindered ? 'slow' : mismatch || refused ? scoped : info.retryClass;
  const isRefusal = !deleting && error instanceof ArmError && refusalStatuses.has(error.info.status);
  memory.refusals = isRefusal ? (memory.refusals ?? 0) + 1 : 0;
  memory.isRefused ||= retryClass === 'none' || retryClass === 'verySlow' || memory.refusals >= lastingRefusals;
  const afterMs = retryDelay({ ...info, retryClass }, memory.attempts++, syncPeriodMs);
  const severity = retryClass === 'none' ? 'Error' : 'Warning';
  const reason = mismatch ? reasons.subscriptionMismatch : refused ? reasons.scopeNotAllowed : info.reason;
  const message = `${info.message.replace(/\.$/, '')}.${requestNote(info.requestId)} ${note(retryClass)}`;
  return { ...readyResult(state, severity, reason, message), ...(afterMs !== undefined && { afterMs }) };
}

/** The part of a message about the next try. */
function note(retryClass: RetryClass): string {
  if (retryClass !== 'none') return retryNote(retryClass);
  return 'It is not tried again until the spec or azimuth.dev/retry changes, or the operator restarts.';
}

function readyResult(state: State, severity: Readiness['severity'], reason: string, message: string): ReadyResult {
  return { readiness: { severity, reason, message }, state };
}
