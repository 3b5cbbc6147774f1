import type { Condition } from '../../../api/common-schemas.ts';
import { type ComputeRunStatus, runSeverity } from '../../../api/deployments/compute-run.ts';
import { reasons } from '../../../arm-kinds/names.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { type Readiness, readyCondition, withReadiness } from '../../objects/conditions.ts';
import { conditionsOf } from './child-readiness.ts';

/** Most conditions that are kept: anybody may write some into a ComputeRun. */
const mostConditions = 10;

/** The status of a run with its conditions Ready and Stalled, by its state. `now`: milliseconds since the epoch. */
export function withRunConditions(object: KubeObject, status: ComputeRunStatus, now: number): ComputeRunStatus {
  const { state = 'Pending', message = '' } = status;
  const { generation } = object.metadata;
  const isUnderWay = state === 'Pending' || state === 'Running';
  const readiness: Readiness = {
    severity: runSeverity[state],
    reason: isUnderWay ? reasons.reconciling : state,
    message,
  };
  const conditions = withReadiness(formerConditions(object, readiness), readiness, generation, now);
  return {
    ...status,
    conditions: [...conditions],
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}

/** None where a run goes on after it was suspended: progress would not replace that in one generation. */
function formerConditions(object: KubeObject, { severity }: Readiness): readonly Condition[] {
  const former = conditionsOf(object)?.slice(0, mostConditions) ?? [];
  return severity === 'Info' && readyCondition(former)?.severity !== 'Info' ? [] : former;
}

/** The parts of the conditions that the next ones are computed from. The rest may be a megabyte that somebody wrote. */
export function transitionsOf(object: KubeObject): Condition[] {
  const former = conditionsOf(object)?.slice(0, mostConditions) ?? [];
  return former
    .filter(({ type }) => type === 'Ready' || type === 'Stalled')
    .map(({ type, status, lastTransitionTime }) => ({ type, status, reason: '', lastTransitionTime }));
}
