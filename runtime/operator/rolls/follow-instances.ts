import { instancesSetting } from '../../arm-kinds/instances-setting.ts';
import type { JsonObject } from '../../base/json.ts';
import { deploymentLabel } from '../../compute/deployments/labels.ts';
import { countInstances } from '../../compute/rolls/instance-counts.ts';
import type { RollDriver } from '../../compute/rolls/roll-plan.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import { newRollMemory, type Progress } from '../machines/roll-memory.ts';
import type { Readiness } from '../objects/conditions.ts';
import { advance } from './advance.ts';
import { maintenanceReadiness } from './maintenance.ts';
import { rollScaleSet } from './scale-set-roll.ts';

/** The state of a set's instances, for its Ready condition and its status. */
export interface InstancesReport {
  /** For the Ready condition; no severity means that the instances are well. */
  readonly readiness: Readiness;
  /** `status.instances`; undefined before the first read. */
  readonly status: JsonObject | undefined;
  /** For the condition MaintenanceHonoured; undefined where Azure was not asked or did not tell, and nothing changes. */
  readonly maintenance: Readiness | 'None' | undefined;
  /** When to reconcile again, in milliseconds; undefined: at the resync. */
  readonly afterMs: number | undefined;
}

/**
 * Follows the instances of a scale set whose model Azure has accepted, and completes the upgrade that the PUT started.
 *
 * @param delivered The progress of this run's delivery of ManagedSecrets, which rolled the set already.
 * @returns Undefined for other kinds, and where the object asks for the model alone.
 */
export async function followInstances(
  context: EffectContext,
  delivered: Progress | undefined,
): Promise<InstancesReport | undefined> {
  const { object, policy } = context.plan;
  const setting = instancesSetting(object.metadata.annotations);
  if (!isScaleSet(context) || setting === 'ignore') return undefined;
  context.memory.roll ??= newRollMemory();
  const memory = context.memory.roll;
  const isDriven = setting === 'roll' || object.metadata.labels?.[deploymentLabel] !== undefined;
  const driver: RollDriver = policy === 'skip' ? 'nobody' : isDriven ? 'operator' : 'azure';
  const progress =
    delivered ?? (await advance(context, memory, driver, (live) => rollScaleSet({ context, memory, driver }, live)));
  return { ...reportOf(progress), maintenance: maintenanceReadiness(context) };
}

/** Whether the object of a run is a scale set. */
export function isScaleSet({ plan: { model, object } }: EffectContext): boolean {
  return model.armType(object).toLowerCase() === 'microsoft.compute/virtualmachinescalesets';
}

function reportOf({ well, severity, reason, message, instances, afterMs }: Progress) {
  const readiness = { severity: well ? undefined : (severity ?? 'Info'), reason, message };
  return { readiness, status: instances && statusOf(instances), afterMs };
}

function statusOf(instances: NonNullable<Progress['instances']>): JsonObject {
  const { instances: total, upToDate, held, moving, unhealthy, firstUnhealthy } = countInstances(instances);
  return {
    total,
    upToDate,
    unhealthy,
    ...(moving > 0 && { moving }),
    ...(held > 0 && { protected: held }),
    ...(firstUnhealthy && {
      firstUnhealthy: {
        id: firstUnhealthy.id,
        ...(firstUnhealthy.problem !== undefined && { message: firstUnhealthy.problem }),
      },
    }),
  };
}
