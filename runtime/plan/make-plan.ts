import { managedSecretsFeature } from '../api/machines/features.ts';
import type { Answers } from '../compute/deployments/open-values.ts';
import { plannedObjects, ResourceIds } from '../compute/plan/azure-targets.ts';
import type { Plan } from '../compute/plan/change.ts';
import { gatedObjects } from '../compute/plan/gate-problems.ts';
import type { PlanObservation } from '../compute/plan/observation.ts';
import { planChanges } from '../compute/plan/plan-changes.ts';
import { type PlanUnits, planUnits } from '../compute/plan/plan-units.ts';
import { withWhatIf } from '../compute/plan/what-if.ts';
import type { KubeClient } from '../kube/client/types.ts';
import { decideNames } from './azure/decide-names.ts';
import { compareWithAzure, credentialSecretOf } from './azure/read-azure.ts';
import { checkGates } from './cluster/check-gates.ts';
import { ClusterKinds } from './cluster/cluster-kinds.ts';
import { readGroupIds } from './cluster/group-ids.ts';
import { mergedDeployments } from './cluster/merged-deployments.ts';
import { observeCluster } from './cluster/observe-cluster.ts';
import { contextOf, lengthNotes, manifestsOf, type PlanOptions, uncheckedQuota } from './offline-plan.ts';
import type { PlanDocument } from './read-documents.ts';

/** A plan, and what was read for it. */
export interface ObservedPlan {
  readonly plan: Plan;
  readonly units: PlanUnits;
  readonly observation: PlanObservation;
  readonly kinds: ClusterKinds;
}

/** The plan against a cluster, and against Azure where `azure` is given. Writes nothing. Throws where the API server does not answer. */
export async function clusterPlan(...args: Parameters<typeof observePlan>): Promise<Plan> {
  return (await observePlan(...args)).plan;
}

/** As `clusterPlan`, with what was read. */
export async function observePlan(
  client: KubeClient,
  documents: readonly PlanDocument[],
  options: PlanOptions,
): Promise<ObservedPlan> {
  const { namespace, now, signal, azure, feature = managedSecretsFeature } = options;
  const manifests = manifestsOf(documents);
  const kinds = await ClusterKinds.read(client, signal);
  const groupIds = await readGroupIds(client, kinds, manifests, { namespace, ...(signal && { signal }) });
  const unitsOf = async (all: readonly unknown[]) => {
    const expand = (decided: Answers) => planUnits(all, { ...contextOf(documents, options), groupIds, decided });
    return azure ? await decideNames(expand, azure.reader) : expand({});
  };
  const observe = (all: PlanUnits) =>
    observeCluster(client, kinds, all, { ...options, readsCredentials: azure !== undefined });
  let units = await unitsOf(manifests);
  let observed = await observe(units);
  const merged = mergedDeployments(manifests, observed.observation, namespace);
  if (merged) {
    units = await unitsOf(merged.manifests);
    observed = await observe(units);
  }
  const { observation } = observed;
  const planned = planChanges(units, observation);
  const gated = gatedObjects(units.units, idsOf(units, observation, azure?.subscriptionId));
  const gates = await checkGates(client, gated, { documents: manifests, feature, now, ...(signal && { signal }) });
  const plan = {
    ...planned,
    problems: [...planned.problems, ...observed.problems, ...gates.problems],
    notes: [...lengthNotes(documents), ...observed.notes, ...(merged?.notes ?? []), ...planned.notes, ...gates.notes],
  };
  const whole = azure
    ? await compareWithAzure(plan, units, observation, azure)
    : withWhatIf({ ...plan, notes: [...plan.notes, ...uncheckedQuota(plan, units)] }, units.units, observation);
  return { plan: whole, units, observation, kinds };
}

function idsOf(units: PlanUnits, observation: PlanObservation, subscriptionId: string | undefined): ResourceIds {
  const secretOf = credentialSecretOf(units, observation);
  return new ResourceIds(plannedObjects(units.units, observation), observation, (object) =>
    secretOf(object) === undefined ? subscriptionId : undefined,
  );
}
