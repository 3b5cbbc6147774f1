import { valueAt } from '../../arm-kinds/body/value-path.ts';
import { actionPath, exportAction } from '../../arm-kinds/export/export-plan.ts';
import { annotations, eventReasons } from '../../arm-kinds/names.ts';
import { ArmError, isRefusal } from '../../azure/arm/errors.ts';
import { AzimuthError } from '../../base/errors.ts';
import { type EffectResult, formatJournal, type Host, type Journal } from '../../engine/index.ts';
import type { EffectContext, EffectReport } from '../effects/effect-context.ts';
import { publish } from '../effects/export-values.ts';
import { armFailure, failureInfo, retryDelay } from '../effects/failures.ts';
import { type DurableOperation, durableOperation, pollJournaled } from '../effects/operation.ts';
import { recheckBeforeWrite } from '../effects/recheck-before-write.ts';
import type { RotationStep } from '../export/steps.ts';
import { jsonOf, keyFingerprint, type RotationMemo } from './memo.ts';
import type { RotationEffect, RotationObservation } from './pipeline.ts';

/** The input of a rotation. `overlapMs` is how long consumers may take to read a published key. */
export interface RotationInput {
  readonly steps: readonly RotationStep[];
  readonly overlapMs: number;
  readonly objectHash: string;
  readonly firstInProcess: boolean;
}

/** Performs the effects of a rotation, after a run that found the resource as declared. */
export class RotationHost implements Host<RotationObservation, RotationEffect> {
  /** The error of the last failed effect. */
  error: unknown;
  readonly #run: EffectContext;
  readonly #input: RotationInput;
  #renewAt: number | undefined;
  #keyRead: RotationObservation['keyRead'];
  #firstInProcess: boolean;

  constructor(context: EffectContext, input: RotationInput) {
    this.#firstInProcess = input.firstInProcess;
    this.#run = context;
    this.#input = input;
  }

  /** When an expiry in a vault must be renewed, in milliseconds since the epoch. */
  get renewAt(): number | undefined {
    return this.#renewAt;
  }

  observe(): RotationObservation {
    const { shared, memory } = this.#run;
    return {
      ...this.#input,
      firstInProcess: this.#firstInProcess,
      now: shared.runtime.clock.now(),
      keyRead: this.#keyRead,
      nextPollAt: memory.renewal?.operation.nextPollAt ?? 0,
    };
  }

  async save(journal: Journal): Promise<void> {
    const over = Object.keys(journal.blocks).length === 0;
    await this.#run.annotate({
      [annotations.rotation]: over ? null : formatJournal(journal),
      ...(over && { [annotations.keysRotated]: journal.desiredHash }),
    });
  }

  async perform(effect: RotationEffect): Promise<EffectResult> {
    const { memo } = effect;
    try {
      switch (effect.do) {
        case 'publish':
          return await this.#publish(memo);
        case 'readKey':
          return await this.#readKey(memo);
        case 'renew':
          return withoutObserved(await recheckBeforeWrite(this.#run, () => this.#renew(memo)));
        case 'poll':
          return await this.#poll(memo);
      }
    } catch (error) {
      if (this.#run.plan.signal.aborted) throw error;
      // A refused request was not carried out, so the next try need not read the key first.
      if (effect.do === 'renew' && isRefusal(error)) {
        return this.#refused(memo, error);
      }
      this.error = error;
      const { reason, message } = failureInfo(error, this.#run.plan.model.errorOverrides);
      return { outcome: 'retry', failure: { code: reason, message } };
    }
  }

  async #publish(memo: RotationMemo): Promise<EffectResult> {
    const { steps } = this.#input;
    const step = steps[memo.step];
    if (step?.do !== 'publish') return done(memo);
    if (memo.step === 0)
      this.#event(eventReasons.keyRotationBegun, 'Renewing the keys: first the secondary, then the primary');
    const { differs, renewAt } = await publish(this.#run, step.keys);
    if (renewAt !== undefined) this.#renewAt = Math.min(renewAt, this.#renewAt ?? renewAt);
    if (memo.step === steps.length - 1) this.#event(eventReasons.keysRotated, 'All keys are new and published');
    // No wait for consumers: the published keys never included the side that is renewed next.
    if (step.keys === 'both' || (step.keys === 'primary' && !differs)) return done({ step: memo.step + 1 });
    return done({ step: memo.step + 1, since: this.#run.shared.runtime.clock.now() });
  }

  async #readKey(memo: RotationMemo): Promise<EffectResult> {
    const key = keyFingerprint(await this.#currentKey(memo));
    if (memo.before !== undefined && memo.before !== key) return done({ step: memo.step + 1 });
    this.#keyRead = { step: memo.step, key };
    return { outcome: 'succeeded' };
  }

  async #currentKey(memo: RotationMemo): Promise<string> {
    const { secretSource } = this.#run.plan.model.definition.arm ?? {};
    const { secret } = this.#renewal(memo).renewal;
    const action = exportAction(
      this.#run.id(),
      secretSource?.action ?? { method: 'POST', path: 'listKeys', apiVersion: '' },
    );
    const path = actionPath(action.path, {});
    const { body } = await this.#run.requests.send(action.method, path, { apiVersion: action.apiVersion });
    const key = valueAt(body, secretSource?.secrets[secret]?.path ?? secret);
    if (typeof key === 'string' && key !== '') return key;
    throw new AzimuthError('AZ_REFERENCE_MISSING', `Azure does not show the key ${secret}`);
  }

  async #renew(memo: RotationMemo): Promise<EffectResult> {
    this.#firstInProcess = false;
    const { shared, requests, memory, plan: input } = this.#run;
    const { renewal, side } = this.#renewal(memo);
    const { action } = this.#rotation();
    const { path, apiVersion } = exportAction(this.#run.id(), action);
    this.#event(eventReasons.renewingKey, `Renewing the ${side} key ${renewal.secret}`);
    const request = requests.request('POST', path, { apiVersion, body: renewal.body });
    const response = await requests.count(action.path.split('/').at(-1) ?? 'POST', () => shared.arm.send(request));
    const operation = shared.arm.operationOf(request, response);
    if (!operation) return done({ step: memo.step + 1 });
    memory.renewal = { operation, ...(response.token && { token: response.token }) };
    return polling(memo, durableOperation(operation), input.correlationId);
  }

  async #poll(memo: RotationMemo): Promise<EffectResult> {
    const { memory, plan: input } = this.#run;
    const begun = memo.operation;
    if (!begun) return done({ step: memo.step });
    const { result, token } = await pollJournaled(this.#run, begun, memory.renewal);
    if (!result.done) {
      memory.renewal = { operation: result.operation, ...(token && { token }) };
      return polling(memo, durableOperation(result.operation, begun), memo.correlationId ?? input.correlationId);
    }
    delete memory.renewal;
    if (result.outcome === 'succeeded') return done({ step: memo.step + 1 });
    // The next read of the key shows whether it is new anyway.
    const error = new ArmError('POST', begun.resourcePath ?? this.#run.id(), result.error);
    const { operation: _, correlationId: __, ...rest } = memo;
    return this.#refused(rest, error);
  }

  #refused(memo: RotationMemo, error: ArmError): EffectResult {
    const { plan: input, shared } = this.#run;
    const { reason: code, message, retryClass, retryAfterMs } = armFailure(error.info, input.model.errorOverrides);
    const times = (memo.refused?.times ?? 0) + 1;
    const delay = retryDelay({ retryClass, retryAfterMs }, times - 1, shared.syncPeriodMs);
    const until = delay === undefined ? undefined : shared.runtime.clock.now() + delay;
    this.#event(eventReasons.keyRotationFailed, `${code}: ${message}`, 'Warning');
    const refused = { code, message, times, under: this.#input.objectHash, ...(until !== undefined && { until }) };
    return done({ ...memo, refused });
  }

  #rotation() {
    const rotation = this.#run.plan.model.definition.arm?.keyRotation;
    if (rotation) return rotation;
    throw new AzimuthError('AZ_TERMINAL', `${this.#run.plan.model.definition.kind} has no keys to renew`);
  }

  #renewal(memo: RotationMemo): Extract<RotationStep, { do: 'renew' }> {
    const step = this.#input.steps[memo.step];
    if (step?.do === 'renew') return step;
    throw new AzimuthError('AZ_TERMINAL', `Step ${memo.step} of the rotation renews nothing`);
  }

  #event(reason: string, note: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    this.#run.event(type, reason, 'RotateKeys', note);
  }
}

/** A rotation observes nothing for the reconcile run, which has ended. */
function withoutObserved({ observed: _, ...result }: EffectReport): EffectResult {
  return result;
}

const done = (memo: RotationMemo): EffectResult => ({ outcome: 'succeeded', memo: jsonOf(memo) });

const polling = (memo: RotationMemo, operation: DurableOperation, correlationId: string): EffectResult => ({
  outcome: 'polling',
  memo: jsonOf({ ...memo, operation, correlationId }),
});
