import { checkVersion } from '../../../api/api-version.ts';
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
import { resolve } from '../../references/resolve.ts';
import { valuesOf } from './azure-values.ts';
import { planDeletionOf } from './deletion-plan.ts';
import { checkedEdges, checkSpecDepth, expressionsOf, withoutPendingAdmin } from './plan-checks.ts';
import { commonMembers, noExports, type PlanSource } from './plan-source.ts';

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
    const { client } = this.#deps.runtime;
    const { objects, graph, roles, credentials, fingerprints, vaults, expressions } = this.#deps;
    const { credentialScopes, hostScopes } = this.#deps;
    const model = this.#model;
    const node = nodeOf(object);
    try {
      checkSpecDepth(object);
      if (model.definition.arm) checkVersion(model.definition.arm, object['spec'] ?? {});
      const references = secretReferences(model, object);
      const edges = [...checkedEdges(model, object), credentials.edgeOf(object), ...secretEdges(references, object)];
      graph.set(node, edges);
      const chosen = await credentials.credentialFor(object, signal);
      const { credential } = chosen;
      const resolution = await resolve(model, object, {
        client,
        objects,
        signal,
        fingerprints,
        values: valuesOf(this.#deps, object, chosen, { correlationId: trace.correlationId, signal }),
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
      if (chosen.usesOperatorCredential && credential && resourceId !== undefined) {
        const reach = { resourceId, ownerId: resolution.owner?.armId, inputs: [...resolution.inputs.values()] };
        credentialScopes.check(model, object, reach);
        const { authorizer } = credential;
        await hostScopes.check(object, reach, { authorizer, correlationId: trace.correlationId, signal });
      }
      const missing = [...chosen.waits, ...resolution.waits];
      const duplicates =
        resourceId === undefined
          ? []
          : await this.#duplicates(object, resourceId, {
              mayWrite: missing.length === 0 && chosen.credentialOf !== 'other-cloud',
              signal,
            });
      const cycle = this.#link(node, [...edges, ...duplicates.map(({ kind, node: to }) => ({ kind, to }))]);
      const waits = [...missing, ...duplicates].map((wait) =>
        cycle === undefined ? wait : { ...wait, message: `${wait.message}. ${cycle}` },
      );
      const ignored = ignoredPaths(model, object);
      const complete = waits.length === 0 && resolution.admin?.task !== 'generate';
      const declaredBody = complete ? model.body(object, resolution.inputs) : undefined;
      const { declared, machine, machineWaits } = machineBody(this.#deps, model, object, declaredBody, {
        references,
        resourceId,
        now: this.#deps.runtime.clock.now(),
        checkReach: (armId) => chosen.usesOperatorCredential && credentialScopes.checkReach(object, armId),
      });
      waits.push(...machineWaits);
      const planned = resourceId === undefined ? noExports : model.exports(object, resourceId, vaults.operatorVault);
      const plan: ReconcilePlan = {
        ...commonMembers(this.#source, object, trace, signal),
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
      return { plan, chosen };
    } catch (error) {
      return unprepared(error, trace, signal);
    }
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
  async #adopted(
    object: KubeObject,
    { credential, usesOperatorCredential }: ChosenCredential,
    { correlationId }: Trace,
    signal: AbortSignal,
  ): Promise<string | undefined> {
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
