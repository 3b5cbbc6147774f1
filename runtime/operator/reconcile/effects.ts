import { turnOf } from '../../arm-kinds/extensions/index.ts';
import { annotations, rotationReasons } from '../../arm-kinds/names.ts';
import { isRefusal } from '../../azure/arm/errors.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { type EffectResult, formatJournal, type Host, type Journal } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { askReady, exportValues } from '../export/effect.ts';
import { clearVaults, notedSecrets } from '../export/key-vault-effect.ts';
import { formatAcquisition } from '../lifecycle/acquisition.ts';
import { adoptionRefusal } from '../lifecycle/adoption.ts';
import { type RotationReport, rotateKeys } from '../rotation/rotate-keys.ts';
import { regionOf } from './arm-requests.ts';
import type { Readiness } from './conditions.ts';
import type { Memory, OperatorContext } from './dependencies.ts';
import { claim, release } from './effects/finalizer.ts';
import { poll } from './effects/poll.ts';
import { registered } from './effects/register-provider.ts';
import { ifStillWanted } from './effects/reread-before-write.ts';
import { storeCredentials } from './effects/store-generated-admin.ts';
import {
  adopt,
  get,
  giveUp,
  put,
  recordAdoption,
  remove,
  reportAbsent,
  settle,
  waitForDeletion,
  waitForOwnerInAzure,
} from './effects/submit.ts';
import { failureFacts } from './errors.ts';
import { type Effect, type Facts, formatApplied, type Live } from './observed.ts';
import { type PassInput, PassState } from './run-state.ts';

/** One pass over one object: carries out the effects that the blocks ask for, and keeps what they bring to light. */
export class Pass implements Host<Facts, Effect> {
  readonly #state: PassState;

  constructor(context: OperatorContext, input: PassInput, memory: Memory) {
    this.#state = new PassState(context, input, memory);
  }

  /** The object as last written. */
  get object(): KubeObject {
    return this.#state.object;
  }

  /** The resource after all effects; what the status shows. */
  get live(): Live {
    return this.#state.live;
  }

  /** The object has, or may have, something of its own in Azure. */
  get hasAcquired(): boolean {
    return this.#state.acquired !== undefined;
  }

  get released(): boolean {
    return this.#state.released;
  }

  /** What the last effect that failed threw, or why an operation ended without success. */
  get error(): unknown {
    return this.#state.error;
  }

  /** It was but a look: the object was Ready and asked for nothing new, and nothing was sent. */
  get onlyLooked(): boolean {
    return this.#state.atRest && !this.#state.acted;
  }

  /** Nothing is to be done but to look whether Azure still has what is declared, which may as well be done later. */
  get mayWait(): boolean {
    const { atRest, claimed, published, object } = this.#state;
    const requests = [annotations.rotateKeys, annotations.rotateCredentials, annotations.retry];
    const asked = requests.some((each) => object.metadata.annotations?.[each] !== undefined);
    // Somebody may have changed what was exported while nobody watched.
    return atRest && claimed && published === 'both' && !asked && this.#exports() === 'none';
  }

  /** A PUT or DELETE went out. */
  get acted(): boolean {
    return this.#state.acted;
  }

  /** When an expiry in a vault is to be renewed, in milliseconds since the epoch. */
  get renewAt(): number | undefined {
    return this.#state.renewAt;
  }

  /** What became of the last request for a new password; undefined without one. */
  get credentials(): Readiness | undefined {
    const { admin } = this.#state.input.resolution;
    if (admin?.input.request === undefined) return undefined;
    const isSet = this.#state.exported && this.#state.hasNewPassword();
    const over = admin.task === undefined && (admin.pending === undefined || isSet);
    const message = over ? '' : 'A new password is being set; until then Azure takes the old one or the pending one';
    return over
      ? { severity: undefined, reason: rotationReasons.rotated, message }
      : { severity: 'Info', reason: rotationReasons.rotating, message };
  }

  /** Goes on with the keys that the object asks to renew, once the pass has found the resource as declared. */
  rotateKeys(): Promise<RotationReport | undefined> {
    return rotateKeys(this.#state);
  }

  observe(): Facts {
    const state = this.#state;
    const { policy, waits, resolution, deletion } = state.input;
    return {
      now: state.context.runtime.clock.now(),
      policy,
      waits,
      claimed: state.claimed,
      live: state.live,
      body: state.compared(),
      declared: state.input.body,
      inputsVersion: resolution.inputsVersion,
      applied: state.applied,
      owned: state.isOwned(),
      sent: state.sent,
      settled: state.settled,
      adoptionRefusal: this.#refusal(),
      readyWhen: state.readyWhen,
      credentials: state.credentialsStored ? 'stored' : resolution.admin?.task,
      exports: this.#exports(),
      nextPollAt: state.memory.operation?.nextPollAt ?? 0,
      deletion: deletion && {
        ...deletion,
        deleted: state.deleted,
        released: state.released,
        inVaults: notedSecrets(state.object).length > 0 && !state.vaultsCleared,
      },
    };
  }

  #exports(): Facts['exports'] {
    const { exported, plan } = this.#state;
    if (exported) return 'done';
    return plan.items.length + this.#state.exportsNoted().length === 0 ? 'none' : 'owed';
  }

  /** A resource that this object never sent or took over before needs a permission. */
  #refusal(): string | undefined {
    const { isNew, live, input } = this.#state;
    if (!live?.exists || !isNew || input.deletion) return undefined;
    return adoptionRefusal(
      { policy: input.adopt, bound: input.adoptBound },
      input.object,
      input.resourceId ?? '',
      live.body,
    );
  }

  async save(journal: Journal): Promise<void> {
    const state = this.#state;
    const { released, applied, input } = state;
    if (released) return;
    if (!input.deletion && journal.blocks['submit']?.state === 'Running') state.acquire('announced');
    const { acquired } = state;
    await state.annotate({
      [annotations.acquired]: acquired ? formatAcquisition(acquired) : null,
      [annotations.journal]: Object.keys(journal.blocks).length === 0 ? null : formatJournal(journal),
      ...(applied && { [annotations.applied]: formatApplied(applied) }),
    });
  }

  boundsOf(effect: Effect): readonly string[] {
    if (effect.do !== 'put' && effect.do !== 'delete') return [];
    const { body, resourceId = '' } = this.#state.input;
    const subscription = tryParseResourceId(resourceId)?.subscriptionId ?? '';
    const turn = turnOf(resourceId);
    const bounds = [`subscription ${subscription}`, `region ${subscription} ${regionOf(body) ?? ''}`];
    return turn === undefined ? bounds : [...bounds, `turn ${turn}`];
  }

  async perform(effect: Effect, { journal }: { readonly journal: Journal }): Promise<EffectResult> {
    const { input } = this.#state;
    try {
      return await this.#do(effect, journal);
    } catch (error) {
      if (input.signal.aborted) throw error;
      this.#state.error = error;
      const { reason, message, retryClass } = failureFacts(error, input.model.errorOverrides);
      const failure = { code: reason, message };
      // Only a refused PUT is final for its goal: what else fails may be mended from outside without a word to us.
      const refused = effect.do === 'put' && this.#state.isNew && isRefusal(error);
      // Refused, the first PUT of an object makes nothing its own.
      if (refused) this.#state.acquired = undefined;
      if (effect.do === 'put' && retryClass === 'none') {
        this.#state.noteEarlierPut();
        return { outcome: 'failed', failure };
      }
      return { outcome: 'retry', failure, ...(refused && { over: true }) };
    }
  }

  #do(effect: Effect, journal: Journal): Promise<EffectResult> {
    const state = this.#state;
    switch (effect.do) {
      case 'claim':
        return claim(state, journal);
      case 'get':
        return registered(state, () => get(state));
      case 'storeCredentials':
        return storeCredentials(state);
      case 'put':
        return ifStillWanted(state, () => registered(state, () => put(state)));
      case 'poll':
        return poll(state, journal);
      case 'adopt':
        return adopt(state, effect.foreign === true);
      case 'settle':
        return settle(state);
      case 'recordAdoption':
        return recordAdoption(state);
      case 'giveUp':
        return giveUp(state);
      case 'reportAbsent':
        return reportAbsent(state);
      case 'waitForDeletion':
        return waitForDeletion();
      case 'waitForOwnerInAzure':
        return waitForOwnerInAzure(state);
      case 'askReady':
        return askReady(state);
      case 'export':
        return exportValues(state);
      case 'delete':
        return ifStillWanted(state, () => remove(state));
      case 'clearVaults':
        return clearVaults(state);
      case 'release':
        return release(state);
    }
  }
}
