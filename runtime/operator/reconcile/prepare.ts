import { ignoredPaths } from '../../arm-kinds/body/ignored-fields.ts';
import { checkExports } from '../../arm-kinds/export/export-plan.ts';
import { readyExpression } from '../../arm-kinds/export/ready-expression.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, eventReasons, reasons } from '../../arm-kinds/names.ts';
import { policyOf, type UnknownWord } from '../../arm-kinds/policy.ts';
import { normalizeResourceId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isDeeperThan } from '../../base/json.ts';
import { describeCycle, type Edge, type Journal, type Wait } from '../../engine/index.ts';
import type { KubeObject, ResourceType } from '../../kube/client/types.ts';
import type { ChosenCredential } from '../credentials/credentials.ts';
import { acquisitionOf, countsFor } from '../lifecycle/acquisition.ts';
import { adoptBoundOf, adoptPolicyOf } from '../lifecycle/adoption.ts';
import { describeConflict } from '../lifecycle/arm-id-reservations.ts';
import { type DeletionPlan, planDeletion } from '../lifecycle/deletion.ts';
import { armIdInAzure, heldId } from '../lifecycle/resource-id.ts';
import { armNode, nodeOf } from '../references/node-id.ts';
import { edgesOf, type Resolution, resolve } from '../references/resolve.ts';
import type { OperatorContext } from './dependencies.ts';
import { SubscriptionMismatch } from './outcome.ts';
import { noExports, type PassInput } from './run-state.ts';

export interface Prepared {
  readonly input: PassInput;
  readonly chosen: ChosenCredential | undefined;
}

export interface PreparedRemoval extends Prepared {
  readonly plan: DeletionPlan;
}

/** What keeps an object from being worked on at all: something in it, or in its credential, that must be mended first. */
export interface Unprepared {
  readonly failed: unknown;
}

/** A correlation id, which goes to AAD, ARM and Key Vault, and a logger whose lines carry it. */
export type Trace = Pick<PassInput, 'correlationId' | 'log'>;

const noResolution: Resolution = { waits: [], owner: undefined, inputs: new Map(), inputsVersion: '' };

/** Gathers what a pass needs from outside of the object, and notes in the graph what it depends on. */
export class Preparation {
  readonly #model: ArmModel;
  readonly #type: ResourceType;
  readonly #context: OperatorContext;

  constructor(model: ArmModel, type: ResourceType, context: OperatorContext) {
    this.#model = model;
    this.#type = type;
    this.#context = context;
  }

  /** For a pass towards what is declared. */
  async apply(object: KubeObject, trace: Trace, signal: AbortSignal): Promise<Prepared | Unprepared> {
    const { client } = this.#context.runtime;
    const { objects, graph, roles, credentials, credentialScopes, fingerprints, vaults, expressions } = this.#context;
    const model = this.#model;
    const node = nodeOf(object);
    try {
      checkDepth(object);
      const edges = [...edgesOf(model, object), credentials.edgeOf(object)];
      graph.set(node, edges);
      const chosen = await credentials.credentialFor(object, signal);
      const { credential } = chosen;
      const resolution = await resolve(model, object, {
        client,
        objects,
        signal,
        fingerprints,
        roles: async (name) =>
          credential &&
          roles.find(name, credential.subscriptionId ?? '', {
            authorizer: credential.authorizer,
            correlationId: trace.correlationId,
            signal,
          }),
      });
      const ownerKnown = resolution.owner !== undefined || model.owner(object) === undefined;
      const subscriptionId = credential?.subscriptionId ?? '';
      const resourceId = ownerKnown && credential ? this.#resourceId(object, resolution, subscriptionId) : undefined;
      if (chosen.usesOperatorCredential && resourceId !== undefined) {
        const inputs = [...resolution.inputs.values()];
        credentialScopes.check(model, object, { resourceId, ownerId: resolution.owner?.armId, inputs });
      }
      const missing = [...chosen.waits, ...resolution.waits];
      const overlap =
        resourceId === undefined
          ? []
          : this.#duplicates(object, resourceId, missing.length === 0 && chosen.credentialOf !== 'other-cloud');
      const cycle = this.#link(node, [...edges, ...overlap.map(({ kind, node: to }) => ({ kind, to }))]);
      const waits = [...missing, ...overlap].map((wait) =>
        cycle === undefined ? wait : { ...wait, message: `${wait.message}. ${cycle}` },
      );
      const input: PassInput = {
        ...this.#common(object, trace, signal),
        credential,
        credentialSource: chosen.source,
        usesOperatorCredential: chosen.usesOperatorCredential,
        credentialOf: chosen.credentialOf,
        resolution,
        waits,
        resourceId,
        ignored: ignoredPaths(model, object),
        body:
          waits.length === 0 && resolution.admin?.task !== 'make' ? model.body(object, resolution.inputs) : undefined,
        exports: resourceId === undefined ? noExports : model.exports(object, resourceId, vaults.operatorVault),
        deletion: undefined,
      };
      checkExports(input.exports);
      const ready = readyExpression(model, object);
      const asked = input.exports.items.flatMap(({ source }) => (source.from === 'expression' ? [source] : []));
      const { namespace = '' } = object.metadata;
      await expressions.check(namespace, [...asked, ...(ready ? [{ ...ready, yields: 'bool' as const }] : [])]);
      return { input, chosen };
    } catch (error) {
      return unprepared(error, trace, signal);
    }
  }

  /** For a pass towards the end of the object. */
  async remove(
    object: KubeObject,
    journal: Journal | undefined,
    trace: Trace,
    signal: AbortSignal,
  ): Promise<PreparedRemoval | Unprepared> {
    const { objects, records, graph, credentials, credentialScopes } = this.#context;
    const { client } = this.#context.runtime;
    const common = this.#common(object, trace, signal);
    const inputs = isTooDeep(object) ? [] : edgesOf(this.#model, object);
    const edges = [...inputs, credentials.edgeOf(object)];
    graph.set(nodeOf(object), edges);
    const now = this.#context.runtime.clock.now();
    const from = { objects, records, client, type: this.#type, now, signal };
    let plan = await planDeletion(this.#model, object, common, journal, from);
    graph.set(nodeOf(object), [...edges, ...plan.waits.map(({ kind, node }) => ({ kind, to: node }))]);
    let chosen: ChosenCredential | undefined;
    let resourceId = object.metadata.annotations?.[annotations.resourceId];
    try {
      if (plan.leave === undefined) {
        resourceId = heldId(this.#model, object);
        chosen = await credentials.credentialFor(object, signal);
        const acquired = acquisitionOf(object);
        if (chosen.credential && acquired && !countsFor(acquired, chosen.credentialOf)) {
          const leave =
            'it was made with a credential of the namespace or of another cloud, which is not there any more';
          plan = { ...plan, leave, noteworthy: true, waits: [] };
        } else if (chosen.usesOperatorCredential && resourceId !== undefined) {
          credentialScopes.checkReach(object, resourceId);
        }
      }
    } catch (error) {
      return unprepared(error, trace, signal);
    }
    const input: PassInput = {
      ...common,
      credential: chosen?.credential,
      credentialSource: chosen?.source,
      usesOperatorCredential: chosen?.usesOperatorCredential ?? false,
      credentialOf: chosen?.credentialOf ?? 'namespace',
      resolution: noResolution,
      waits: [...plan.waits, ...(chosen?.waits ?? [])],
      resourceId,
      ignored: [],
      body: undefined,
      exports: noExports,
      deletion: { leave: plan.leave, unsure: plan.unsure, deleted: false, released: false },
    };
    return { input, chosen, plan };
  }

  #common(object: KubeObject, { correlationId, log }: Trace, signal: AbortSignal) {
    const { namespaces, defaultPolicy, defaultAdopt } = this.#context;
    const namespace = namespaces.get({ name: object.metadata.namespace ?? '' });
    const words: string[] = [];
    const unknown: UnknownWord = (annotation, word, remedy) => words.push(`${annotation} is \`${word}\`: ${remedy}`);
    const policies = {
      policy: policyOf(object, namespace, defaultPolicy, unknown),
      adopt: adoptPolicyOf(object, namespace, defaultAdopt, unknown),
      adoptBound: adoptBoundOf(namespace, defaultAdopt),
    };
    this.#tellUnknown(object, words.join('. '));
    return {
      model: this.#model,
      type: this.#type,
      object,
      ...policies,
      correlationId,
      log,
      signal,
    };
  }

  /** Once for each wording, as a pass that only looks writes no events. */
  #tellUnknown(object: KubeObject, note: string): void {
    const memory = this.#context.memory.get(object.metadata.uid ?? '');
    if (!memory || note === (memory.unknownWords ?? '')) return;
    memory.unknownWords = note;
    if (note === '') return;
    const event = { type: 'Warning', reason: eventReasons.unknownPolicy, action: 'Read', note } as const;
    this.#context.events.record({ regarding: object, ...event });
  }

  /** Once something was sent to Azure under an id, that id stays. A spec that asks for another one is refused. */
  #resourceId(object: KubeObject, resolution: Resolution, subscriptionId: string): string {
    const own = object.metadata.annotations ?? {};
    const computed = this.#model.resourceId(object, resolution.owner, subscriptionId);
    const used =
      own[annotations.acquired] ?? own[annotations.applied] ?? own[annotations.journal] ?? armIdInAzure(object);
    const id = (used === undefined ? undefined : heldId(this.#model, object)) ?? computed;
    const actual = tryParseResourceId(id)?.subscriptionId;
    if (actual !== undefined && actual.toLowerCase() !== subscriptionId.toLowerCase()) {
      throw new SubscriptionMismatch(actual, subscriptionId);
    }
    if (!isSamePlace(this.#model, object, id, computed)) {
      throw new AzimuthError(
        'AZ_TERMINAL',
        `The spec asks for ${computed}, but what was sent to Azure for this object is ${id}, and an object keeps its ARM id: set spec.azureName and spec.owner back, and make another object for the other resource`,
      );
    }
    return id;
  }

  /** The object that has the ARM id instead of this one. With `hold`, the id is this object's from here on. */
  #duplicates(object: KubeObject, resourceId: string, hold: boolean): Wait[] {
    const { armIds, events } = this.#context;
    const holder = hold ? armIds.tryReserve(resourceId, object) : armIds.conflictingObject(resourceId, object);
    if (!holder) return [];
    const message = `${describeConflict(holder, object)} already manages ${normalizeResourceId(resourceId)}`;
    const event = { type: 'Warning', reason: eventReasons.overlap, action: 'Claim', note: message } as const;
    events.record({ regarding: object, ...event });
    return [{ kind: 'explicit', node: armNode(resourceId), reason: reasons.blocked, message }];
  }

  #link(node: string, edges: readonly Edge[]): string | undefined {
    const { graph } = this.#context;
    graph.set(node, edges);
    const cycle = graph.cycleThrough(node);
    return cycle && describeCycle(cycle);
  }
}

/** Azure's own documents have a dozen levels; thousands would end the recursive functions that read a spec. */
const MAX_LEVELS = 100;

function isTooDeep(object: KubeObject): boolean {
  return isDeeperThan(object['spec'], MAX_LEVELS);
}

function checkDepth(object: KubeObject): void {
  if (!isTooDeep(object)) return;
  throw new AzimuthError('AZ_TERMINAL', `The spec is nested deeper than ${MAX_LEVELS} levels: make it flatter`);
}

/** Of kinds that make up a name, a name that is not in the spec says nothing. */
function isSamePlace({ extension }: ArmModel, object: KubeObject, held: string, computed: string): boolean {
  const { azureName } = (object['spec'] ?? {}) as { readonly azureName?: string };
  const place = (id: string) =>
    extension.defaultName && azureName === undefined ? id.slice(0, id.lastIndexOf('/')) : id;
  return normalizeResourceId(place(held)) === normalizeResourceId(place(computed));
}

function unprepared(error: unknown, { log }: Trace, signal: AbortSignal): Unprepared {
  if (signal.aborted || !(error instanceof AzimuthError) || error.code.startsWith('AZ_KUBE')) throw error;
  log.warn({ code: error.code, error: error.message }, 'the object cannot be prepared');
  return { failed: error };
}
