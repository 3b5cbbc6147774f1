import { annotations, rotationReasons } from '../../arm-kinds/names.ts';
import { tryParseDuration } from '../../base/duration.ts';
import { jsonHash } from '../../base/json.ts';
import { type RunResult, run } from '../../engine/index.ts';
import type { Readiness } from '../reconcile/conditions.ts';
import { failureFacts, retryDelay, retryNote } from '../reconcile/errors.ts';
import type { PassState } from '../reconcile/run-state.ts';
import { rotationJournal } from './journal.ts';
import { memoOf } from './memo.ts';
import { rotationPipeline } from './pipeline.ts';
import { RotationHost } from './rotation-host.ts';
import { publishedAt, type RotationStep, rotationSteps } from './steps.ts';

/** What a rotation has to say. */
export interface RotationReport {
  /** Of the condition KeysRotated; no severity means True. */
  readonly found: Readiness;
  /** When to come back; undefined: when something changes. */
  readonly afterMs?: number;
}

/**
 * Takes the rotation that the object asks for as far as it gets; a value of the annotation asks for one rotation. Comes
 * after a pass that found the resource as declared. Undefined where nothing was asked for, or what was is done.
 */
export async function rotateKeys(state: PassState): Promise<RotationReport | undefined> {
  const { model, policy, signal } = state.input;
  const own = state.object.metadata.annotations ?? {};
  const asked = own[annotations.rotateKeys];
  const wanted = asked === undefined || asked === '' ? undefined : jsonHash({ rotate: asked });
  const journal = rotationJournal(state.object);
  if (!journal && (wanted === undefined || wanted === own[annotations.keysRotated])) return undefined;
  const rotation = model.definition.arm?.keyRotation;
  if (!rotation) {
    const told = `${model.definition.kind} has no pair of keys that can be renewed one by one`;
    return report('Error', rotationReasons.notSupported, told);
  }
  if (policy === 'skip') return report('Warning', rotationReasons.held, 'Nothing is renewed while the policy is skip');
  const overlapMs = overlapOf(state);
  if (overlapMs === undefined) {
    const told = `The annotation ${annotations.rotationOverlap} is no duration such as 30m or 2h`;
    return report('Error', rotationReasons.invalid, told);
  }
  const steps = rotationSteps(rotation);
  const { generation } = state.input.object.metadata;
  const under = jsonHash({ generation, asked, retry: own[annotations.retry] });
  const afresh = !state.memory.rotationMet;
  state.memory.rotationMet = true;
  const host = new RotationHost(state, { steps, overlapMs, under, afresh });
  const hash = journal?.goal ?? wanted ?? '';
  const result = await run(rotationPipeline, { hash, value: undefined }, journal, host, { signal });
  const told = judge(result, host, state, steps);
  // The next request was made while this one was being met.
  return told.found.severity === undefined && wanted !== undefined && wanted !== hash ? { ...told, afterMs: 0 } : told;
}

/** The object's own word, else its namespace's, else the operator's; undefined if that is no duration. */
function overlapOf({ object, context }: PassState): number | undefined {
  const namespace = context.namespaces.get({ name: object.metadata.namespace ?? '' });
  const words = [object, namespace].flatMap(
    (holder) => holder?.metadata.annotations?.[annotations.rotationOverlap] ?? [],
  );
  return words[0] === undefined ? context.rotationOverlapMs : tryParseDuration(words[0]);
}

function judge(
  { state: word, journal, failure, nextAt, waits }: RunResult,
  host: RotationHost,
  { context, memory, input }: PassState,
  steps: readonly RotationStep[],
): RotationReport {
  if (word === 'Succeeded') {
    memory.renewalAttempts = 0;
    return report(undefined, rotationReasons.rotated, '');
  }
  const now = context.runtime.clock.now();
  if (failure) {
    const facts = failureFacts(host.error, input.model.errorOverrides);
    // Not known to be refused for good: it is tried until it is known.
    const retryClass = facts.retryClass === 'none' ? 'slow' : facts.retryClass;
    const attempt = memory.renewalAttempts ?? 0;
    memory.renewalAttempts = attempt + 1;
    const afterMs = retryDelay({ ...facts, retryClass }, attempt, context.syncPeriodMs);
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
  return { found: { severity, reason, message }, ...(afterMs !== undefined && { afterMs }) };
}
