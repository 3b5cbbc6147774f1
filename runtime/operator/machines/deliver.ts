import { bodyFingerprint } from '../../arm-kinds/body/applied-record.ts';
import { eventReasons } from '../../arm-kinds/names.ts';
import { hasFailed } from '../../azure/arm/operations/provisioning-state.ts';
import { jsonHash } from '../../base/json.ts';
import type { RunResult } from '../../engine/index.ts';
import type { EffectContext } from '../reconcile/effect-context.ts';
import { failureInfo, retryDelay, retryNote } from '../reconcile/failures.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryMemory, DeliveryReport, Progress } from './delivery-memory.ts';
import { detachLater } from './earlier-identities.ts';
import { deliverExtensions } from './machine-extensions.ts';
import { readGapMs, rollScaleSet } from './scale-set-roll.ts';
import { isMachine, type PlannedMachine, secretReferences } from './secret-plan.ts';

/**
 * Continues the delivery to a machine that Azure has as declared: sends the extensions of a virtual machine, or brings
 * the instances of a scale set to the model. Undefined for objects without ManagedSecrets.
 */
export async function deliverSecrets(run: EffectContext): Promise<DeliveryReport | undefined> {
  const { machines } = run.context;
  const { model, object, policy, machine } = run.request;
  if (!machines || !isMachine(model)) return undefined;
  const memory = machines.of(object);
  if (!machine && memory.uses.size === 0) return undefined;
  if (policy === 'skip') {
    const message = 'Nothing is delivered while the policy is skip';
    return keep(memory, { done: false, severity: 'Warning', reason: 'DeliveryHeld', message });
  }
  // Without entries, instances may still name the versions that the machine had before.
  const planned = machine ?? { kind: isSet(run) ? 'VirtualMachineScaleSet' : 'VirtualMachine', ...noSecrets };
  reportWarnings(run, memory, planned);
  const progress = await advance({ run, memory, machine: planned });
  const before = memory.report;
  const report = keep(memory, progress);
  if (progress.done) {
    machines.delivered(memory, new Map(planned.wanted.map(({ name, number }) => [name, number])));
    const detachMs = detachLater(memory, run.context.runtime.clock.now());
    if (before && before.found.severity !== undefined) {
      run.event('Normal', eventReasons.secretsDelivered, 'Deliver', 'Every instance has the model with its secrets');
    }
    if (!machine) {
      memory.report = undefined;
      return undefined;
    }
    if (detachMs !== undefined) return { ...report, afterMs: detachMs };
  } else if (progress.severity === 'Warning' && before?.found.reason !== progress.reason) {
    run.event(
      'Warning',
      eventReasons.secretDeliveryStopped,
      'Deliver',
      `${progress.reason}: ${progress.message}`.slice(0, 900),
    );
  }
  return report;
}

/** The report of a run that has not brought the machine to its declared state: the last one, and why nothing goes on. */
export function undelivered({ context, request }: EffectContext, { waits }: RunResult): DeliveryReport | undefined {
  const { machines } = context;
  const { model, object } = request;
  if (!machines || secretReferences(model, object).length === 0) return undefined;
  const { status } = machines.of(object).report ?? {};
  const [wait] = waits;
  const found = wait
    ? { severity: 'Warning' as const, reason: wait.reason, message: wait.message }
    : {
        severity: 'Info' as const,
        reason: 'ModelPending',
        message: 'Azure does not have the model yet; Ready says why',
      };
  return { found, ...(status && { status }) };
}

const noSecrets = { wanted: [], extensions: [], warnings: [] } as const;

const isSet = ({ request: { model, object } }: EffectContext) =>
  model.armType(object).toLowerCase().endsWith('/virtualmachinescalesets');

async function advance(delivery: Delivery): Promise<Progress> {
  const { run, memory, machine } = delivery;
  const { live } = run.observed;
  const waiting = { done: false, severity: 'Info', reason: 'ModelPending', afterMs: readGapMs } as const;
  if (!live?.exists || hasFailed(live.body)) return { ...waiting, message: 'Azure does not show the model yet' };
  const { wanted, extensions } = machine;
  const fingerprint = jsonHash({ body: bodyFingerprint(run.request.declared), wanted, extensions });
  if (memory.fingerprint !== fingerprint) forgetProgress(memory, fingerprint);
  try {
    const progress =
      machine.kind === 'VirtualMachine' ? await deliverExtensions(delivery) : await rollScaleSet(delivery, live.body);
    memory.failures = 0;
    return progress;
  } catch (error) {
    if (run.request.signal.aborted) throw error;
    const info = failureInfo(error, run.request.model.errorOverrides);
    const retryClass = info.retryClass === 'none' ? 'slow' : info.retryClass;
    const delay = retryDelay({ ...info, retryClass }, memory.failures++, run.context.syncPeriodMs);
    memory.nextReadAt = run.context.runtime.clock.now() + Math.max(readGapMs, delay ?? 0);
    const message = `${info.message.replace(/\.$/, '')}. ${retryNote(retryClass)}`;
    return {
      done: false,
      severity: 'Warning',
      reason: info.reason,
      message,
      afterMs: Math.max(readGapMs, delay ?? 0),
    };
  }
}

/** Another model has its own progress; the time of the next read stays, as it keeps the requests within Azure's limits. */
function forgetProgress(memory: DeliveryMemory, fingerprint: string): void {
  memory.fingerprint = fingerprint;
  memory.behindSince = undefined;
  memory.resumed = { times: 0, nextAt: 0 };
  memory.progress = undefined;
}

function keep(memory: DeliveryMemory, { severity, reason, message, status, afterMs }: Progress): DeliveryReport {
  const shown = status ?? memory.report?.status;
  const found = { severity, reason, message };
  memory.report = { found, ...(shown && { status: shown }), ...(afterMs !== undefined && { afterMs }) };
  return memory.report;
}

/** Reports each text once, because most runs find the same. */
function reportWarnings(run: EffectContext, memory: DeliveryMemory, { warnings }: PlannedMachine): void {
  const note = warnings.map(({ name, path, message }) => `${name}: ${path}: ${message}`).join('; ');
  if (note === memory.warnings) return;
  memory.warnings = note;
  if (note !== '') run.event('Warning', eventReasons.machineWarning, 'Plan', note.slice(0, 900));
}
