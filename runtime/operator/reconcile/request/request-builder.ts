import { comparedBody } from '../../../arm-kinds/body/compared-body.ts';
import { ignoredPaths } from '../../../arm-kinds/body/ignored-fields.ts';
import { checkExports, type ExportPlan } from '../../../arm-kinds/export/export-plan.ts';
import type { ArmModel } from '../../../arm-kinds/model.ts';
import { annotations, eventReasons, reasons } from '../../../arm-kinds/names.ts';
import { policyOf, type UnknownValueReporter } from '../../../arm-kinds/policy.ts';
import { normalizeResourceId, parentId } from '../../../azure/arm/resource-ids.ts';
import type { JsonObject } from '../../../base/json.ts';
import { describeCycle, type Edge, type Journal, type Wait } from '../../../engine/index.ts';
import type { KubeObject, ResourceType } from '../../../kube/client/types.ts';
import type { ChosenCredential } from '../../credentials/credentials.ts';
import { acquisitionOf, countsFor, holdsArmId, lostCredential } from '../../lifecycle/acquisition.ts';
import { adoptBoundOf, adoptPolicyOf } from '../../lifecycle/adoption.ts';
import { describeConflict } from '../../lifecycle/arm-id-reservations.ts';
import { deletedNamespace, planDeletion } from '../../lifecycle/deletion.ts';
import { isIdUsed, recordedId, resourceIdFor } from '../../lifecycle/resource-id.ts';
import { machineBody } from '../../machines/machine-body.ts';
import { secretEdges, secretReferences } from '../../machines/secret-plan.ts';
import { armNode, nodeOf } from '../../references/node-id.ts';
import { edgesOf, type Resolution, resolve } from '../../references/resolve.ts';
import { publishedBy } from '../../rotation/journal.ts';
import { rotationSteps } from '../../rotation/steps.ts';
import type { OperatorContext } from '../operator-context.ts';
import {
  type Prepared,
  type PreparedDeletion,
  type ReconcileRequest,
  type Trace,
  type Unprepared,
  unprepared,
} from './request.ts';
import { checkSpecDepth, expressionsOf, isSpecTooDeep, withoutPendingAdmin } from './request-parts.ts';

/** The body for a service other than ARM, or the waits for its Secrets. */
interface InService {
  readonly waits: readonly Wait[];
  readonly declared?: JsonObject;
}

const goneWithNamespace = 'the Secret with the login of its administrator went with the namespace';

const noExports: ExportPlan = { items: [], actions: [], secrets: {} };
const noResolution: Resolution = { waits: [], owner: undefined, inputs: new Map(), inputsVersion: '' };

/**
 * Builds the request of a reconcile run: resolves the object's references, and keeps its edges in the dependency
 * graph.
 */
export class RequestBuilder {
  readonly #model: ArmModel;
  readonly #type: ResourceType;
  readonly #context: OperatorContext;

  constructor(model: ArmModel, type: ResourceType, context: OperatorContext) {
    this.#model = model;
    this.#type = type;
    this.#context = context;
  }

  /** The request to create or update the resource. */
  async forApply(object: KubeObject, trace: Trace, signal: AbortSignal): Promise<Prepared | Unprepared> {
    const { client } = this.#context.runtime;
    const { objects, graph, roles, credentials, credentialScopes, fingerprints, vaults, expressions } = this.#context;
    const model = this.#model;
    const node = nodeOf(object);
    try {
      checkSpecDepth(object);
      const references = secretReferences(model, object);
      const edges = [...edgesOf(model, object), credentials.edgeOf(object), ...secretEdges(references, object)];
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
            share: object.metadata.namespace ?? '',
            signal,
          }),
      });
      const ownerKnown = resolution.owner !== undefined || model.owner(object) === undefined;
      const named = model.nameInput(object);
      const nameKnown = named === undefined || resolution.inputs.has(named);
      const subscriptionId = credential?.subscriptionId ?? '';
      const adopted = await this.#adopted(object, chosen, trace, signal);
      const resourceId =
        ownerKnown && nameKnown && credential
          ? resourceIdFor(model, object, resolution.owner, subscriptionId, resolution.inputs, adopted)
          : undefined;
      if (chosen.usesOperatorCredential && resourceId !== undefined) {
        const inputs = [...resolution.inputs.values()];
        credentialScopes.check(model, object, { resourceId, ownerId: resolution.owner?.armId, inputs });
      }
      const missing = [...chosen.waits, ...resolution.waits];
      const duplicates =
        resourceId === undefined
          ? []
          : await this.#duplicates(object, resourceId, {
              reserve: missing.length === 0 && chosen.credentialOf !== 'other-cloud',
              signal,
            });
      const cycle = this.#link(node, [...edges, ...duplicates.map(({ kind, node: to }) => ({ kind, to }))]);
      const waits = [...missing, ...duplicates].map((wait) =>
        cycle === undefined ? wait : { ...wait, message: `${wait.message}. ${cycle}` },
      );
      const ignored = ignoredPaths(model, object);
      const complete = waits.length === 0 && resolution.admin?.task !== 'generate';
      const own = complete ? model.body(object, resolution.inputs) : undefined;
      const { declared, machine, machineWaits } = machineBody(this.#context, model, object, own, {
        references,
        resourceId,
        now: this.#context.runtime.clock.now(),
        checkReach: (armId) => chosen.usesOperatorCredential && credentialScopes.checkReach(object, armId),
      });
      waits.push(...machineWaits);
      const planned = resourceId === undefined ? noExports : model.exports(object, resourceId, vaults.operatorVault);
      const request: ReconcileRequest = {
        ...this.#common(object, trace, signal),
        credential,
        credentialSource: chosen.source,
        usesOperatorCredential: chosen.usesOperatorCredential,
        credentialOf: chosen.credentialOf,
        resolution,
        waits,
        resourceId,
        ignored,
        declared,
        body: comparedBody(model, declared, ignored),
        machine,
        inputsVersion: resolution.inputsVersion,
        adminTask: resolution.admin?.task,
        exports: withoutPendingAdmin(planned, resolution.admin),
        deletion: undefined,
      };
      checkExports(planned);
      await expressions.check(object.metadata.namespace ?? '', expressionsOf(model, object, planned));
      return { request, chosen };
    } catch (error) {
      return unprepared(error, trace, signal);
    }
  }

  /** The request to delete the resource and the object. */
  async forDeletion(
    object: KubeObject,
    journal: Journal | undefined,
    trace: Trace,
    signal: AbortSignal,
  ): Promise<PreparedDeletion | Unprepared> {
    const { objects, records, graph, credentials, credentialScopes } = this.#context;
    const { client } = this.#context.runtime;
    const common = this.#common(object, trace, signal);
    const inputs = isSpecTooDeep(object) ? [] : edgesOf(this.#model, object);
    const edges: Edge[] = [...inputs, credentials.edgeOf(object)];
    graph.set(nodeOf(object), edges);
    const now = this.#context.runtime.clock.now();
    const namespaceGoes = deletedNamespace(this.#context.namespaces, object) !== undefined;
    const from = { objects, records, client, type: this.#type, now, namespaceGoes, signal };
    let plan = await planDeletion(this.#model, object, common, journal, from);
    graph.set(nodeOf(object), [...edges, ...plan.waits.map(({ kind, node }) => ({ kind, to: node }))]);
    let chosen: ChosenCredential | undefined;
    let resourceId = object.metadata.annotations?.[annotations.resourceId];
    let inService: InService | undefined;
    try {
      if (plan.keepReason === undefined) {
        resourceId = recordedId(this.#model, object);
        // Azure deletes it with its parent, which the object may name by id.
        const parent = plan.undeletable && resourceId !== undefined ? parentId(resourceId) : undefined;
        if (parent !== undefined) edges.push({ kind: 'explicit', to: armNode(parent) });
        graph.set(nodeOf(object), [...edges, ...plan.waits.map(({ kind, node }) => ({ kind, to: node }))]);
        chosen = await credentials.credentialFor(object, signal);
        const acquired = acquisitionOf(object);
        if (chosen.credential && acquired && !countsFor(acquired, chosen.credentialOf)) {
          plan = { ...plan, keepReason: lostCredential, needsEvent: true, waits: [] };
        } else if (chosen.usesOperatorCredential && resourceId !== undefined) {
          credentialScopes.checkReach(object, resourceId);
        }
        inService = await this.#forService(object, signal);
        if (plan.keepReason === undefined && namespaceGoes && inService && inService.waits.length > 0) {
          plan = { ...plan, keepReason: goneWithNamespace, needsEvent: true, waits: [] };
          inService = undefined;
        }
      }
    } catch (error) {
      return unprepared(error, trace, signal);
    }
    const request: ReconcileRequest = {
      ...common,
      credential: chosen?.credential,
      credentialSource: chosen?.source,
      usesOperatorCredential: chosen?.usesOperatorCredential ?? false,
      credentialOf: chosen?.credentialOf ?? 'namespace',
      resolution: noResolution,
      waits: [...plan.waits, ...(chosen?.waits ?? []), ...(inService?.waits ?? [])],
      resourceId,
      ignored: [],
      body: undefined,
      ...(inService && { declared: inService.declared }),
      inputsVersion: '',
      exports: noExports,
      deletion: {
        keepReason: plan.keepReason,
        putUnanswered: plan.putUnanswered,
        undeletable: plan.undeletable ?? false,
      },
    };
    return { request, chosen, plan };
  }

  /** What the object adopts by other than its name, where it owns no id yet. Nobody learns what he may not reach. */
  async #adopted(
    object: KubeObject,
    { credential, usesOperatorCredential }: ChosenCredential,
    { correlationId }: Trace,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { credentialScopes, dataPlane } = this.#context;
    const model = this.#model;
    if (!model.definition.arm?.dataPlane?.namesItself || !credential || isIdUsed(object)) return undefined;
    if (usesOperatorCredential) {
      const resourceId = model.resourceId(object, undefined, credential.subscriptionId ?? '');
      credentialScopes.check(model, object, { resourceId, ownerId: undefined, inputs: [] });
    }
    return dataPlane.locate({ model, object, credential, correlationId, signal });
  }

  /** What the removal from a service other than ARM needs: the logins in Secrets, or the waits for them. */
  async #forService(object: KubeObject, signal: AbortSignal): Promise<InService | undefined> {
    if (!this.#model.definition.arm?.dataPlane) return undefined;
    const { runtime, objects, fingerprints } = this.#context;
    const from = { client: runtime.client, objects, fingerprints, roles: async () => undefined, signal };
    const { inputs, waits } = await resolve(this.#model, object, from);
    // The recorded id names the server: its object is not needed any more.
    const missing = waits.filter(({ kind }) => kind !== 'owner');
    return missing.length > 0 ? { waits: missing } : { waits: [], declared: this.#model.body(object, inputs) };
  }

  #common(object: KubeObject, { correlationId, log }: Trace, signal: AbortSignal) {
    const { namespaces, defaultPolicy, defaultAdopt } = this.#context;
    const { keyRotation } = this.#model.definition.arm ?? {};
    const namespace = namespaces.get({ name: object.metadata.namespace ?? '' });
    const problems: string[] = [];
    const unknown: UnknownValueReporter = (annotation, value, fix) =>
      problems.push(`${annotation} is \`${value}\`: ${fix}`);
    const policies = {
      policy: policyOf(object, namespace, defaultPolicy, unknown),
      adopt: adoptPolicyOf(object, namespace, defaultAdopt, unknown),
      adoptBound: adoptBoundOf(namespace, defaultAdopt),
    };
    this.#reportUnknown(object, problems.join('. '));
    return {
      model: this.#model,
      type: this.#type,
      object,
      ...policies,
      publishedKeys: keyRotation ? publishedBy(object, rotationSteps(keyRotation)) : ('both' as const),
      correlationId,
      log,
      signal,
    };
  }

  /** Reports each text once, because a run that only checks Azure writes no events. */
  #reportUnknown(object: KubeObject, note: string): void {
    const memory = this.#context.memory.get(object.metadata.uid ?? '');
    if (!memory || note === (memory.unknownValues ?? '')) return;
    memory.unknownValues = note;
    if (note === '') return;
    const event = { type: 'Warning', reason: eventReasons.unknownPolicy, action: 'Read', note } as const;
    this.#context.events.record({ regarding: object, ...event });
  }

  /** Waits for the object that owns the ARM id. With `reserve`, reserves a free id for this object. */
  async #duplicates(
    object: KubeObject,
    resourceId: string,
    { reserve, signal }: { readonly reserve: boolean; readonly signal: AbortSignal },
  ): Promise<Wait[]> {
    const { armIds, events, objects, termCaches, runtime } = this.#context;
    // Another object may own the id by a record that the former holder of the lease wrote.
    if (reserve && !holdsArmId(object, runtime.clock.now())) {
      // It may be of a kind whose definition is as new.
      await termCaches.catchUp(objects.definitions, signal);
      await termCaches.catchUp(objects.cachesFor(resourceId), signal);
    }
    const other = reserve ? armIds.tryReserve(resourceId, object) : armIds.conflictingObject(resourceId, object);
    if (!other) return [];
    const message = `${describeConflict(other, object)} already manages ${normalizeResourceId(resourceId)}`;
    const event = {
      type: 'Warning',
      reason: eventReasons.duplicateResourceId,
      action: 'Reserve',
      note: message,
    } as const;
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
