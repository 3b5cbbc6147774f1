import { checkVersion } from '../../../api/api-version.ts';
import type { ManagedSecretReference } from '../../../api/machines/secret-references.ts';
import { comparedBody } from '../../../arm-kinds/body/compared-body.ts';
import { ignoredPaths } from '../../../arm-kinds/body/ignored-fields.ts';
import { checkExports } from '../../../arm-kinds/export/export-plan.ts';
import type { ArmModel } from '../../../arm-kinds/model.ts';
import { eventReasons, reasons } from '../../../arm-kinds/names.ts';
import { normalizeResourceId } from '../../../azure/arm/resource-ids.ts';
import { describeCycle, type Edge, type Journal, type Wait } from '../../../engine/index.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { ChosenCredential } from '../../credentials/credentials.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import {
  type Prepared,
  type PreparedDeletion,
  type ReconcilePlan,
  type Trace,
  type Unprepared,
  unprepared,
} from '../../effects/reconcile-plan.ts';
import { describeConflict } from '../../lifecycle/arm-id-reservations.ts';
import { machineBody } from '../../machines/machine-body.ts';
import { secretEdges, secretReferences } from '../../machines/secret-plan.ts';
import { holdsArmId } from '../../objects/acquisition.ts';
import { armNode, nodeOf } from '../../objects/node-id.ts';
import { isIdUsed, resourceIdFor } from '../../objects/resource-id.ts';
import { type Resolution, resolve } from '../../references/resolve.ts';
import { managedSecretsOf, valuesOf } from './azure-values.ts';
import { planDeletionOf } from './deletion-plan.ts';
import { checkedEdges, checkSpecDepth, expressionsOf, withoutPendingAdmin } from './plan-checks.ts';
import { commonMembers, noExports, type PlanSource } from './plan-source.ts';

/** The inputs of one plan to create or update. */
interface ApplyInputs {
  readonly object: KubeObject;
  readonly chosen: ChosenCredential;
  readonly trace: Trace;
  readonly signal: AbortSignal;
}

/** What the references of the object gave. */
interface ResolvedInputs extends Pick<ReconcilePlan, 'resolution' | 'resourceId' | 'waits'> {
  readonly references: readonly ManagedSecretReference[];
}

/**
 * Builds the plan of a reconcile run: resolves the object's references, and keeps its edges in the dependency
 * graph.
 */
export class PlanBuilder {
  readonly #source: PlanSource;
  readonly #model: ArmModel;
  readonly #deps: ReconcileDeps;

  constructor(source: PlanSource) {
    this.#source = source;
    this.#model = source.model;
    this.#deps = source.shared;
  }

  /** The plan to create or update the resource. */
  async forApply(object: KubeObject, trace: Trace, signal: AbortSignal): Promise<Prepared | Unprepared> {
    const { graph, credentials } = this.#deps;
    const model = this.#model;
    try {
      checkSpecDepth(object);
      if (model.definition.arm) checkVersion(model.definition.arm, object['spec'] ?? {});
      const references = secretReferences(model, object);
      const edges = [...checkedEdges(model, object), credentials.edgeOf(object), ...secretEdges(references, object)];
      graph.set(nodeOf(object), edges);
      const chosen = await credentials.credentialFor(object, signal);
      const inputs: ApplyInputs = { object, chosen, trace, signal };
      const resolution = await this.#resolve(inputs);
      const resourceId = await this.#identify(inputs, resolution);
      await this.#authorize(inputs, resolution, resourceId);
      const waits = await this.#waits(inputs, resolution, resourceId, edges);
      const plan = await this.#build(inputs, { resolution, resourceId, waits, references });
      return { plan, chosen };
    } catch (error) {
      return unprepared(error, trace, signal);
    }
  }

  #resolve({ object, chosen, trace: { correlationId }, signal }: ApplyInputs): Promise<Resolution> {
    const { runtime, objects, fingerprints, roles } = this.#deps;
    const { credential } = chosen;
    return resolve(this.#model, object, {
      client: runtime.client,
      objects,
      signal,
      fingerprints,
      managedSecrets: managedSecretsOf(this.#deps.machines?.secrets, object, chosen),
      values: valuesOf(this.#deps, object, chosen, { correlationId, signal }),
      roles: async (name) =>
        credential &&
        roles.find(name, credential.subscriptionId ?? '', {
          authorizer: credential.authorizer,
          correlationId,
          share: object.metadata.namespace ?? '',
          signal,
        }),
    });
  }

  /** The ARM id; undefined while the credential, the owner or the name is missing. */
  async #identify(inputs: ApplyInputs, { owner, inputs: values }: Resolution): Promise<string | undefined> {
    const { object, chosen } = inputs;
    const model = this.#model;
    const ownerKnown = owner !== undefined || model.owner(object) === undefined;
    const named = model.nameInput(object);
    const nameKnown = named === undefined || values.has(named);
    const adopted = await this.#adopted(inputs);
    if (!ownerKnown || !nameKnown || !chosen.credential) return undefined;
    return resourceIdFor(model, object, owner, chosen.credential.subscriptionId ?? '', values, adopted);
  }

  /** Throws for an id or an input that the operator's credential may not reach for the object. */
  async #authorize(
    { object, chosen, trace: { correlationId }, signal }: ApplyInputs,
    { owner, inputs }: Resolution,
    resourceId: string | undefined,
  ): Promise<void> {
    const { credential, usesOperatorCredential } = chosen;
    if (!usesOperatorCredential || !credential || resourceId === undefined) return;
    const { credentialScopes, hostScopes } = this.#deps;
    const reach = { resourceId, ownerId: owner?.armId, inputs: [...inputs.values()] };
    credentialScopes.check(this.#model, object, reach);
    await hostScopes.check(object, reach, { authorizer: credential.authorizer, correlationId, signal });
  }

  /** The waits for what is missing, and for objects with the same ARM id; each names the cycle that it is part of. */
  async #waits(
    { object, chosen, signal }: ApplyInputs,
    resolution: Resolution,
    resourceId: string | undefined,
    edges: readonly Edge[],
  ): Promise<Wait[]> {
    const missing = [...chosen.waits, ...resolution.waits];
    const mayWrite = missing.length === 0 && chosen.credentialOf !== 'other-cloud';
    const duplicates = resourceId === undefined ? [] : await this.#duplicates(object, resourceId, { mayWrite, signal });
    const cycle = this.#link(nodeOf(object), [...edges, ...duplicates.map(({ kind, node: to }) => ({ kind, to }))]);
    return [...missing, ...duplicates].map((wait) =>
      cycle === undefined ? wait : { ...wait, message: `${wait.message}. ${cycle}` },
    );
  }

  async #build(
    { object, chosen, trace, signal }: ApplyInputs,
    { resolution, resourceId, waits, references }: ResolvedInputs,
  ): Promise<ReconcilePlan> {
    const { runtime, credentialScopes, vaults, expressions } = this.#deps;
    const model = this.#model;
    const ignored = ignoredPaths(model, object);
    const complete = waits.length === 0 && resolution.admin?.task !== 'generate';
    const declaredBody = complete ? model.body(object, resolution.inputs) : undefined;
    const { declared, machine, machineWaits } = machineBody(this.#deps, model, object, declaredBody, {
      references,
      resourceId,
      now: runtime.clock.now(),
      checkReach: (armId) => chosen.usesOperatorCredential && credentialScopes.checkReach(object, armId),
    });
    const planned = resourceId === undefined ? noExports : model.exports(object, resourceId, vaults.operatorVault);
    const plan: ReconcilePlan = {
      ...commonMembers(this.#source, object, trace, signal),
      credential: chosen.credential,
      credentialSource: chosen.source,
      usesOperatorCredential: chosen.usesOperatorCredential,
      credentialOf: chosen.credentialOf,
      resolution,
      waits: [...waits, ...machineWaits],
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
    return plan;
  }

  /** The plan to delete the resource and the object. */
  forDeletion(
    object: KubeObject,
    journal: Journal | undefined,
    trace: Trace,
    signal: AbortSignal,
  ): Promise<PreparedDeletion | Unprepared> {
    return planDeletionOf(this.#source, object, journal, trace, signal);
  }

  /** The id of an object that the service finds by other means than the name; the scopes are checked before the search. */
  async #adopted({ object, chosen, trace: { correlationId }, signal }: ApplyInputs): Promise<string | undefined> {
    const { credential, usesOperatorCredential } = chosen;
    const { credentialScopes, dataPlane } = this.#deps;
    const model = this.#model;
    if (!model.definition.arm?.dataPlane?.namesItself || !credential || isIdUsed(object)) return undefined;
    if (usesOperatorCredential) {
      const resourceId = model.resourceId(object, undefined, credential.subscriptionId ?? '');
      credentialScopes.check(model, object, { resourceId, ownerId: undefined, inputs: [] });
    }
    return dataPlane.locate({ model, object, credential, correlationId, signal });
  }

  /** Waits for the object that owns or reserves the ARM id. */
  async #duplicates(
    object: KubeObject,
    resourceId: string,
    { mayWrite, signal }: { readonly mayWrite: boolean; readonly signal: AbortSignal },
  ): Promise<Wait[]> {
    const { armIds, events, objects, termCaches, runtime } = this.#deps;
    // Another object may own the id by a record that the former holder of the lease wrote.
    if (mayWrite && !holdsArmId(object, runtime.clock.now())) {
      // Its CustomResourceDefinition may be newer than our caches.
      await termCaches.catchUp(objects.definitions, signal);
      await termCaches.catchUp(objects.cachesFor(resourceId), signal);
    }
    const other = armIds.conflictingObject(resourceId, object);
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
    const { graph } = this.#deps;
    graph.set(node, edges);
    const cycle = graph.cycleThrough(node);
    return cycle && describeCycle(cycle);
  }
}
