import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import { objectsIn } from './profile.ts';

/** A rolling upgrade policy with Azure's defaults: percents, and the pause between batches in milliseconds. */
export interface RollingPolicy {
  readonly batch: number;
  readonly unhealthy: number;
  readonly unhealthyUpgraded: number;
  readonly pauseMs: number;
  readonly unhealthyFirst: boolean;
  readonly rollsBack: boolean;
  /** New instances take the place of old ones, which go when the new ones are well. */
  readonly surges: boolean;
}

const members = [
  ['maxBatchInstancePercent', 5],
  ['maxUnhealthyInstancePercent', 5],
  ['maxUnhealthyUpgradedInstancePercent', 0],
] as const;

const duration = /^PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/;

const policyIn = (set: Json) => objectOf(at(set, 'properties.upgradePolicy.rollingUpgradePolicy'));

/** How a scale set brings a new model to its instances; Manual where it does not say. */
export function upgradeMode(set: Json): string {
  const given = stringOf(at(set, 'properties.upgradePolicy.mode')) || 'Manual';
  return upgradeModes.find((mode) => mode.toLowerCase() === given.toLowerCase()) ?? given;
}

const upgradeModes = ['Automatic', 'Manual', 'Rolling'];

/** The policy of a scale set's body, complete. */
export function rollingPolicy(set: Json): RollingPolicy {
  const policy = policyIn(set);
  const percent = (name: string) => (typeof policy[name] === 'number' ? policy[name] : 20);
  const [, hours = '0', minutes = '0', seconds = '0'] =
    duration.exec(stringOf(policy['pauseTimeBetweenBatches'])) ?? [];
  return {
    batch: percent('maxBatchInstancePercent'),
    unhealthy: percent('maxUnhealthyInstancePercent'),
    unhealthyUpgraded: percent('maxUnhealthyUpgradedInstancePercent'),
    pauseMs: (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000,
    unhealthyFirst: policy['prioritizeUnhealthyInstances'] === true,
    rollsBack: policy['rollbackFailedInstancesOnPolicyBreach'] === true,
    surges: policy['maxSurge'] === true,
  };
}

/** Whether a probe or the Application Health extension reports the health of the instances. `extensions` are the children. */
export function hasHealthSource(set: Json, extensions: readonly Json[]): boolean {
  const named = objectsIn(at(set, 'properties.virtualMachineProfile.extensionProfile.extensions'));
  const extension = [...named, ...extensions].some(({ properties }) =>
    /^ApplicationHealth(Linux|Windows)$/i.test(stringOf(objectOf(properties)['type'])),
  );
  const uniform = stringOf(at(set, 'properties.orchestrationMode')) !== 'Flexible';
  const probe = at(set, 'properties.virtualMachineProfile.networkProfile.healthProbe.id') !== undefined;
  return extension || (uniform && probe);
}

/** Refuses an upgrade policy as Azure does, in every mode. `extensions` are children that exist already. */
export function checkUpgradePolicy(set: Json, extensions: readonly Json[]): void {
  const policy = policyIn(set);
  for (const [name, least] of members) {
    const value = policy[name];
    if (value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= 100)) continue;
    const message = `The value '${String(value)}' of parameter 'upgradePolicy.rollingUpgradePolicy.${name}' is out of range. The value must be between ${least} and 100.`;
    throw refuse(400, 'InvalidParameter', message, { target: `rollingUpgradePolicy.${name}` });
  }
  const pause = policy['pauseTimeBetweenBatches'];
  if (pause !== undefined && !duration.test(stringOf(pause))) {
    const message = `The value '${String(pause)}' of parameter 'upgradePolicy.rollingUpgradePolicy.pauseTimeBetweenBatches' is invalid.`;
    throw refuse(400, 'InvalidParameter', message, { target: 'rollingUpgradePolicy.pauseTimeBetweenBatches' });
  }
  const { batch, unhealthy } = rollingPolicy(set);
  if (batch > unhealthy) {
    const at = 'upgradePolicy.rollingUpgradePolicy';
    const [one, other] = [`${at}.batchInstancePercent`, `${at}.maxUnhealthyInstancePercent`];
    throw refuse(
      409,
      'OperationNotAllowed',
      `The property ${one} has value '${batch}' and is greater than the property ${other} with value '${unhealthy}'. ${one} must be less than or equal to ${other} because each Virtual Machines being upgraded may become unhealthy or unavailable during the upgrade. To prevent more than ${other}percent of the instances from becoming unhealthy or unavailable we do not allow updating more than ${other} instances in a single batch.`,
    );
  }
  const mode = upgradeMode(set);
  if (!upgradeModes.includes(mode)) {
    throw refuse(400, 'InvalidParameter', `The value '${mode}' of parameter 'upgradePolicy.mode' is not allowed.`, {
      target: 'upgradePolicy.mode',
    });
  }
  if (mode === 'Rolling' && !hasHealthSource(set, extensions)) {
    throw refuse(
      400,
      'InvalidParameter',
      'Rolling Upgrade mode is not supported for this Virtual Machine Scale Set because a health probe or health extension was not provided.',
    );
  }
}
