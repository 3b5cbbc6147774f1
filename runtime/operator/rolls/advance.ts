import { bodyFingerprint } from '../../arm-kinds/comparison/applied-record.ts';
import { hasFailed } from '../../azure/arm/operations/provisioning-state.ts';
import { type JsonObject, jsonHash } from '../../base/json.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import { failureInfo, retryDelay, retryNote } from '../effects/failures.ts';
import { forgetProgress, type Progress, type RollMemory } from '../machines/roll-memory.ts';

/**
 * Does one step for a machine that Azure has as declared. A failed step becomes a progress with Azure's reason, and its
 * next try waits.
 *
 * @param subject What the step brings to the machine besides its body; another one starts from the beginning.
 */
export async function advance(
  context: EffectContext,
  memory: RollMemory,
  subject: unknown,
  step: (live: JsonObject) => Promise<Progress>,
): Promise<Progress> {
  const { live } = context.observed;
  const { instancesReadMs } = context.shared;
  if (!live?.exists || hasFailed(live.body)) {
    const message = 'Azure does not show the model yet';
    return { done: false, well: false, severity: 'Info', reason: 'ModelPending', message, afterMs: instancesReadMs };
  }
  forgetProgress(memory, jsonHash({ body: bodyFingerprint(context.plan.declared), subject }));
  try {
    const progress = await step(live.body);
    memory.failures = 0;
    return progress;
  } catch (error) {
    if (context.plan.signal.aborted) throw error;
    const info = failureInfo(error, context.plan.model.errorOverrides);
    const retryClass = info.retryClass === 'none' ? 'slow' : info.retryClass;
    const delay = retryDelay({ ...info, retryClass }, memory.failures++, context.shared.syncPeriodMs);
    const afterMs = Math.max(instancesReadMs, delay ?? 0);
    memory.nextReadAt = context.shared.runtime.clock.now() + afterMs;
    const message = `${info.message.replace(/\.$/, '')}. ${retryNote(retryClass)}`;
    return { done: false, well: false, severity: 'Warning', reason: info.reason, message, afterMs };
  }
}
