/** Maintenance configurations that are attached to a scale set. They hold no batch, which a condition says. */
import { isObject } from '../../base/json.ts';
import { listIn, textIn } from '../../compute/machines/machine-model.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import type { RollMemory } from '../machines/roll-memory.ts';
import type { Readiness } from '../objects/conditions.ts';

const apiVersion = '2023-04-01';
/** Milliseconds between two reads of the assignments of a set at least. */
const readGapMs = 3_600_000;
/** Names in the message. */
const mostNames = 3;

/**
 * Reads the assignments of a set, once an hour at most. What Azure refuses stays unknown: no roll depends on it.
 * Rejects only when the run is aborted.
 */
export async function readMaintenance(context: EffectContext, memory: RollMemory, now: number): Promise<void> {
  if (now < memory.maintenance.nextAt) return;
  memory.maintenance = { nextAt: now + readGapMs };
  const path = `${context.id()}/providers/Microsoft.Maintenance/configurationAssignments`;
  try {
    const list = (await context.requests.tryGet(path, apiVersion)) ?? {};
    const names = listIn(list, 'value').flatMap((item) => (isObject(item) ? (textIn(item, 'name') ?? []) : []));
    memory.maintenance = { ...memory.maintenance, names };
  } catch (error) {
    if (context.plan.signal.aborted) throw error;
    context.plan.log.debug({ err: error }, 'maintenance assignments cannot be read');
  }
}

/** For the condition MaintenanceHonoured: undefined where nothing is known, 'None' where nothing is attached. */
export function maintenanceReadiness({ maintenance: { names } }: RollMemory): Readiness | 'None' | undefined {
  if (names === undefined) return undefined;
  if (names.length === 0) return 'None';
  const shown = names.slice(0, mostNames).map((name) => name.slice(0, 100));
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const message =
    `${shown.join(', ')}${more}: the window of a maintenance configuration is for updates that Azure starts by itself; ` +
    'a new model and its batches do not wait for it';
  return { severity: 'Info', reason: 'BatchesIgnoreMaintenance', message };
}
