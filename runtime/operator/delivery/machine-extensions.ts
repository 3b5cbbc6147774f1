import { armDiff } from '../../arm-kinds/comparison/arm-diff.ts';
import { eventReasons, reasons } from '../../arm-kinds/names.ts';
import { hasFailed, isInProgress } from '../../azure/arm/operations/provisioning-state.ts';
import { childPath } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { type JsonObject, jsonHash } from '../../base/json.ts';
import { rollReasons } from '../../compute/rolls/roll-plan.ts';
import { succeeded } from '../effects/effect-context.ts';
import { recheckBeforeWrite } from '../effects/recheck-before-write.ts';
import { describeConflict } from '../lifecycle/arm-id-reservations.ts';
import type { Progress } from '../machines/roll-memory.ts';
import { pollOperation, sendOperation } from '../rolls/machine-operations.ts';
import type { Delivery } from './delivery.ts';
import { deliveryStatus } from './delivery-status.ts';

/** Milliseconds between two reads of the extensions of a machine at least. */
const readGapMs = 15_000;

const virtualMachineDone = { id: 'vm', healthy: true, running: true } as const;

/**
 * Sends the extensions of a virtual machine, one after another, each where Azure shows another one than declared. The
 * machine itself has its certificates and identities since its PUT.
 */
export async function deliverExtensions(delivery: Delivery): Promise<Progress> {
  const { context, memory, machine } = delivery;
  const now = context.shared.runtime.clock.now();
  const polled = await pollOperation(context, memory);
  if (!polled.done) return pending('Azure installs an extension', polled.afterMs);
  if (polled.error) throw polled.error;
  if (now < memory.nextReadAt && memory.progress) {
    return { ...memory.progress, ...(!memory.progress.done && { afterMs: memory.nextReadAt - now }) };
  }
  memory.nextReadAt = now + readGapMs;
  for (const { name, location, properties } of machine.extensions) {
    const id = childPath(context.id(), 'extensions', name);
    const other = context.shared.armIds.conflictingObject(id, context.object);
    if (other) {
      const taken = `${describeConflict(other, context.object)} manages the extension ${name}; remove it, or the managed secret`;
      throw new AzimuthError('AZ_CONFLICT_OWNED', taken);
    }
    const body = { location, properties };
    const live = await context.requests.tryResource(id);
    if (live && isInProgress(live)) return pending(`Azure installs the extension ${name}`, readGapMs);
    const hash = jsonHash(body);
    // Azure writes some fields in its own way: a body that was sent in this form, and accepted, is not sent again.
    const isSent = memory.sent.get(name) === hash;
    if (live && !hasFailed(live) && (isSent || !differs(body, live))) continue;
    if (isSent && now < memory.resumed.nextAt) return failedExtension(name, memory.resumed.nextAt - now);
    memory.resumed = {
      times: memory.resumed.times + 1,
      nextAt: now + Math.min(3_600_000, 60_000 * 2 ** memory.resumed.times),
    };
    memory.sent.set(name, hash);
    return send(delivery, id, name, body);
  }
  const instance = { ...virtualMachineDone, latestModelApplied: true };
  const status = deliveryStatus(delivery, [instance], now);
  const delivered = { done: true, severity: undefined, reason: rollReasons.delivered, message: '', status };
  memory.progress = delivered;
  memory.resumed = { times: 0, nextAt: 0 };
  return delivered;
}

async function send({ context, memory }: Delivery, id: string, name: string, body: JsonObject): Promise<Progress> {
  context.event('Normal', eventReasons.beginCreateOrUpdate, 'Deliver', `Sending the extension ${name} to Azure`);
  const { error } = await recheckBeforeWrite(context, async () => {
    await sendOperation(context, memory, context.requests.request('PUT', id, { body }), 'PUT');
    return succeeded();
  });
  if (error !== undefined) throw error;
  memory.nextReadAt = 0;
  return pending(`Azure installs the extension ${name}`, 1000);
}

/** The references of protected settings are not shown by every version of Azure; the tag changes with them. */
function differs(body: JsonObject, live: JsonObject): boolean {
  return armDiff(body, live).some(({ path }) => !path.startsWith('properties.protectedSettings'));
}

function pending(message: string, afterMs: number): Progress {
  return { done: false, severity: 'Info', reason: rollReasons.rolling, message, afterMs };
}

function failedExtension(name: string, afterMs: number): Progress {
  const message = `The extension ${name} failed in Azure; its status there says why, and the operator sends it again later`;
  return { done: false, severity: 'Warning', reason: reasons.failed, message, afterMs };
}
