import { ArmError } from '../azure/arm-errors.ts';
import type { Credential } from '../azure/credential.ts';
import { tryParseResourceId } from '../azure/resource-ids.ts';
import type { ArmRequest, ArmResponse, Operation } from '../azure/types.ts';
import { AzimuthError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { type EffectResult, formatJournal, type Host, type Journal, parseJournal, type Wait } from '../engine/index.ts';
import { hasFinalizer } from '../kube/finalizers.ts';
import type { KubeObject, Patch, ResourceType } from '../kube/types.ts';
import { type AdoptPolicy, adoptionRefusal } from './adoption.ts';
import { armDiff } from './arm-diff.ts';
import type { Memory, OperatorContext } from './context.ts';
import { actionPath, type ExportPlan } from './export-plan.ts';
import { exportTargets, ownerReference, writeExport } from './exports.ts';
import { evaluate } from './expressions.ts';
import {
  type Applied,
  bodyFingerprint,
  type DeletionFacts,
  type Effect,
  type Facts,
  formatApplied,
  type Live,
  type OperationMemo,
  operationMemo,
  parseApplied,
  residueOf,
} from './facts.ts';
import { armFailure, failureFacts } from './failures.ts';
import { type BodyPath, withLiveAt, withoutPaths } from './ignored-fields.ts';
import { isObject, type JsonObject } from './json-object.ts';
import type { ArmModel } from './model.ts';
import { annotations, eventReasons, finalizer, labels, operatorName } from './names.ts';
import type { ReconcilePolicy } from './policy.ts';
import type { Resolution } from './resolve.ts';
import { isGone, isGoneFacts, ResourceRequests, regionOf } from './resource-requests.ts';
import { hasSecrets, revealSecrets } from './secret-value.ts';
import { armIdInAzure } from './stores.ts';

export interface PassInput {
  readonly model: ArmModel;
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly policy: ReconcilePolicy;
  readonly adopt: AdoptPolicy;
  /** Places in the body that are left to others once the resource exists. */
  readonly ignored: readonly BodyPath[];
  readonly credential: Credential | undefined;
  readonly resolution: Resolution;
  readonly waits: readonly Wait[];
  /** ARM id; undefined while the owner is not known. */
  readonly resourceId: string | undefined;
  /** As declared, also at the ignored places. */
  readonly body: JsonObject | undefined;
  readonly deletion: DeletionFacts | undefined;
  readonly correlationId: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * One pass over one object: carries out the effects that the blocks ask for, and keeps what they bring to light. Longer
 * than most files here, because all effects of a pass share the state that they bring to light.
 */
export class Pass implements Host<Facts, Effect> {
  /** The object as last written. */
  object: KubeObject;
  /** The resource after all effects; what the status shows. */
  live: Live;
  released = false;
  /** What the last effect that failed threw, or why an operation ended without success. */
  error: unknown;
  /** A PUT or DELETE went out. */
  acted = false;
  readonly #context: OperatorContext;
  readonly #input: PassInput;
  readonly #memory: Memory;
  /** Nothing was sent to Azure or taken over for this object before this pass. */
  readonly isNew: boolean;
  readonly #plan: ExportPlan;
  readonly #requests: ResourceRequests;
  #claimed: boolean;
  #applied: Applied | undefined;
  #sent = false;
  #settled = false;
  #readyWhen: boolean | undefined;
  #exported = false;
  #deleted = false;

  constructor(context: OperatorContext, input: PassInput, memory: Memory) {
    this.#context = context;
    this.#input = input;
    this.#memory = memory;
    this.#requests = new ResourceRequests(context, input);
    this.object = input.object;
    this.#applied = parseApplied(input.object.metadata.annotations?.[annotations.applied]);
    this.#claimed = this.#isClaimed();
    const { annotations: own = {} } = input.object.metadata;
    const journaled = parseJournal(own[annotations.journal])?.blocks['submit'] !== undefined;
    this.isNew = this.#applied === undefined && !journaled && armIdInAzure(input.object) === undefined;
    const { model, resourceId } = input;
    this.#plan = resourceId === undefined || input.deletion ? noExports : model.exports(input.object, resourceId);
    if (model.readyWhen(input.object) === undefined) this.#readyWhen = true;
  }

  observe(): Facts {
    const { policy, waits, resolution, deletion } = this.#input;
    return {
      now: this.#context.runtime.clock.now(),
      policy,
      waits,
      claimed: this.#claimed,
      live: this.live,
      body: this.#compared(),
      declared: this.#input.body,
      inputsVersion: resolution.inputsVersion,
      applied: this.#applied,
      sent: this.#sent,
      settled: this.#settled,
      adoptionRefusal: this.#refusal(),
      readyWhen: this.#readyWhen,
      exports: this.#plan.items.length === 0 ? 'none' : this.#exported ? 'done' : 'owed',
      nextPollAt: this.#memory.operation?.nextPollAt ?? 0,
      deletion: deletion && { ...deletion, deleted: this.#deleted, released: this.released },
    };
  }

  /** What is declared and not left to others. */
  #compared(): JsonObject | undefined {
    const { body, ignored } = this.#input;
    return body && withoutPaths(body, ignored);
  }

  /** A resource that this object never sent or took over before needs a permission. */
  #refusal(): string | undefined {
    const { adopt, object, resourceId = '' } = this.#input;
    if (!this.live?.exists || !this.isNew) return undefined;
    return adoptionRefusal(adopt, object, resourceId, this.live.body);
  }

  async save(journal: Journal): Promise<void> {
    if (this.released) return;
    await this.#patchAnnotations({
      [annotations.journal]: Object.keys(journal.blocks).length === 0 ? null : formatJournal(journal),
      ...(this.#applied && { [annotations.applied]: formatApplied(this.#applied) }),
    });
  }

  boundsOf(effect: Effect): readonly string[] {
    if (effect.do !== 'put' && effect.do !== 'delete') return [];
    const { body, resourceId = '' } = this.#input;
    const subscription = tryParseResourceId(resourceId)?.subscriptionId ?? '';
    return [`subscription ${subscription}`, `region ${subscription} ${regionOf(body) ?? ''}`];
  }

  async perform(effect: Effect, { journal }: { readonly journal: Journal }): Promise<EffectResult> {
    try {
      return await this.#do(effect, journal);
    } catch (error) {
      if (this.#input.signal.aborted) throw error;
      this.error = error;
      const { reason, message, retryClass } = failureFacts(error, this.#input.model.errorOverrides);
      const failure = { code: reason, message };
      // Only a refused PUT is final for its goal: what else fails may be mended from outside without a word to us.
      return effect.do === 'put' && retryClass === 'none'
        ? { outcome: 'failed', failure }
        : { outcome: 'retry', failure };
    }
  }

  async #do(effect: Effect, journal: Journal): Promise<EffectResult> {
    switch (effect.do) {
      case 'claim':
        return this.#claim(journal);
      case 'get':
        return this.#registered(async () => {
          this.live = await this.#get();
          return succeeded;
        });
      case 'put':
        return this.#registered(() => this.#put());
      case 'poll':
        return this.#poll(journal);
      case 'adopt':
        return this.#adopt(effect.foreign === true);
      case 'settle':
        return this.#settle();
      case 'askReady':
        return this.#askReady();
      case 'export':
        return this.#export();
      case 'delete':
        return this.#delete();
      case 'release':
        return this.#release();
    }
  }

  #isClaimed(): boolean {
    const { object } = this;
    const { resourceId, resolution, deletion } = this.#input;
    if (deletion) return true;
    const owner = resolution.owner?.object;
    const owned = !owner || object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
    return (
      owned && hasFinalizer(object, finalizer) && object.metadata.annotations?.[annotations.resourceId] === resourceId
    );
  }

  /** Finalizer, ARM id, owner and journal in one write, which fails if anybody changed the object meanwhile. */
  async #claim(journal: Journal): Promise<EffectResult> {
    const { resourceId, resolution } = this.#input;
    const { metadata } = this.object;
    const { finalizers = [], ownerReferences = [], uid, resourceVersion } = metadata;
    const owner = resolution.owner?.object;
    const isOwner = ({ uid: id }: { readonly uid: string }) => id === owner?.metadata.uid;
    const others = owner ? ownerReferences.filter((each) => !isOwner(each)) : ownerReferences;
    const body = {
      metadata: {
        uid,
        resourceVersion,
        finalizers: finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer],
        annotations: {
          [annotations.resourceId]: resourceId,
          ...(Object.keys(journal.blocks).length > 0 && { [annotations.journal]: formatJournal(journal) }),
        },
        ...(owner && {
          ownerReferences: [...others, ownerReference(owner)],
          labels: {
            [labels.ownerName]: owner.metadata.name.slice(0, 63),
            [labels.ownerGroupKind]: `${owner.kind}.${owner.apiVersion.split('/')[0]}`.slice(0, 63),
            [labels.ownerUid]: owner.metadata.uid,
          },
        }),
      },
    };
    await this.#patch({ type: 'merge', body });
    this.#claimed = true;
    return succeeded;
  }

  async #get(): Promise<Live> {
    const body = await this.#requests.tryGet(this.#id());
    return body === undefined ? { exists: false } : { exists: true, body: isObject(body) ? body : {} };
  }

  async #put(): Promise<EffectResult> {
    const { model, object, body: declared = {}, ignored, credential } = this.#input;
    const subscriptionId = credential?.subscriptionId ?? '';
    const body = this.live?.exists ? withLiveAt(declared, ignored, this.live.body) : declared;
    const prepared =
      (await model.extension.beforePut?.(object, body, {
        resourceId: this.#id(),
        subscriptionId,
        apiVersion: model.apiVersion(object),
        send: (method, path, apiVersion) => this.#requests.send(method, path, { apiVersion }),
        tryGet: (path, apiVersion) => this.#requests.tryGet(path, apiVersion),
      })) ?? body;
    this.#reportDrift();
    const note = `Sending ${model.armType(object)} to Azure`;
    this.#event('Normal', eventReasons.beginCreateOrUpdate, 'CreateOrUpdate', note);
    this.acted = true;
    this.live = undefined;
    this.#settled = false;
    const request = this.#requests.request('PUT', this.#id(), { body: revealSecrets(prepared) });
    const response = await this.#requests.count('PUT', () => this.#context.arm.send(request));
    this.#sent = true;
    // Accepted, so that from here on it is this object's own, even if nothing comes of it.
    this.#applied ??= { body: '', inputs: '', residue: '' };
    return this.#started(request, response, { sent: true });
  }

  async #delete(): Promise<EffectResult> {
    this.#event('Normal', eventReasons.beginDelete, 'Delete', `Deleting ${this.#id()} in Azure`);
    this.acted = true;
    const request = this.#requests.request('DELETE', this.#id());
    try {
      const response = await this.#requests.count('DELETE', () => this.#context.arm.send(request));
      const result = this.#started(request, response, { deleted: true });
      if (result.outcome === 'succeeded') this.#deleted = true;
      return result;
    } catch (error) {
      if (!isGone(error)) throw error;
      this.#deleted = true;
      return { outcome: 'succeeded', memo: { deleted: true } };
    }
  }

  /** What became of a write: over, with the memo that says so, or an operation to poll. */
  #started(request: ArmRequest, response: ArmResponse, over: { [word: string]: boolean }): EffectResult {
    const operation = this.#context.arm.operationOf(request, response);
    this.#memory.token = response.token;
    this.#requests.token = response.token;
    if (!operation) return { outcome: 'succeeded', memo: over };
    this.#memory.operation = operation;
    return { outcome: 'polling', memo: operationMemo(operation, this.#input.correlationId) };
  }

  async #poll(journal: Journal): Promise<EffectResult> {
    const { arm } = this.#context;
    const block = journal.blocks['delete']?.state === 'Polling' ? 'delete' : 'submit';
    const memo = journal.blocks[block]?.memo as unknown as OperationMemo;
    // What is remembered may be of a time before another replica held the lease.
    if (this.#memory.operation?.url !== memo.operation.url) delete this.#memory.token;
    const known = this.#memory.operation?.url === memo.operation.url ? this.#memory.operation : undefined;
    const operation: Operation = known ?? { ...memo.operation, nextPollAt: 0 };
    const { authorizer } = this.#requests.credential();
    const result = await this.#requests.count('POLL', () =>
      arm.poll(operation, authorizer, this.#memory.token, this.#input.signal),
    );
    if (result.token) this.#memory.token = result.token;
    if (!result.done) {
      this.#memory.operation = result.operation;
      return { outcome: 'polling', memo: operationMemo(result.operation, memo.correlationId, memo.foreign) };
    }
    delete this.#memory.operation;
    this.#requests.token = this.#memory.token;
    delete this.#memory.token;
    // However it ended, a look at the resource tells what is left to do.
    if (memo.foreign && block === 'submit') return succeeded;
    if (result.outcome === 'succeeded') {
      if (block === 'delete') this.#deleted = true;
      else if (isObject(result.body) && typeof result.body['id'] === 'string') {
        this.live = { exists: true, body: result.body };
      }
      return { outcome: 'succeeded', memo: block === 'delete' ? { deleted: true } : { sent: true } };
    }
    // A DELETE whose operation ends because the resource is gone has succeeded.
    if (block === 'delete' && isGoneFacts(result.error.status, result.error.code)) {
      this.#deleted = true;
      return { outcome: 'succeeded', memo: { deleted: true } };
    }
    const { model } = this.#input;
    const facts = armFailure(result.error, model.errorOverrides);
    const failure = { code: facts.reason, message: facts.message };
    const final = facts.retryClass === 'none' && block !== 'delete';
    this.error = new ArmError(operation.method, this.#id(), result.error);
    return final ? { outcome: 'failed', failure } : { outcome: 'retry', failure, over: true };
  }

  /** Somebody's operation goes on, perhaps one of ours that was cut off: its end shows in the resource. */
  async #adopt(foreign: boolean): Promise<EffectResult> {
    const { clock } = this.#context.runtime;
    const now = clock.now();
    // Still known when only the journal could not be written.
    const operation: Operation = this.#memory.operation ?? {
      kind: 'body',
      method: 'PUT',
      url: this.#id(),
      finalPath: this.#id(),
      resourcePath: this.#id(),
      apiVersion: this.#input.model.apiVersion(this.#input.object),
      startedAt: now,
      nextPollAt: now + 1000,
    };
    this.#memory.operation = operation;
    this.live = undefined;
    return { outcome: 'polling', memo: operationMemo(operation, this.#input.correlationId, foreign) };
  }

  async #settle(): Promise<EffectResult> {
    const { resolution } = this.#input;
    const body = this.#compared();
    if (this.live?.exists) {
      if (this.isNew && !this.acted) this.#event('Normal', eventReasons.adopted, 'Adopt', `Took over ${this.#id()}`);
      const inputs = hasSecrets(body) ? resolution.inputsVersion : '';
      this.#applied = { body: bodyFingerprint(this.#input.body), inputs, residue: residueOf(body, this.live.body) };
    }
    this.#settled = true;
    return succeeded;
  }

  async #askReady(): Promise<EffectResult> {
    const expression = this.#input.model.readyWhen(this.#input.object) ?? 'true';
    this.#readyWhen = evaluate(expression, this.live?.exists ? this.live.body : {}) === true;
    return succeeded;
  }

  async #export(): Promise<EffectResult> {
    const { model, object, signal } = this.#input;
    const live = this.live?.exists ? this.live.body : {};
    const self = { ...object, status: model.status(live) };
    const answers = new Map<string, unknown>();
    for (const { id, method, path, apiVersion, body } of this.#plan.actions) {
      answers.set(id, (await this.#requests.send(method, actionPath(path, self), { apiVersion, body })).body);
    }
    for (const target of exportTargets(this.#plan, { self, live, resourceId: this.#id(), answers })) {
      const writer = { client: this.#context.runtime.client, owner: object, fieldManager: operatorName, signal };
      const written = await writeExport(target, writer);
      if (written !== undefined) {
        this.#context.wrote(target.target, object.metadata.namespace ?? '', target.name, written);
        this.#input.log.info({ target: target.target, name: target.name }, 'values exported');
      }
    }
    this.#exported = true;
    return succeeded;
  }

  async #release(): Promise<EffectResult> {
    const { finalizers = [], uid, resourceVersion } = this.object.metadata;
    const left = finalizers.filter((each) => each !== finalizer);
    await this.#patch({ type: 'merge', body: { metadata: { uid, resourceVersion, finalizers: left } } });
    this.released = true;
    return succeeded;
  }

  /** A request that a subscription refuses until the resource provider is registered in it, even for a look. */
  async #registered(send: () => Promise<EffectResult>): Promise<EffectResult> {
    const { model, object, credential, signal } = this.#input;
    const { registrations } = this.#context;
    const subscriptionId = credential?.subscriptionId ?? '';
    const registration = { subscriptionId, authorizer: this.#requests.credential().authorizer, signal };
    await registrations.settled(model.armType(object).split('/')[0] ?? '', registration);
    try {
      return await send();
    } catch (error) {
      const provider = await registrations.begin(error, registration);
      if (provider !== undefined) {
        const note = `Registering ${provider} in the subscription ${subscriptionId}, which uses it for the first time`;
        this.#event('Normal', eventReasons.registeringProvider, 'CreateOrUpdate', note);
      }
      throw error;
    }
  }

  /** Says which declared fields somebody changed in Azure since the last PUT of this very body. */
  #reportDrift(): void {
    const body = this.#compared();
    if (!this.live?.exists || this.#applied?.body !== bodyFingerprint(this.#input.body)) return;
    const differences = armDiff(body, this.live.body);
    if (differences.length === 0 || this.#applied.residue === residueOf(body, this.live.body)) return;
    const paths = differences.map(({ path }) => path);
    const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
    const note = `Azure differs from what is declared at ${paths.slice(0, 10).join(', ')}${more}; it is put back`;
    this.#event('Normal', eventReasons.repairingDrift, 'CreateOrUpdate', note);
  }

  #id(): string {
    const { resourceId } = this.#input;
    if (resourceId === undefined) throw new AzimuthError('AZ_REFERENCE_MISSING', 'The ARM id is not known yet');
    return resourceId;
  }

  #event(type: 'Normal' | 'Warning', reason: string, action: string, note: string): void {
    this.#context.events.record({ regarding: this.object, type, reason, action, note });
  }

  /** Bound to the uid alone: what it says stays true whatever else changes in the object meanwhile. */
  async #patchAnnotations(changes: Readonly<Record<string, string | null>>): Promise<void> {
    const { uid, annotations: own = {} } = this.object.metadata;
    const news = Object.entries(changes).filter(([name, value]) => (own[name] ?? null) !== value);
    if (news.length === 0) return;
    await this.#patch({ type: 'merge', body: { metadata: { uid, annotations: Object.fromEntries(news) } } });
  }

  async #patch(patch: Patch): Promise<void> {
    const { type, signal } = this.#input;
    const { namespace = '', name } = this.object.metadata;
    const options = { fieldManager: operatorName, signal };
    this.object = await this.#context.runtime.client.patch(type, { namespace, name }, patch, options);
  }
}

const succeeded: EffectResult = { outcome: 'succeeded' };
const noExports: ExportPlan = { items: [], actions: [], secrets: {} };
