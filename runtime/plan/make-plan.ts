import { managedSecretsFeature } from '../api/machines/features.ts';
import { plannedObjects, ResourceIds } from '../compute/plan/azure-targets.ts';
import type { Plan, PlannedChange } from '../compute/plan/change.ts';
import { gatedObjects, isGated } from '../compute/plan/gate-problems.ts';
import { isMachineNode } from '../compute/plan/machine-problems.ts';
import { offline, type PlanObservation } from '../compute/plan/observation.ts';
import { planChanges } from '../compute/plan/plan-changes.ts';
import { type PlanUnits, planUnits } from '../compute/plan/plan-units.ts';
import { someOf } from '../compute/plan/some-of.ts';
import type { KubeClient } from '../kube/client/types.ts';
import { type AzureAccess, compareWithAzure, credentialSecretOf } from './azure/read-azure.ts';
import { checkGates } from './cluster/check-gates.ts';
import { ClusterKinds } from './cluster/cluster-kinds.ts';
import { readGroupIds } from './cluster/group-ids.ts';
import { mergedDeployments } from './cluster/merged-deployments.ts';
import { observeCluster } from './cluster/observe-cluster.ts';
import type { PlanDocument } from './read-documents.ts';

/** Inputs of a plan beside its documents, and the access to Azure. */
export interface PlanOptions {
  /** Namespace of manifests that name none. */
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly fieldManager: string;
  readonly signal?: AbortSignal;
  /** Where Azure is read. @default Azure is not compared */
  readonly azure?: AzureAccess;
  /** The feature that opens managed secrets, as the operator has it. @default azimuth.dev/ManagedSecrets */
  readonly feature?: string;
}

/** The plan without a cluster: checks, and everything as new. */
export function offlinePlan(documents: readonly PlanDocument[], options: PlanOptions): Plan {
  const units = planUnits(manifestsOf(documents), contextOf(documents, options));
  const plan = planChanges(units, offline);
  const gated = units.units.flatMap(({ nodes }) => nodes.filter(isGated)).map(({ key }) => key);
  const note = `the gates of managed secrets are not checked for ${someOf(gated)}: no cluster is read`;
  const notes = [...plan.notes, ...(gated.length > 0 ? [note] : []), ...uncheckedQuota(plan, units)];
  return { ...plan, notes };
}

const manifestsOf = (documents: readonly PlanDocument[]) => documents.map(({ manifest }) => manifest);
const contextOf = (documents: readonly PlanDocument[], { namespace, now }: PlanOptions) => ({
  namespace,
  now,
  places: documents.map(({ place }) => place),
});

/** The plan against a cluster, and against Azure where `azure` is given. Writes nothing. Throws where the API server does not answer. */
export async function clusterPlan(
  client: KubeClient,
  documents: readonly PlanDocument[],
  options: PlanOptions,
): Promise<Plan> {
  const { namespace, now, signal, azure, feature = managedSecretsFeature } = options;
  const manifests = manifestsOf(documents);
  const kinds = await ClusterKinds.read(client, signal);
  const groupIds = await readGroupIds(client, kinds, manifests, { namespace, ...(signal && { signal }) });
  const unitsOf = (all: readonly unknown[]) => planUnits(all, { ...contextOf(documents, options), groupIds });
  const observe = (all: PlanUnits) =>
    observeCluster(client, kinds, all, { ...options, readsCredentials: azure !== undefined });
  let units = unitsOf(manifests);
  let observed = await observe(units);
  const merged = mergedDeployments(manifests, observed.observation, namespace);
  if (merged) {
    units = unitsOf(merged.manifests);
    observed = await observe(units);
  }
  const { observation } = observed;
  const planned = planChanges(units, observation);
  const gated = gatedObjects(units.units, idsOf(units, observation, azure?.subscriptionId));
  const gates = await checkGates(client, gated, { documents: manifests, feature, now, ...(signal && { signal }) });
  const plan = {
    ...planned,
    problems: [...planned.problems, ...observed.problems, ...gates.problems],
    notes: [...observed.notes, ...(merged?.notes ?? []), ...planned.notes, ...gates.notes],
  };
  if (azure) return await compareWithAzure(plan, units, observation, azure);
  return { ...plan, notes: [...plan.notes, ...uncheckedQuota(plan, units)] };
}

function idsOf(units: PlanUnits, observation: PlanObservation, subscriptionId: string | undefined): ResourceIds {
  const secretOf = credentialSecretOf(units, observation);
  return new ResourceIds(plannedObjects(units.units, observation), observation, (object) =>
    secretOf(object) === undefined ? subscriptionId : undefined,
  );
}

/** A sentence about the machines whose quota nobody has read. */
function uncheckedQuota({ changes }: Plan, { units }: PlanUnits): string[] {
  const machines = new Set(
    units.flatMap(({ namespace, nodes }) => nodes.filter(isMachineNode).map(({ key }) => `${namespace} ${key}`)),
  );
  const isWritten = ({ namespace, key, action }: PlannedChange) =>
    action !== 'None' && action !== 'Delete' && machines.has(`${namespace} ${key}`);
  const written = changes.filter(isWritten).map(({ key }) => key);
  return written.length > 0 ? [`the quota for ${someOf(written)} is not checked: --live reads it from Azure`] : [];
}
