import { annotations, namespaceCredential } from '../../arm-kinds/names.ts';
import { annotationOf } from '../../arm-kinds/policy.ts';
import type { ArmReader } from '../../azure/arm/arm-reader.ts';
import { ArmError } from '../../azure/arm/errors.ts';
import { forEachAtMost } from '../../base/scheduling/for-each.ts';
import { someOf } from '../../base/text/some-of.ts';
import { type AzureAnswer, withAzure } from '../../compute/plan/azure-changes.ts';
import { azureTargets } from '../../compute/plan/azure-targets.ts';
import type { Plan, PlannedChange } from '../../compute/plan/change.ts';
import { isMachineType } from '../../compute/plan/machine-problems.ts';
import { namespaceSecret, type PlanObservation } from '../../compute/plan/observation.ts';
import type { PlanUnits } from '../../compute/plan/plan-units.ts';
import { type MachineNeed, machineNeed } from '../../compute/plan/quota-problems.ts';
import { hasTemplate, whatIfOf } from '../../compute/plan/what-if.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { checkQuota, refusalOf } from './check-quota.ts';
import { listGroups } from './list-groups.ts';

/** Requests at a time. */
const requests = 4;

/** Where Azure is read. */
export interface AzureAccess {
  readonly reader: Pick<ArmReader, 'tryGet' | 'pages'>;
  /** Subscription of ResourceGroups that are not in the cluster yet; undefined where nobody has named one. */
  readonly subscriptionId: string | undefined;
}

/** The Secret whose credential the operator uses for an object, as far as it is seen; undefined for its own credential. */
export function credentialSecretOf({ others }: PlanUnits, observation: PlanObservation) {
  return (object: KubeObject): string | undefined => {
    const { namespace = '' } = object.metadata;
    const found = observation.object(namespace, namespaceSecret);
    const hasShared = others.has(`${namespace} ${namespaceSecret}`) || (found !== undefined && found !== 'Unknown');
    return annotationOf(object, annotations.credentialFrom) ?? (hasShared ? namespaceCredential : undefined);
  };
}

/**
 * The plan compared with Azure: a GET for each resource whose ARM id is known, and one for the quota of each region that
 * needs more. All of them use the caller's credential; where the operator takes another one from a Secret, the change says
 * so. A resource that may not be read is shown as unknown. Throws where Azure does not answer, or gives no token.
 */
export async function compareWithAzure(
  plan: Plan,
  planUnits: PlanUnits,
  observation: PlanObservation,
  { reader, subscriptionId }: AzureAccess,
): Promise<Plan> {
  const secretOf = credentialSecretOf(planUnits, observation);
  // A Secret with a credential names a subscription too, which nobody reads here.
  const subscriptionOf = (object: KubeObject) => (secretOf(object) === undefined ? subscriptionId : undefined);
  const { units } = planUnits;
  const { targets, unknown, assumed, elsewhere } = azureTargets(units, observation, subscriptionOf);
  const changes = new Map(plan.changes.map((change) => [`${change.namespace} ${change.key}`, change]));
  const needs: MachineNeed[] = [];
  const answers = new Map<string, AzureAnswer>();
  await forEachAtMost(requests, targets, async (target) => {
    const id = `${target.namespace} ${target.key}`;
    const change = changes.get(id);
    if (!change) return;
    const answer = await read(reader, target);
    answers.set(id, answer);
    const compared = withAzure(change, target, answer);
    changes.set(id, withCredential(compared, secretOf(target.object)));
    const need = isMachineType(target.model.armType(target.object)) ? machineNeed(compared, target, answer) : undefined;
    if (need) needs.push(need);
  });
  const places = new Map(units.flatMap(({ paths }) => [...paths]));
  const quota = await checkQuota(reader, needs, (key) => places.get(key) ?? '');
  const note = `Azure is not compared for ${someOf(unknown)}: the ARM id is not known before an apply; AZURE_SUBSCRIPTION_ID names the subscription of objects whose credential is in no Secret`;
  const other = `Azure is not compared for ${someOf(elsewhere)}: another service than Azure Resource Manager has it`;
  const templated = new Set(units.filter(hasTemplate).flatMap(({ nodes }) => nodes.map(({ key }) => key)));
  const group = await listGroups(
    reader,
    targets.filter(({ key }) => templated.has(key)).map(({ id }) => id),
  );
  const notes = [
    ...plan.notes,
    ...(unknown.length > 0 ? [note] : []),
    ...(elsewhere.length > 0 ? [other] : []),
    ...quota.notes,
    ...group.notes,
  ];
  const problems = [...plan.problems, ...quota.problems];
  const whatIf = whatIfOf({
    plan: { changes: plan.changes, problems },
    units,
    targets: [...targets, ...assumed],
    observation,
    answers,
    listed: group.resources,
  });
  return { ...plan, changes: [...changes.values()], problems, notes, ...(whatIf && { whatIf }) };
}

function withCredential(change: PlannedChange, secret: string | undefined): PlannedChange {
  if (secret === undefined || change.action === 'Delete') return change;
  const note = `seen with your credential: the operator uses that of the Secret ${secret}`;
  return { ...change, notes: [...change.notes, note] };
}

async function read(
  reader: Pick<ArmReader, 'tryGet'>,
  { id, apiVersion }: { readonly id: string; readonly apiVersion: string },
): Promise<AzureAnswer> {
  try {
    const body = await reader.tryGet(id, apiVersion);
    return body ? { state: 'Present', body } : { state: 'Absent' };
  } catch (error) {
    if (error instanceof ArmError) return { state: 'Unknown', reason: refusalOf(error) };
    throw error;
  }
}
