import { formatApplied } from '../../arm-kinds/comparison/applied-record.ts';
import { annotations, rotationReasons } from '../../arm-kinds/names.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { type EffectResult, formatJournal, type Host, type Journal } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { settlesAt } from '../effects/applied.ts';
import { ResourceRequests } from '../effects/arm-requests.ts';
import { EffectContext, type EffectReport, failed, ObjectWriter } from '../effects/effect-context.ts';
import { clearVaults, recordedVaultSecrets } from '../effects/export-to-key-vault.ts';
import { evaluateReadyWhen, exportValues } from '../effects/export-values.ts';
import type { Memory } from '../effects/memory.ts';
import type { Observation, ObservedState } from '../effects/observation.ts';
import { joinOperation, monitorOperation } from '../effects/operation.ts';
import { recheckBeforeWrite } from '../effects/recheck-before-write.ts';
import type { ReconcileDeps } from '../effects/reconcile-deps.ts';
import type { ReconcilePlan } from '../effects/reconcile-plan.ts';
import { formatAcquisition, ownsArmId } from '../objects/acquisition.ts';
import { adoptionRefusal } from '../objects/adoption.ts';
import type { Readiness } from '../objects/conditions.ts';
import type { Effect } from './effect.ts';
import { beginCreateOrUpdate } from './effects/create-or-update.ts';
import { beginDelete } from './effects/delete.ts';
import { addFinalizer, removeFinalizer } from './effects/finalizer.ts';
import { readResource } from './effects/read-resource.ts';
import {
  failAndRetry,
  recordAdoption,
  recordApplied,
  reportAbsent,
  waitForDeletion,
  waitForOwnerInAzure,
} from './effects/record.ts';
import { withRegisteredProvider } from './effects/register-provider.ts';
import { reserveArmId } from './effects/reserve-arm-id.ts';
import { storeGeneratedAdmin } from './effects/store-generated-admin.ts';
import { WriteTurn } from './effects/write-turn.ts';
import { firstObservation, isInSync } from './first-observation.ts';

/** One reconcile run of one object: performs the effects of the pipeline, and keeps their observations. */
export class Reconciliation implements Host<Observation, Effect> {
  readonly plan: ReconcilePlan;
  /** The object did not own its ARM id before this run. */
  readonly #isNew: boolean;
  /**
   * The object is Ready and has no pending requests: the run only checks that Azure still has the declared resource.
   */
  readonly #inSync: boolean;
  readonly #deps: ReconcileDeps;
  readonly #memory: Memory;
  readonly #requests: ResourceRequests;
  readonly #writer: ObjectWriter;
  readonly #turn = new WriteTurn();
  #observed: ObservedState;
  #error: unknown;

  constructor(deps: ReconcileDeps, plan: ReconcilePlan, memory: Memory) {
    this.plan = plan;
    this.#deps = deps;
    this.#memory = memory;
    this.#writer = new ObjectWriter(deps, plan);
    this.#observed = firstObservation(deps, plan);
    const { credentialOf, adopt } = plan;
    this.#isNew = !ownsArmId(this.#observed.acquired, { credentialOf, adopt, time: deps.runtime.clock.now() });
    this.#inSync = !this.#isNew && isInSync(plan, this.#observed);
    this.#requests = new ResourceRequests(deps, plan, this.#inSync);
  }

  /** The object as last written. */
  get object(): KubeObject {
    return this.#writer.object;
  }

  /** The state that the run has read and written so far. */
  get observed(): ObservedState {
    return this.#observed;
  }

  /** The error of the last failed effect, or the error of an operation that ended without success. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether the run only checked an object that was in sync: its failure proves nothing about the resource. */
  get onlyChecked(): boolean {
    return this.#inSync && !this.#observed.wroteToAzure;
  }

  /** Whether the run only has to check that Azure still has the declared resource, which can wait. */
  get mayWait(): boolean {
    const objectAnnotations = this.object.metadata.annotations;
    const asked = [annotations.rotateKeys, annotations.rotateCredentials, annotations.retry];
    const idle = this.#inSync && this.#observed.finalizerAdded && this.plan.publishedKeys === 'both';
    // The instances of a machine with ManagedSecrets may lack its model, which Ready does not say.
    if (this.plan.machine) return false;
    // Somebody may have changed an exported object while no operator watched it.
    return idle && !asked.some((each) => objectAnnotations?.[each] !== undefined) && !this.observe().exportsDue;
  }

  /** The state of the last request for a new password; undefined without one. */
  get credentials(): Readiness | undefined {
    const { admin } = this.plan.resolution;
    if (admin?.input.request === undefined) return undefined;
    const isSet = this.#observed.exported && this.effectContext().hasNewPassword();
    const over = admin.task === undefined && (admin.pending === undefined || isSet);
    const message = 'A new password is being set; until then Azure takes the old one or the pending one';
    return over
      ? { severity: undefined, reason: rotationReasons.rotated, message: '' }
      : { severity: 'Info', reason: rotationReasons.rotating, message };
  }

  /** When to read the resource again, because the last read may be stale; undefined where it need not be. */
  get rereadAt(): number | undefined {
    return settlesAt(this.plan, { ...this.#observed, now: this.#deps.runtime.clock.now() });
  }

  /** The context of the next effect. */
  effectContext(): EffectContext {
    return new EffectContext({
      shared: this.#deps,
      plan: this.plan,
      observed: this.#observed,
      memory: this.#memory,
      requests: this.#requests,
      writer: this.#writer,
      isNew: this.#isNew,
    });
  }

  /** Call it with the journal before the run. */
  begin(journal: Journal | undefined): void {
    this.#turn.begin(this.effectContext(), journal);
  }

  /** Call it with the journal after the run: others may write where this object does not. */
  end(journal: Journal): void {
    this.#turn.end(this.effectContext(), journal, this.#error);
  }

  /** Closes the run's connection to a service other than ARM. */
  close(): Promise<void> {
    return this.#requests.close();
  }

  observe(): Observation {
    const { adopt, adoptBound, object, resourceId, exports, deletion } = this.plan;
    const observed = this.#observed;
    const context = this.effectContext();
    const { live } = observed;
    // A resource that this object never sent or adopted before needs a permission.
    const isForeign = live?.exists && this.#isNew && !deletion;
    const policy = { policy: adopt, bound: adoptBound };
    return {
      ...observed,
      now: this.#deps.runtime.clock.now(),
      nextPollAt: this.#memory.operation?.nextPollAt ?? 0,
      owned: context.ownsArmId(),
      adoptionRefusal: isForeign ? adoptionRefusal(policy, object, resourceId ?? '', live.body) : undefined,
      ownerDeleting: this.plan.resolution.owner?.object?.metadata.deletionTimestamp !== undefined,
      exportsDue: !observed.exported && exports.items.length + context.recordedExports().length > 0,
      secretsInVaults: recordedVaultSecrets(this.object).length > 0 && !observed.vaultsCleared,
    };
  }

  async save(journal: Journal): Promise<void> {
    if (this.#observed.finalizerRemoved) return;
    const context = this.effectContext();
    const announcing = !this.plan.deletion && journal.blocks['submit']?.state === 'Running';
    const { applied } = this.#observed;
    const acquired = announcing ? context.acquired('announced') : this.#observed.acquired;
    await context.annotate({
      [annotations.acquired]: acquired ? formatAcquisition(acquired) : null,
      [annotations.journal]: Object.keys(journal.blocks).length === 0 ? null : formatJournal(journal),
      ...(applied && { [annotations.applied]: formatApplied(applied) }),
    });
    // Only now: an object whose record cannot be written, as one that is too large, would keep the ARM id reserved.
    if (announcing) this.#observed = { ...this.#observed, acquired };
  }

  get share(): string {
    return this.plan.object.metadata.namespace ?? '';
  }

  /** Waits for the rate limit before the run takes a place or an ARM id that others may wait for. */
  async admit(effect: Effect): Promise<void> {
    if (effect.do === 'beginCreateOrUpdate') await this.#requests.admit('PUT', this.effectContext().id());
    if (effect.do === 'beginDelete') await this.#requests.admit('DELETE', this.effectContext().id());
  }

  reserve(effect: Effect): EffectResult | undefined {
    if (effect.do !== 'beginCreateOrUpdate' && effect.do !== 'beginDelete') return undefined;
    const context = this.effectContext();
    return this.#turn.take(context) ?? (effect.do === 'beginDelete' ? undefined : reserveArmId(context));
  }

  /** A namespace with a credential of its own may name any id, so it has places of its own. */
  limitKeysOf(effect: Effect): readonly string[] {
    if (effect.do !== 'beginCreateOrUpdate' && effect.do !== 'beginDelete') return [];
    const { resourceId = '', usesOperatorCredential } = this.plan;
    const owner = usesOperatorCredential ? '' : this.share;
    return [`subscription ${owner}/${tryParseResourceId(resourceId)?.subscriptionId ?? ''}`];
  }

  async perform(effect: Effect, { journal }: { readonly journal: Journal }): Promise<EffectResult> {
    const context = this.effectContext();
    const report = this.#deps.tracer.run({ name: effect.do }, async () => {
      try {
        return await this.#effect(effect, context, journal);
      } catch (thrown) {
        if (this.plan.signal.aborted) throw thrown;
        return failed(context, thrown);
      }
    });
    const { observed, error, ...result } = await report;
    this.#observed = { ...this.#observed, ...observed };
    if (error !== undefined) this.#error = error;
    return result;
  }

  async #effect(effect: Effect, context: EffectContext, journal: Journal): Promise<EffectReport> {
    switch (effect.do) {
      case 'addFinalizer':
        return addFinalizer(context, journal);
      case 'readResource':
        return withRegisteredProvider(context, () => readResource(context));
      case 'storeGeneratedAdmin':
        return storeGeneratedAdmin(context);
      case 'beginCreateOrUpdate':
        return beginCreateOrUpdate(context);
      case 'monitorOperation':
        return monitorOperation(context, journal);
      case 'joinOperation':
        return joinOperation(context, effect.foreign === true);
      case 'recordApplied':
        return recordApplied(context);
      case 'recordAdoption':
        return recordAdoption(context);
      case 'failAndRetry':
        return failAndRetry(context);
      case 'reportAbsent':
        return reportAbsent(context);
      case 'waitForDeletion':
        return waitForDeletion();
      case 'waitForOwnerInAzure':
        return waitForOwnerInAzure(context);
      case 'evaluateReadyWhen':
        return evaluateReadyWhen(context);
      case 'export':
        return exportValues(context);
      case 'beginDelete':
        return recheckBeforeWrite(context, () => beginDelete(context));
      case 'clearVaults':
        return clearVaults(context);
      case 'removeFinalizer':
        return removeFinalizer(context);
    }
  }
}
