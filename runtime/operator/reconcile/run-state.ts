import { withEnumWords } from '../../arm-kinds/body/enum-values.ts';
import { type BodyPath, withoutPaths } from '../../arm-kinds/body/ignored-fields.ts';
import { withSharedList } from '../../arm-kinds/body/shared-list.ts';
import type { ExportItem, ExportPlan } from '../../arm-kinds/export/export-plan.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, finalizer, labels, operatorName } from '../../arm-kinds/names.ts';
import type { ReconcilePolicy } from '../../arm-kinds/policy.ts';
import { hasSecrets } from '../../arm-kinds/secret-value.ts';
import type { Credential } from '../../azure/identity/credential.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { EffectResult, Wait } from '../../engine/index.ts';
import type { KubeObject, Patch, ResourceType } from '../../kube/client/types.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import {
  type AcquiredBy,
  type Acquisition,
  acquisitionOf,
  type CredentialOf,
  ownsArmId,
} from '../lifecycle/acquisition.ts';
import type { AdoptPolicy } from '../lifecycle/adoption.ts';
import type { AnnotationChanges } from '../lifecycle/object-records.ts';
import { nodeOf } from '../references/node-id.ts';
import type { Resolution } from '../references/resolve.ts';
import { publishedBy } from '../rotation/journal.ts';
import { type Published, rotationSteps } from '../rotation/steps.ts';
import { ResourceRequests } from './arm-requests.ts';
import { isReadyAsIs } from './conditions.ts';
import type { Memory, OperatorContext } from './dependencies.ts';
import { type Applied, bodyFingerprint, type DeletionFacts, type Live, parseApplied } from './observed.ts';

export interface PassInput {
  readonly model: ArmModel;
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly policy: ReconcilePolicy;
  readonly adopt: AdoptPolicy;
  /** The most that the object's own policy of adoption may allow. */
  readonly adoptBound: AdoptPolicy;
  /** Places in the body that are left to others once the resource exists. */
  readonly ignored: readonly BodyPath[];
  readonly credential: Credential | undefined;
  /** As ChosenCredential has it. */
  readonly credentialSource: string | undefined;
  /** The credential's power is the operator's own. */
  readonly usesOperatorCredential: boolean;
  readonly credentialOf: CredentialOf;
  readonly resolution: Resolution;
  readonly waits: readonly Wait[];
  /** ARM id; undefined while the owner is not known. */
  readonly resourceId: string | undefined;
  /** As declared, also at the ignored places. */
  readonly body: JsonObject | undefined;
  /** What to write for others; of a deletion nothing. */
  readonly exports: ExportPlan;
  readonly deletion: DeletionFacts | undefined;
  readonly correlationId: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export const succeeded: EffectResult = { outcome: 'succeeded' };
/** Of an object that has something in Azure, of which no more is known. */
export const accepted: Applied = { body: '', inputs: '', knownDifference: '' };
export const noExports: ExportPlan = { items: [], actions: [], secrets: {} };

/** What one pass over one object knows: its input, and what the effects bring to light one after the other. */
export class PassState {
  /** The object as last written. */
  object: KubeObject;
  /** The resource after all effects; what the status shows. */
  live: Live;
  released = false;
  /** What the last effect that failed threw, or why an operation ended without success. */
  error: unknown;
  /** A PUT or DELETE went out. */
  acted = false;
  claimed: boolean;
  applied: Applied | undefined;
  /** How the object came to own its ARM id; undefined before. */
  acquired: Acquisition | undefined;
  sent = false;
  /** The answer to the PUT of this run. */
  putAnswer: JsonObject | undefined;
  settled = false;
  readyWhen: boolean | undefined;
  exported = false;
  credentialsStored = false;
  deleted = false;
  vaultsCleared = false;
  /** When an expiry in a vault is to be renewed, in milliseconds since the epoch. */
  renewAt: number | undefined;
  readonly context: OperatorContext;
  readonly input: PassInput;
  readonly memory: Memory;
  /** The object did not own its ARM id before this pass. */
  readonly isNew: boolean;
  /** The object is Ready and asks for nothing new: the pass only looks whether Azure still has what is declared. */
  readonly atRest: boolean;
  readonly plan: ExportPlan;
  /** The keys that a rotation under way leaves alone. */
  readonly published: Published;
  readonly requests: ResourceRequests;

  constructor(context: OperatorContext, input: PassInput, memory: Memory) {
    this.context = context;
    this.input = input;
    this.memory = memory;
    this.object = input.object;
    this.applied = parseApplied(input.object.metadata.annotations?.[annotations.applied]);
    this.acquired = acquisitionOf(input.object);
    this.isNew = !this.isOwned();
    this.atRest = this.#isAtRest();
    this.requests = new ResourceRequests(context, input, this.atRest);
    this.claimed = this.#isClaimed();
    const { keyRotation } = input.model.definition.arm ?? {};
    this.published = keyRotation ? publishedBy(input.object, rotationSteps(keyRotation)) : 'both';
    const { admin } = input.resolution;
    const mine = ({ target, to }: ExportItem) => target === 'Secret' && to.name === admin?.input.name;
    // The Secret with credentials is not begun with what goes beside them.
    this.plan =
      admin?.task === 'make'
        ? { ...input.exports, items: input.exports.items.filter((item) => !mine(item)) }
        : input.exports;
    if (input.model.readyWhen(input.object) === undefined) this.readyWhen = true;
  }

  #isClaimed(): boolean {
    const { object } = this;
    const { resourceId, credentialSource, resolution, deletion } = this.input;
    if (deletion) return true;
    const owner = resolution.owner?.object;
    const { ownerReferences = [], labels: { [labels.ownerUid]: noted } = {} } = object.metadata;
    const owned = noted === owner?.metadata.uid && (!owner || ownerReferences.some(({ uid }) => uid === noted));
    const { annotations: own = {} } = object.metadata;
    const marked = own[annotations.resourceId] === resourceId && own[annotations.credential] === credentialSource;
    return owned && marked && hasFinalizer(object, finalizer) && this.context.records.isIntact(object);
  }

  #isAtRest(): boolean {
    const { object, waits, resolution, body, deletion } = this.input;
    if (deletion || this.isNew || waits.length > 0 || resolution.admin?.task !== undefined || !isReadyAsIs(object))
      return false;
    if (object.metadata.annotations?.[annotations.journal] !== undefined) return false;
    const inputs = hasSecrets(this.#own()) ? resolution.inputsVersion : '';
    return this.applied?.body === bodyFingerprint(body) && this.applied.inputs === inputs;
  }

  /** Whether the object owns its ARM id for what this pass may do. */
  isOwned(): boolean {
    const { acquired, input } = this;
    const { credentialOf, adopt } = input;
    return ownsArmId(acquired, { credentialOf, adopt, time: this.context.runtime.clock.now() });
  }

  /** The ARM id is the object's from here on. What is owned by a better proof stays so. */
  acquire(by: AcquiredBy): void {
    if (this.isOwned() && this.acquired?.by !== 'announced') return;
    this.acquired = { by, credentialOf: this.input.credentialOf, at: this.context.runtime.clock.now() };
  }

  /** The ARM id. Throws AZ_REFERENCE_MISSING while it is not known. */
  id(): string {
    const { resourceId } = this.input;
    if (resourceId === undefined) throw new AzimuthError('AZ_REFERENCE_MISSING', 'The ARM id is not known yet');
    return resourceId;
  }

  /** Keeps that an earlier PUT of this object may have arrived, where the journal forgets it for the end of a later one. */
  noteEarlierPut(): void {
    if (!this.isNew) this.applied ??= accepted;
  }

  /** Throws ScopeNotAllowed for an ARM id that this object may not reach with the credential that it has. */
  checkReach(armId: string): void {
    const { usesOperatorCredential, object } = this.input;
    if (usesOperatorCredential) this.context.credentialScopes.checkReach(object, armId);
  }

  /** Whether this object is kept to places. */
  isBounded(): boolean {
    const { usesOperatorCredential, object } = this.input;
    return usesOperatorCredential && this.context.credentialScopes.bounds(object);
  }

  /** The pending password of a made-up administrator went out with the last PUT, so that Azure takes no other. */
  hasNewPassword(): boolean {
    const { admin, inputsVersion } = this.input.resolution;
    return admin?.pending !== undefined && this.applied?.inputs === inputsVersion;
  }

  /** What the object asks to be written, as `Secret/name` and `ConfigMap/name`. */
  exportsPlanned(): string[] {
    const written = this.plan.items.filter(({ target }) => target !== 'KeyVault');
    return [...new Set(written.map(({ target, to }) => `${target}/${to.name}`))];
  }

  /** The same, of what may have been written for it before. */
  exportsNoted(): string[] {
    return (this.object.metadata.annotations?.[annotations.exports] ?? '').split(' ').filter(Boolean);
  }

  /** What is declared and not left to others. */
  #own(): JsonObject | undefined {
    const { body, ignored } = this.input;
    return body && withoutPaths(body, ignored);
  }

  /** The same, marked where it is compared in a way of its own. */
  compared(): JsonObject | undefined {
    const own = this.#own();
    if (!own) return undefined;
    const { definition, extension } = this.input.model;
    const words = definition.arm ? withEnumWords(definition.arm, own) : own;
    const { sharedList } = extension;
    return sharedList !== undefined ? withSharedList(words, sharedList) : words;
  }

  /**
   * Until its next pass the object is looked at again as soon as somebody wakes this node of the graph. To be noted before
   * looking whether there is anything to wait for, so that no wake-up falls in between.
   */
  waitFor(node: string): void {
    const { graph } = this.context;
    const own = nodeOf(this.object);
    graph.set(own, [...graph.dependencies(own), { kind: 'explicit', to: node }]);
  }

  /** Does what may have to be put off: what it notes to wait for counts only if it throws. */
  async orWait<T>(work: () => Promise<T>): Promise<T> {
    const { graph } = this.context;
    const own = nodeOf(this.object);
    const before = graph.dependencies(own);
    const result = await work();
    graph.set(own, before);
    return result;
  }

  event(type: 'Normal' | 'Warning', reason: string, action: string, note: string): void {
    this.context.events.record({ regarding: this.object, type, reason, action, note });
  }

  /** Writes the annotations that differ; null removes. Bound to the uid alone: what it says stays true anyway. */
  async annotate(changes: AnnotationChanges): Promise<void> {
    const news = this.context.records.changes(this.object, changes);
    if (Object.keys(news).length === 0) return;
    const { uid } = this.object.metadata;
    await this.patch({ type: 'merge', body: { metadata: { uid, annotations: news } } });
  }

  async patch(patch: Patch): Promise<void> {
    const { type, signal } = this.input;
    const { namespace = '', name } = this.object.metadata;
    const options = { fieldManager: operatorName, signal };
    const written = await this.context.runtime.client.patch(type, { namespace, name }, patch, options);
    this.object = this.context.records.authenticated(written);
  }
}
