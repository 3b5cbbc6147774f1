import type { SharedArmRequest } from '../../azure/types.ts';
import type { JsonObject } from '../../base/json.ts';
import { extensionsOf, objectIn } from '../../compute/machines/machine-model.ts';
import {
  nextRollStep,
  type RollDriver,
  type RollObservation,
  type RollStep,
  rollReasons,
} from '../../compute/rolls/roll-plan.ts';
import { rollingPolicyOf, upgradeModeOf } from '../../compute/rolls/rolling-policy.ts';
import { type EffectContext, succeeded } from '../effects/effect-context.ts';
import { recheckBeforeWrite } from '../effects/recheck-before-write.ts';
import type { Progress, RollMemory } from '../machines/roll-memory.ts';
import { pollOperation, sendOperation } from './machine-operations.ts';
import { closedWindow, readMaintenance } from './maintenance.ts';
import { readInstances, readUpgrade } from './scale-set-reads.ts';

/** Azure lets the instances of a set be listed 10 times a minute: milliseconds that one page takes from that limit. */
const pageMs = 6000;

/** Milliseconds between two reads of a set at most while it waits, where the operator has no resync. */
const longestWaitMs = 3_600_000;

/** The first pause before an interrupted upgrade is resumed again, and the longest; in milliseconds. */
const resumeGap = { firstMs: 60_000, mostMs: 3_600_000 } as const;

/** A set whose model is as declared, and who brings its instances to the model. */
export interface Roll {
  readonly context: EffectContext;
  readonly memory: RollMemory;
  readonly driver: RollDriver;
  /** Whether the roll may wait until a time, in milliseconds since the epoch. @default always */
  readonly mayWait?: (until: number) => boolean;
}

/** Does the next step of a roll. Reads nothing within `instancesReadMs` after the last read, however often it is called. */
export async function rollScaleSet(roll: Roll, live: JsonObject): Promise<Progress> {
  const { context, memory } = roll;
  const now = context.shared.runtime.clock.now();
  if (memory.operation) {
    const result = await pollOperation(context, memory);
    if (!result.done) return moving('A request of the operator is under way', result.afterMs, memory);
    memory.batchEndedAt = now;
    // The instances are read when the next batch may go, not during the pause.
    const { upgradePolicy } = objectIn(live, 'properties');
    memory.nextReadAt = Math.max(memory.nextReadAt, now + rollingPolicyOf(upgradePolicy).pauseSeconds * 1000);
    if (result.error) throw result.error;
  }
  if (now < memory.nextReadAt) {
    const { progress } = memory;
    const afterMs = untilNextRead(context, memory, progress, now);
    if (progress) return progress.done && progress.well ? progress : { ...progress, afterMs };
    return moving('The instances are read soon', afterMs, memory);
  }
  // Before the instances: a process that starts again knows of no window.
  await readMaintenance(context, now);
  const observed = await observe(roll, live, now);
  const step = nextRollStep(observed);
  if (!step.applied) {
    memory.behindSince = observed.upgrade?.code === 'RollingForward' ? undefined : (memory.behindSince ?? now);
  }
  const progress = await perform(context, memory, step, now);
  memory.progress = { ...progress, instances: observed.instances };
  // The resync reads a set that is well.
  return progress.well
    ? memory.progress
    : { ...memory.progress, afterMs: untilNextRead(context, memory, progress, now) };
}

/** Milliseconds until the next read: a set that waits for its maintenance window is read when that opens. */
function untilNextRead(
  context: EffectContext,
  memory: RollMemory,
  progress: Progress | undefined,
  now: number,
): number {
  const resyncAt = now + (context.shared.syncPeriodMs ?? longestWaitMs);
  return Math.max(memory.nextReadAt, Math.min(progress?.until ?? 0, resyncAt)) - now;
}

async function observe(
  { context, memory, driver, mayWait = () => true }: Roll,
  live: JsonObject,
  now: number,
): Promise<RollObservation> {
  const { upgradePolicy } = objectIn(live, 'properties');
  const mode = upgradeModeOf(upgradePolicy) ?? 'Manual';
  // Set before the reads: a read that fails counts as well.
  const { instancesReadMs } = context.shared;
  memory.nextReadAt = now + jitteredUp(instancesReadMs);
  const { instances, pages } = await readInstances(context);
  memory.nextReadAt = now + jitteredUp(Math.max(instancesReadMs, (pages - 1) * pageMs));
  const behind = instances.some(({ latestModelApplied }) => !latestModelApplied);
  const upgrade = mode === 'Rolling' && behind ? await readUpgrade(context) : undefined;
  // A batch that this process did not send ended at a time that only the first read after it bounds.
  if (instances.some(({ upgrading }) => upgrading)) memory.batchEndedAt = undefined;
  else if (instances.some(({ latestModelApplied }) => latestModelApplied)) memory.batchEndedAt ??= now;
  const closed = closedWindow(context.memory.maintenance, now);
  return {
    now,
    mode,
    policy: rollingPolicyOf(upgradePolicy),
    driver,
    serviceFabric: isServiceFabric(live),
    instances,
    upgrade,
    behindSince: memory.behindSince,
    batchEndedAt: memory.batchEndedAt,
    closed: closed && mayWait(closed.until) ? closed : undefined,
  };
}

async function perform(context: EffectContext, memory: RollMemory, step: RollStep, now: number): Promise<Progress> {
  if (step.applied) {
    memory.resumed = { times: 0, nextAt: 0 };
    memory.behindSince = undefined;
  }
  if (step.do === 'Upgrade') {
    // Where its answer is lost, the batch may end unseen: the pause counts from the next read.
    memory.batchEndedAt = undefined;
    const body = { instanceIds: step.ids };
    await write(
      context,
      memory,
      context.requests.request('POST', `${context.id()}/manualupgrade`, { body }),
      'manualupgrade',
    );
  } else if (step.do === 'Resume' && now >= memory.resumed.nextAt) {
    const { times } = memory.resumed;
    memory.resumed = { times: times + 1, nextAt: now + Math.min(resumeGap.mostMs, resumeGap.firstMs * 2 ** times) };
    await write(context, memory, context.requests.request('PATCH', context.id(), { body: {} }), 'PATCH');
  }
  return progressOf(step);
}

async function write(
  context: EffectContext,
  memory: RollMemory,
  request: SharedArmRequest,
  name: string,
): Promise<void> {
  const { error } = await recheckBeforeWrite(context, async () => {
    await sendOperation(context, memory, request, name);
    return succeeded();
  });
  if (error !== undefined) throw error;
}

/** Reasons that need no attention: the roll goes on by itself. */
const goingOn: ReadonlySet<string> = new Set([rollReasons.rolling, rollReasons.window, rollReasons.serviceFabric]);

function progressOf(step: RollStep): Progress {
  const { applied, well, reason, message } = step;
  const severity = well ? undefined : goingOn.has(reason) ? 'Info' : 'Warning';
  return { done: applied, well, severity, reason, message, until: step.do === 'Nothing' ? step.until : undefined };
}

function moving(message: string, afterMs: number, { progress }: RollMemory): Progress {
  const { reason = rollReasons.rolling, instances } = progress ?? {};
  const last = progress && !progress.done ? progress.message : undefined;
  return {
    done: false,
    well: false,
    severity: 'Info',
    reason: progress?.done ? rollReasons.rolling : reason,
    message: last ?? message,
    afterMs,
    ...(instances && { instances }),
  };
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
