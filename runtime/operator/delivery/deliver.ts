import { eventReasons } from '../../arm-kinds/names.ts';
import { rollReasons } from '../../compute/rolls/roll-plan.ts';
import type { EngineResult } from '../../engine/index.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import type { DeliveryMemory, DeliveryReport } from '../machines/delivery-memory.ts';
import { detachLater } from '../machines/earlier-identities.ts';
import { healthOf, noteHealth } from '../machines/machine-health.ts';
import type { Progress } from '../machines/roll-memory.ts';
import { isMachine, type PlannedMachine, secretReferences } from '../machines/secret-plan.ts';
import { advance } from '../rolls/advance.ts';
import { isScaleSet } from '../rolls/follow-instances.ts';
import { rollScaleSet } from '../rolls/scale-set-roll.ts';
import type { Delivery } from './delivery.ts';
import { deliveryStatus } from './delivery-status.ts';
import { deliverExtensions } from './machine-extensions.ts';
import { outlasts } from './versions-in-use.ts';

/**
 * Continues the delivery to a machine that Azure has as declared: sends the extensions of a virtual machine, or brings
 * the instances of a scale set to the model. Undefined for objects without ManagedSecrets.
 */
export async function deliverSecrets(context: EffectContext): Promise<DeliveryReport | undefined> {
  const { machines } = context.shared;
  const { model, object, policy, machine } = context.plan;
  if (!machines || !isMachine(model)) return undefined;
  const memory = machines.of(object);
  if (!machine && memory.uses.size === 0) return undefined;
  if (policy === 'skip') {
    const message = 'Nothing is delivered while the policy is skip';
    noteHealth(machines, memory, { secrets: machine?.secrets ?? [] }, 'Held', message);
    return keep(memory, { done: false, severity: 'Warning', reason: 'DeliveryHeld', message });
  }
  // Without entries, instances may still name the versions that the machine had before.
  const planned = machine ?? { kind: isScaleSet(context) ? 'VirtualMachineScaleSet' : 'VirtualMachine', ...noSecrets };
  reportWarnings(context, memory, planned);
  const progress = await advanceDelivery({ context, memory, machine: planned });
  const before = memory.report;
  noteHealth(machines, memory, planned, healthOf(progress), progress.message);
  const report = keep(memory, progress);
  if (progress.done) {
    machines.delivered(memory, new Map(planned.secrets.map(({ name, number }) => [name, number])));
    const detachMs = detachLater(memory, context.shared.runtime.clock.now());
    if (before && before.readiness.severity !== undefined) {
      context.event(
        'Normal',
        eventReasons.secretsDelivered,
        'Deliver',
        'Every instance has the model with its secrets',
      );
    }
    if (!machine) {
      memory.report = undefined;
      return undefined;
    }
    if (detachMs !== undefined) return { ...report, afterMs: detachMs };
  } else if (progress.severity === 'Warning' && before?.readiness.reason !== progress.reason) {
    context.event(
      'Warning',
      eventReasons.secretDeliveryStopped,
      'Deliver',
      `${progress.reason}: ${progress.message}`.slice(0, 900),
    );
  }
  return report;
}

/** The report of a run that has not brought the machine to its declared state: the last one, and why nothing goes on. */
export function undelivered({ shared, plan }: EffectContext, { waits }: EngineResult): DeliveryReport | undefined {
  const { machines } = shared;
  const { model, object } = plan;
  if (!machines || secretReferences(model, object).length === 0) return undefined;
  const memory = machines.of(object);
  const { status } = memory.report ?? {};
  const wait = waits.find(({ needsEdit }) => needsEdit) ?? waits[0];
  const readiness = wait
    ? {
        severity: wait.needsEdit ? ('Error' as const) : ('Warning' as const),
        reason: wait.reason,
        message: wait.message,
      }
    : {
        severity: 'Info' as const,
        reason: 'ModelPending',
        message: 'Azure does not have the model yet; Ready says why',
      };
  // A process that starts again has not seen the machine yet.
  if (memory.seen) noteHealth(machines, memory, plan.machine ?? { secrets: [] }, 'Rolling', readiness.message);
  return { readiness, ...(status && { status }) };
}

const noSecrets = { secrets: [], extensions: [], warnings: [] } as const;

function advanceDelivery(delivery: Delivery): Promise<Progress> {
  const { context, memory, machine } = delivery;
  const { secrets, extensions, kind } = machine;
  return advance(context, memory, { wanted: secrets, extensions }, async (live) => {
    if (kind === 'VirtualMachine') return deliverExtensions(delivery);
    const mayWait = (until: number) => outlasts(delivery, until);
    const progress = await rollScaleSet({ context, memory, driver: 'operator', mayWait }, live);
    const { instances } = progress;
    if (!instances) return progress;
    return { ...progress, status: deliveryStatus(delivery, instances, context.shared.runtime.clock.now()) };
  });
}

function keep(memory: DeliveryMemory, progress: Progress): DeliveryReport {
  const { done, severity, reason, message, status, afterMs } = progress;
  const shown = status ?? memory.report?.status;
  // The health of instances that have their secrets is a matter of Ready.
  const readiness = done
    ? { severity: undefined, reason: rollReasons.delivered, message: '' }
    : { severity, reason, message };
  memory.report = { readiness, ...(shown && { status: shown }), ...(afterMs !== undefined && { afterMs }) };
  return { ...memory.report, progress };
}

/** Reports each text once, because most runs find the same. */
function reportWarnings(context: EffectContext, memory: DeliveryMemory, { warnings }: PlannedMachine): void {
  const note = warnings.map(({ name, path, message }) => `${name}: ${path}: ${message}`).join('; ');
  if (note === memory.warnings) return;
  memory.warnings = note;
  if (note !== '') context.event('Warning', eventReasons.machineWarning, 'Plan', note.slice(0, 900));
}
