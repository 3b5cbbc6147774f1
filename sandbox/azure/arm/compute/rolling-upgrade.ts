import { at, type Json, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { BehaviourContext } from '../behaviour.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import {
  addInstance,
  applyModel,
  dropInstance,
  hasModel,
  healthOf,
  instanceIdOf,
  isProtected,
  restoreModel,
  setInstanceState,
} from './instances.ts';
import { type RollingPolicy, rollingPolicy } from './policy-checks.ts';
import { findSet, instancesOf, modelOf } from './scale-set-model.ts';

/** What an upgrade needs. */
type UpgradeContext = Pick<BehaviourContext, 'ids' | 'now' | 'settings' | 'state'>;

/** The upgrade that a set made last. Times are milliseconds since the epoch. */
export interface RollingUpgrade {
  code: 'RollingForward' | 'Cancelled' | 'Completed' | 'Faulted';
  readonly startTime: number;
  lastAction: 'Start' | 'Cancel';
  lastActionTime: number;
  /** When the batch under way is done, or the pause before the next one. */
  nextAt: number;
  /** Instance ids of the batch under way; with surge, of the new instances. */
  batch: string[];
  /** With surge: ids of the instances that go when the batch is well. */
  leaving?: string[];
  /** Instance ids of all batches before. */
  upgraded: string[];
  error?: Json;
}

/** The latest upgrade of a set. */
export const upgradeOf = ({ system }: StoredResource): RollingUpgrade | undefined =>
  system['rolling'] as RollingUpgrade | undefined;

/** Whether an upgrade runs. No write of the set is taken then. */
export const isRolling = (set: StoredResource | undefined): boolean =>
  set !== undefined && upgradeOf(set)?.code === 'RollingForward';

/** Starts an upgrade if instances lack the model and none runs. */
export function startUpgrade(set: StoredResource, context: UpgradeContext): void {
  const { state, now } = context;
  const model = modelOf(set, state);
  if (isRolling(set) || instancesOf(set, state).every((instance) => hasModel(instance, model))) return;
  const upgrade: RollingUpgrade = {
    code: 'RollingForward',
    startTime: now,
    lastAction: 'Start',
    lastActionTime: now,
    nextAt: now,
    batch: [],
    upgraded: [],
  };
  set.system['rolling'] = upgrade;
  state.rollingUpgrades = [...new Set([...(state.rollingUpgrades ?? []), set.id.toLowerCase()])];
  advance(set, upgrade, context);
}

/** Stops an upgrade; the batch under way comes to its end. */
export function cancelUpgrade(set: StoredResource, now: number): void {
  const upgrade = upgradeOf(set);
  if (upgrade?.code !== 'RollingForward') return;
  Object.assign(upgrade, { lastAction: 'Cancel', lastActionTime: now });
  if (upgrade.batch.length === 0) upgrade.code = 'Cancelled';
}

/** Brings every running upgrade to where it is at a time. */
export function advanceUpgrades(context: UpgradeContext): void {
  const { state } = context;
  if (!state.rollingUpgrades?.length) return;
  state.rollingUpgrades = state.rollingUpgrades.filter((id) => {
    const set = findSet(id, state);
    const upgrade = set && upgradeOf(set);
    if (set && upgrade) advance(set, upgrade, context);
    return isRolling(set);
  });
}

function advance(set: StoredResource, upgrade: RollingUpgrade, context: UpgradeContext): void {
  const policy = rollingPolicy(set.body);
  while (upgrade.code === 'RollingForward' && upgrade.nextAt <= context.now) {
    if (upgrade.batch.length === 0) beginBatch(set, upgrade, policy, context);
    else endBatch(set, upgrade, context.state, policy);
  }
}

function beginBatch(
  set: StoredResource,
  upgrade: RollingUpgrade,
  policy: RollingPolicy,
  context: UpgradeContext,
): void {
  const { state, settings } = context;
  const model = modelOf(set, state);
  const all = instancesOf(set, state);
  const ill = all.filter((instance) => healthOf(instance) === 'unhealthy');
  const pending = all.filter((instance) => !hasModel(instance, model) && !isProtected(instance));
  if (pending.length === 0) {
    upgrade.code = 'Completed';
    return;
  }
  if (ill.length * 100 > policy.unhealthy * all.length) {
    fault(upgrade, set, ill, { share: percent(ill.length, all.length), limit: policy.unhealthy });
    return;
  }
  if (policy.unhealthyFirst) pending.sort((a, b) => Number(ill.includes(b)) - Number(ill.includes(a)));
  // Instances that are ill already leave less room for those that an upgrade takes out of service.
  const room = Math.floor((all.length * policy.unhealthy) / 100) - ill.length;
  const size = Math.max(1, Math.min(Math.floor((all.length * policy.batch) / 100), room));
  const batch = pending.slice(0, size);
  const made = policy.surges ? batch.map(() => addInstance(set, model, context)) : batch;
  for (const instance of made) setInstanceState(instance, policy.surges ? 'Creating' : 'Updating');
  upgrade.batch = made.map(instanceIdOf);
  if (policy.surges) upgrade.leaving = batch.map(instanceIdOf);
  upgrade.nextAt += settings.rollingBatchMs;
}

function endBatch(set: StoredResource, upgrade: RollingUpgrade, state: SandboxState, policy: RollingPolicy): void {
  const model = modelOf(set, state);
  const all = instancesOf(set, state);
  const named = (ids: readonly string[]) => all.filter((instance) => ids.includes(instanceIdOf(instance)));
  for (const instance of named(upgrade.batch)) applyModel(instance, set, model);
  upgrade.upgraded.push(...upgrade.batch);
  upgrade.batch = [];
  const upgraded = named(upgrade.upgraded);
  const ill = upgraded.filter((instance) => healthOf(instance) === 'unhealthy');
  upgrade.nextAt += policy.pauseMs;
  if (ill.length * 100 > policy.unhealthyUpgraded * upgraded.length) {
    const share = percent(ill.length, upgraded.length);
    fault(upgrade, set, ill, { share, limit: policy.unhealthyUpgraded, upgraded: true });
    if (policy.rollsBack) for (const instance of ill) restoreModel(instance, set);
    return;
  }
  for (const instance of named(upgrade.leaving ?? [])) dropInstance(instance, state);
  upgrade.leaving = [];
  if (upgrade.lastAction === 'Cancel') upgrade.code = 'Cancelled';
}

const percent = (part: number, whole: number) => Math.round((part * 100) / whole);

function fault(
  upgrade: RollingUpgrade,
  set: StoredResource,
  ill: readonly StoredResource[],
  { share, limit, upgraded }: { share: number; limit: number; upgraded?: boolean },
): void {
  upgrade.code = 'Faulted';
  const first = upgrade.upgraded.length === 0;
  const what = upgraded ? 'MaxUnhealthyUpgradedInstancePercent' : 'MaxUnhealthyInstancePercent';
  const when = first ? ' before any batch was attempted' : '';
  const state = upgraded ? 'an unhealthy state after being upgraded' : 'an unhealthy state';
  upgrade.error = {
    code: `${what}Exceeded${first ? 'Before' : 'In'}RollingUpgrade`,
    message:
      `Rolling Upgrade failed due to exceeding the ${what} value (defined in the RollingUpgradePolicy)${when}. ` +
      `${share}% of instances are in ${state}, more than the threshold of ${limit}% configured in the ` +
      'RollingUpgradePolicy. The most impactful error is: Instance found to be unhealthy or unreachable. ' +
      'For details on rolling upgrades, use http://aka.ms/AzureVMSSRollingUpgrade',
    details: ill.map((instance) => ({
      code: 'RollingUpgradeInstanceUnhealthyError',
      message: 'Instance found to be unhealthy or unreachable.',
      target: `${set.name}/virtualMachines/${instanceIdOf(instance)}`,
    })),
  };
}

/** The document of rollingUpgrades/latest; undefined before the first upgrade. */
export function upgradeView(set: StoredResource, state: SandboxState): Json | undefined {
  const upgrade = upgradeOf(set);
  if (!upgrade) return undefined;
  const model = modelOf(set, state);
  const all = instancesOf(set, state);
  const pending = all.filter((instance) => !hasModel(instance, model)).length;
  const ill = all.filter(
    (instance) => upgrade.upgraded.includes(instanceIdOf(instance)) && healthOf(instance) === 'unhealthy',
  ).length;
  const time = (at: number) => new Date(at).toISOString();
  const { batch, unhealthy, unhealthyUpgraded } = rollingPolicy(set.body);
  return {
    id: `${set.id}/rollingUpgrades/latest`,
    name: 'latest',
    type: 'Microsoft.Compute/virtualMachineScaleSets/rollingUpgrades',
    location: set.body['location'],
    properties: {
      policy: {
        maxBatchInstancePercent: batch,
        maxUnhealthyInstancePercent: unhealthy,
        maxUnhealthyUpgradedInstancePercent: unhealthyUpgraded,
        pauseTimeBetweenBatches:
          stringOf(at(set.body, 'properties.upgradePolicy.rollingUpgradePolicy.pauseTimeBetweenBatches')) || 'PT0S',
      },
      runningStatus: {
        code: upgrade.code,
        startTime: time(upgrade.startTime),
        lastAction: upgrade.lastAction,
        lastActionTime: time(upgrade.lastActionTime),
      },
      progress: {
        successfulInstanceCount: upgrade.upgraded.length - ill,
        failedInstanceCount: ill,
        inProgressInstanceCount: upgrade.batch.length,
        pendingInstanceCount: pending - upgrade.batch.length,
      },
      ...(upgrade.error ? { error: upgrade.error } : {}),
    },
  };
}
