import { annotations } from '../../../arm-kinds/names.ts';
import { parentId } from '../../../azure/arm/resource-ids.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Edge, Journal, Wait } from '../../../engine/index.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { ChosenCredential } from '../../credentials/credentials.ts';
import {
  type PreparedDeletion,
  type ReconcilePlan,
  type Trace,
  type Unprepared,
  unprepared,
} from '../../effects/reconcile-plan.ts';
import { deletedNamespace, planDeletion } from '../../lifecycle/deletion.ts';
import { acquisitionOf, countsFor, lostCredential } from '../../objects/acquisition.ts';
import { armNode, nodeOf } from '../../objects/node-id.ts';
import { recordedId } from '../../objects/resource-id.ts';
import { type Resolution, resolve } from '../../references/resolve.ts';
import { edgesOfDeletion } from './plan-checks.ts';
import { commonMembers, noExports, type PlanSource } from './plan-source.ts';

/** The body for a service other than ARM, or the waits for its Secrets. */
interface InService {
  readonly waits: readonly Wait[];
  readonly declared?: JsonObject;
}

const goneWithNamespace = 'the Secret with the login of its administrator went with the namespace';

const noResolution: Resolution = { waits: [], owner: undefined, inputs: new Map(), inputsVersion: '' };

/** Builds the plan to delete the resource and the object, and keeps its edges in the dependency graph. */
export async function planDeletionOf(
  source: PlanSource,
  object: KubeObject,
  journal: Journal | undefined,
  trace: Trace,
  signal: AbortSignal,
): Promise<PreparedDeletion | Unprepared> {
  const { model, type, shared } = source;
  const { objects, records, graph, credentials, credentialScopes } = shared;
  const { client, clock } = shared.runtime;
  const common = commonMembers(source, object, trace, signal);
  const edges: Edge[] = [...edgesOfDeletion(model, object), credentials.edgeOf(object)];
  graph.set(nodeOf(object), edges);
  const namespaceGoes = deletedNamespace(shared.namespaces, object) !== undefined;
  const from = { objects, records, client, type, now: clock.now(), namespaceGoes, signal };
  let deletionPlan = await planDeletion(model, object, common, journal, from);
  const link = () =>
    graph.set(nodeOf(object), [...edges, ...deletionPlan.waits.map(({ kind, node }) => ({ kind, to: node }))]);
  link();
  let chosen: ChosenCredential | undefined;
  let resourceId = object.metadata.annotations?.[annotations.resourceId];
  let inService: InService | undefined;
  try {
    if (deletionPlan.keepReason === undefined) {
      resourceId = recordedId(model, object);
      // Azure deletes it with its parent, which the object may name by id.
      const parent = deletionPlan.undeletable && resourceId !== undefined ? parentId(resourceId) : undefined;
      if (parent !== undefined) edges.push({ kind: 'explicit', to: armNode(parent) });
      link();
      chosen = await credentials.credentialFor(object, signal);
      const acquired = acquisitionOf(object);
      if (chosen.credential && acquired && !countsFor(acquired, chosen.credentialOf)) {
        deletionPlan = { ...deletionPlan, keepReason: lostCredential, needsEvent: true, waits: [] };
      } else if (chosen.usesOperatorCredential && resourceId !== undefined) {
        credentialScopes.checkReach(object, resourceId);
      }
      inService = await removalFromService(source, object, signal);
      if (deletionPlan.keepReason === undefined && namespaceGoes && inService && inService.waits.length > 0) {
        deletionPlan = { ...deletionPlan, keepReason: goneWithNamespace, needsEvent: true, waits: [] };
        inService = undefined;
      }
    }
  } catch (error) {
    return unprepared(error, trace, signal);
  }
  const plan: ReconcilePlan = {
    ...common,
    ...withoutBody,
    ...credentialMembers(chosen),
    waits: [...deletionPlan.waits, ...(chosen?.waits ?? []), ...(inService?.waits ?? [])],
    resourceId,
    ...(inService && { declared: inService.declared }),
    deletion: {
      keepReason: deletionPlan.keepReason,
      putUnanswered: deletionPlan.putUnanswered,
      undeletable: deletionPlan.undeletable ?? false,
    },
  };
  return { plan, chosen, deletionPlan };
}

/** The members of a plan that sends no body. */
const withoutBody = {
  resolution: noResolution,
  ignored: [],
  body: undefined,
  inputsVersion: '',
  exports: noExports,
} as const;

function credentialMembers(chosen: ChosenCredential | undefined) {
  return {
    credential: chosen?.credential,
    credentialSource: chosen?.source,
    usesOperatorCredential: chosen?.usesOperatorCredential ?? false,
    credentialOf: chosen?.credentialOf ?? 'namespace',
  } as const;
}

/** The body to remove from a service other than ARM, with the logins of Secrets; or the waits for these Secrets. */
async function removalFromService(
  { model, shared }: PlanSource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<InService | undefined> {
  if (!model.definition.arm?.dataPlane) return undefined;
  const { runtime, objects, fingerprints } = shared;
  const from = { client: runtime.client, objects, fingerprints, roles: async () => undefined, signal };
  const { inputs, waits } = await resolve(model, object, from);
  // The recorded id names the server: its object is not needed any more.
  const missing = waits.filter(({ kind }) => kind !== 'owner');
  return missing.length > 0 ? { waits: missing } : { waits: [], declared: model.body(object, inputs) };
}
