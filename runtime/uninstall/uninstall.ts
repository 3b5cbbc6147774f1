import { AzimuthError } from '../base/errors.ts';
import { attachmentRecords } from './attachments.ts';
import { type Definitions, readDefinitions, readItems } from './inventory.ts';
import { requirePrograms } from './needed-programs.ts';
import { readPrograms, removePrograms } from './programs.ts';
import type { Removal } from './removal.ts';
import { removeDefinitions } from './remove-definitions.ts';
import { removeItems } from './remove-items.ts';
import { endOf, renderPlan } from './render.ts';
import { suspendDeployments } from './suspend.ts';

/** Parts and options of an uninstallation. */
export interface Uninstallation extends Removal {
  /** Asked after the plan was reported: whether to do it. */
  readonly confirm: () => Promise<boolean>;
}

/**
 * Removes objects, programs and definitions, or reports the planned removals. Resolves to whether it removed
 * everything, which is false without a confirmation unless there is nothing to remove. Each step starts from the state of the
 * cluster, so the command can be run again after an interruption. Throws AZ_LEASE_LOST where no operator or controller
 * of pod identities runs and one is needed, and the errors of `removeItems` and `removeDefinitions`.
 */
export async function uninstall(options: Uninstallation): Promise<boolean> {
  const { client, mode, confirm, report, signal } = options;
  const definitions = await readDefinitions(client, signal);
  const items = await readItems(client, definitions.kinds, signal);
  const programs = await readPrograms(client, signal);
  if (items.length + definitions.objects.length + programs.own.length === 0) {
    report('There is nothing to remove.');
    for (const line of endOf(programs)) report(line);
    return true;
  }
  report(renderPlan({ items, definitions: definitions.objects, programs }, mode));
  if (mode === 'delete')
    refuseRemovedDefinitions(definitions, new Set(items.map(({ type }) => `${type.plural}.${type.group}`)));
  if (!(await confirm())) {
    report('Nothing has been changed: add --yes to do it.');
    return false;
  }
  const records = await attachmentRecords(client, programs.homes, signal);
  await requirePrograms(items, records, programs.homes, options);
  if (mode === 'keep-azure') await suspendDeployments(items, options);
  await removeItems(definitions.kinds, programs.homes, options);
  await removePrograms(client, programs.own, signal);
  await removeDefinitions(definitions.objects, options);
  report(
    `Removed: ${items.length} objects, ${programs.own.length} objects of programs, ${definitions.objects.length} definitions.`,
  );
  for (const line of endOf(programs)) report(line);
  return true;
}

/** The operator deletes nothing in Azure for objects whose definition somebody removes. */
function refuseRemovedDefinitions({ objects }: Definitions, used: ReadonlySet<string>): void {
  const removed = objects.filter(({ metadata }) => metadata.deletionTimestamp !== undefined && used.has(metadata.name));
  if (removed.length === 0) return;
  const names = removed.map(({ metadata }) => metadata.name).join(', ');
  const message =
    `${names}: somebody deletes the definition, so the operator deletes nothing in Azure for its objects. ` +
    'Use --keep-azure, and delete their resources in Azure by other means';
  throw new AzimuthError('AZ_CONFLICT_OWNED', message);
}
