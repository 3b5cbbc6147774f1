import type { SharedArmRequest } from '../../azure/types.ts';
import type { JsonObject } from '../../base/json.ts';
import { extensionsOf, objectIn } from '../../compute/machines/machine-model.ts';
import { nextRollStep, type RollObservation, type RollStep, rollReasons } from '../../compute/rolls/roll-plan.ts';
import { rollingPolicyOf, upgradeModeOf } from '../../compute/rolls/rolling-policy.ts';
import { type EffectContext, succeeded } from '../reconcile/effect-context.ts';
import { recheckBeforeWrite } from '../reconcile/effects/recheck-before-write.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryMemory, Progress } from './delivery-memory.ts';
import { deliveryStatus } from './delivery-status.ts';
import { pollOperation, sendOperation } from './machine-operations.ts';
import { readInstances, readUpgrade } from './scale-set-reads.ts';

/**
 * Milliseconds between two reads of a set's instances at least. Azure lets a set be read 12 times a minute, of which the
 * run itself takes one and the upgrade another, and its instances be listed 10 times (../shared/facts/compute.md 1.4).
 */
export const readGapMs = 15_000;
/** Milliseconds that one page of the instances takes from that limit. */
const pageMs = 6000;

/** The first pause before an interrupted upgrade is resumed again, and the longest; in milliseconds. */
const resumeGap = { firstMs: 60_000, mostMs: 3_600_000 } as const;

/** Does the next step of a roll. Reads nothing within `readGapMs` after the last read, however often it is called. */
export async function rollScaleSet(delivery: Delivery, live: JsonObject): Promise<Progress> {
  const { run, memory } = delivery;
  const now = run.context.runtime.clock.now();
  if (memory.operation) {
    const result = await pollOperation(run, memory);
    if (!result.done) return moving('A request of the operator is under way', result.afterMs, memory);
    memory.batchEndedAt = now;
    if (result.error) throw result.error;
  }
  if (now < memory.nextReadAt) {
    const afterMs = memory.nextReadAt - now;
    if (memory.progress) return { ...memory.progress, afterMs };
    return moving('The instances are read soon', afterMs, memory);
  }
  const observed = await observe(delivery, live, now);
  const step = nextRollStep(observed);
  if (!observed.instances.every(({ latestModelApplied }) => latestModelApplied)) {
    memory.behindSince = observed.upgrade?.code === 'RollingForward' ? undefined : (memory.behindSince ?? now);
  }
  const status = deliveryStatus(delivery, observed.instances, now);
  const afterMs = memory.nextReadAt - now;
  const progress = await perform(run, memory, step, now);
  memory.progress = { ...progress, status };
  return progress.done ? memory.progress : { ...memory.progress, afterMs };
}

async function observe({ run, memory }: Delivery, live: JsonObject, now: number): Promise<RollObservation> {
  const { upgradePolicy } = objectIn(live, 'properties');
  const mode = upgradeModeOf(upgradePolicy) ?? 'Manual';
  // Set before the reads: a read that fails counts as well.
  memory.nextReadAt = now + jitteredUp(readGapMs);
  const { instances, pages } = await readInstances(run);
  memory.nextReadAt = now + jitteredUp(Math.max(readGapMs, pages * pageMs));
  const behind = instances.some(({ latestModelApplied }) => !latestModelApplied);
  const upgrade = mode === 'Rolling' && behind ? await readUpgrade(run) : undefined;
  return {
    now,
    mode,
    policy: rollingPolicyOf(upgradePolicy),
    serviceFabric: isServiceFabric(live),
    instances,
    upgrade,
    behindSince: memory.behindSince,
    batchEndedAt: memory.batchEndedAt,
  };
}

async function perform(run: EffectContext, memory: DeliveryMemory, step: RollStep, now: number): Promise<Progress> {
  if (step.do === 'Nothing') {
    if (!step.done) return progressOf(step);
    memory.resumed = { times: 0, nextAt: 0 };
    memory.behindSince = undefined;
    return { done: true, severity: undefined, reason: rollReasons.delivered, message: '' };
  }
  if (step.do === 'Upgrade') {
    const body = { instanceIds: step.ids };
    await write(run, memory, run.requests.request('POST', `${run.id()}/manualupgrade`, { body }), 'manualupgrade');
    return progressOf(step);
  }
  if (now < memory.resumed.nextAt) return progressOf(step);
  const { times } = memory.resumed;
  memory.resumed = { times: times + 1, nextAt: now + Math.min(resumeGap.mostMs, resumeGap.firstMs * 2 ** times) };
  await write(run, memory, run.requests.request('PATCH', run.id(), { body: {} }), 'PATCH');
  return progressOf(step);
}

async function write(
  run: EffectContext,
  memory: DeliveryMemory,
  request: SharedArmRequest,
  name: string,
): Promise<void> {
  const { error } = await recheckBeforeWrite(run, async () => {
    await sendOperation(run, memory, request, name);
    return succeeded();
  });
  if (error !== undefined) throw error;
}

function progressOf({ reason, message }: { readonly reason: string; readonly message: string }): Progress {
  const isRisk = reason === rollReasons.stopped || reason === rollReasons.automatic;
  return { done: false, severity: isRisk ? 'Warning' : 'Info', reason, message };
}

function moving(message: string, afterMs: number, { progress }: DeliveryMemory): Progress {
  const last = progress && !progress.done ? progress : undefined;
  return { done: false, severity: 'Info', reason: rollReasons.rolling, message: last?.message ?? message, afterMs };
}

/** Service Fabric orchestrates the sets that have its extension. */
function isServiceFabric(live: JsonObject): boolean {
  const machine = {
    kind: 'VirtualMachineScaleSet',
    body: live,
    os: 'Linux',
    location: '',
    subscriptionId: '',
  } as const;
  return extensionsOf(machine).some(({ properties }) => properties['publisher'] === 'Microsoft.Azure.ServiceFabric');
}

/** A period and up to a quarter of it more, so that sets do not stay together and none is read too soon. */
function jitteredUp(periodMs: number): number {
  return Math.round(periodMs * (1 + 0.25 * Math.random()));
}
