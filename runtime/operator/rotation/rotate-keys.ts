import { annotations, rotationReasons } from '../../arm-kinds/names.ts';
import { tryParseDuration } from '../../base/duration.ts';
import { jsonHash } from '../../base/json.ts';
import { type EngineResult, run as runPipeline } from '../../engine/index.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import { failureInfo, retryDelay, retryNote } from '../effects/failures.ts';
import { publishedAt, type RotationStep, rotationSteps } from '../export/steps.ts';
import type { Readiness } from '../objects/conditions.ts';
import { rotationJournal } from './journal.ts';
import { memoOf } from './memo.ts';
import { rotationPipeline } from './pipeline.ts';
import { RotationHost } from './rotation-host.ts';

/** The result of a rotation in one run. */
export interface RotationReport {
  /** For the condition KeysRotated; no severity means True. */
  readonly readiness: Readiness;
  /** When to reconcile again, in milliseconds; undefined: only after a change. */
  readonly afterMs?: number;
  /** When an expiry in a vault must be renewed, in milliseconds since the epoch. */
  readonly renewAt?: number | undefined;
}

/**
 * Continues the rotation that the object requests; each new value of the annotation requests one rotation. Runs after
 * a reconcile run that found the resource as declared. Undefined without a request, or when it is done.
 */
export async function rotateKeys(context: EffectContext): Promise<RotationReport | undefined> {
  const { model, policy, signal } = context.plan;
  const objectAnnotations = context.object.metadata.annotations ?? {};
  const asked = objectAnnotations[annotations.rotateKeys];
  const requestHash = asked === undefined || asked === '' ? undefined : jsonHash({ rotate: asked });
  const journal = rotationJournal(context.object);
  if (!journal && (requestHash === undefined || requestHash === objectAnnotations[annotations.keysRotated]))
    return undefined;
  const rotation = model.definition.arm?.keyRotation;
  if (!rotation) {
    const problem = `${model.definition.kind} has no pair of keys that can be renewed one by one`;
    return report('Error', rotationReasons.notSupported, problem);
  }
  if (policy === 'skip') return report('Warning', rotationReasons.held, 'Nothing is renewed while the policy is skip');
  const overlapMs = overlapOf(context);
  if (overlapMs === undefined) {
    const problem = `The annotation ${annotations.rotationOverlap} is no duration such as 30m or 2h`;
    return report('Error', rotationReasons.invalid, problem);
  }
  const steps = rotationSteps(rotation);
  const { generation } = context.plan.object.metadata;
  const objectHash = jsonHash({ generation, asked, retry: objectAnnotations[annotations.retry] });
  const firstInProcess = !context.memory.rotationSeenInThisProcess;
  context.memory.rotationSeenInThisProcess = true;
  const host = new RotationHost(context, { steps, overlapMs, objectHash, firstInProcess });
  const hash = journal?.desiredHash ?? requestHash ?? '';
  const result = await runPipeline(rotationPipeline, { hash, value: undefined }, journal, host, { signal });
  const reported = { ...reportOf(result, host, context, steps), renewAt: host.renewAt };
  const isNext = reported.readiness.severity === undefined && requestHash !== undefined && requestHash !== hash;
  // The next rotation was requested while this one was under way.
  return isNext ? { ...reported, afterMs: 0 } : reported;
}

/**
 * The overlap of the object, else of its namespace, else of the operator, in milliseconds; undefined for an invalid
 * duration.
 */
function overlapOf({ object, shared }: EffectContext): number | undefined {
  const namespace = shared.namespaces.get({ name: object.metadata.namespace ?? '' });
  const values = [object, namespace].flatMap(
    (holder) => holder?.metadata.annotations?.[annotations.rotationOverlap] ?? [],
  );
  return values[0] === undefined ? shared.rotationOverlapMs : tryParseDuration(values[0]);
}

function reportOf(
  { state, journal, failure, nextAt, waits }: EngineResult,
  host: RotationHost,
  { shared, memory, plan }: EffectContext,
  steps: readonly RotationStep[],
): RotationReport {
  if (state === 'Succeeded') {
    memory.renewalAttempts = 0;
    return report(undefined, rotationReasons.rotated, '');
  }
  const now = shared.runtime.clock.now();
  if (failure) {
    const info = failureInfo(host.error, plan.model.errorOverrides);
    // Azure did not refuse it for good, so it is tried again.
    const retryClass = info.retryClass === 'none' ? 'slow' : info.retryClass;
    const attempt = memory.renewalAttempts ?? 0;
    memory.renewalAttempts = attempt + 1;
    const afterMs = retryDelay({ ...info, retryClass }, attempt, shared.syncPeriodMs);
    return report('Warning', failure.code, sentences(failure.message, retryNote(retryClass)), afterMs);
  }
  const [wait] = waits;
  if (wait) return report('Error', wait.reason, sentences(wait.message, retryNote('none')));
  const { refused, step } = memoOf(journal.blocks['rotate']?.memo);
  const afterMs = Math.max(0, (nextAt ?? now + 1000) - now);
  if (refused) {
    const again = `It is tried again after ${new Date(refused.until ?? now).toISOString()}.`;
    return report('Warning', refused.code, sentences(refused.message, again), afterMs);
  }
  return report('Info', rotationReasons.rotating, progress(steps, step), afterMs);
}

const sentences = (first: string, second: string) => `${first.replace(/\.$/, '')}. ${second}`;

function progress(steps: readonly RotationStep[], index: number): string {
  const step = steps[index];
  const published = publishedAt(steps, index);
  const shown = published === 'both' ? '' : `; until then only ${published} keys are published`;
  return step?.do === 'renew'
    ? `The ${step.side} key ${step.renewal.secret} is renewed next${shown}`
    : 'New keys are published';
}

function report(severity: Readiness['severity'], reason: string, message: string, afterMs?: number): RotationReport {
  return { readiness: { severity, reason, message }, ...(afterMs !== undefined && { afterMs }) };
}
