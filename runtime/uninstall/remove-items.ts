import { annotations } from '../arm-kinds/names.ts';
import type { ReconcilePolicy } from '../arm-kinds/policy.ts';
import { AzimuthError } from '../base/errors.ts';
import { forEachAtMost } from '../base/scheduling/for-each.ts';
import { isNotFound } from '../kube/client/status-error.ts';
import type { ViewKind } from '../view/model/view-kinds.ts';
import { untilDetached } from './attachments.ts';
import { type Item, nameOf, readItems } from './inventory.ts';
import { needsPrograms, requirePrograms } from './needed-programs.ts';
import { deletableNow, isAzureResource, isBeforeDetachment, isKept } from './order.ts';
import { leaseMs } from './program-lease.ts';
import type { Removal } from './removal.ts';

/** Requests at a time. */
const requests = 8;
const fieldManager = 'azimuth-uninstall';

/**
 * Deletes all objects of the kinds, stage by stage, until none is left. Each round reads the remaining objects, so that
 * an interrupted removal goes on where it was. After the bindings it waits until the controller, whose records are in
 * `homes`, has detached all identities. Throws AZ_LEASE_LOST where a program stops that is needed, AZ_CONFLICT_OWNED
 * where somebody makes deleted objects again, and AZ_KUBE_STATUS that names the objects or machines without progress
 * for `stallMs`.
 */
export async function removeItems(
  kinds: readonly ViewKind[],
  homes: ReadonlySet<string>,
  removal: Removal,
): Promise<void> {
  const { client, clock, mode, stallMs, pollMs = 2000, report, signal } = removal;
  const deleted = new Map<string, string>();
  let remainingKinds = kinds;
  let isDetached = false;
  let last = '';
  let line = '';
  let progressAt = clock.monotonic();
  let leaseAt = progressAt;
  for (;;) {
    const left = await readItems(client, remainingKinds, signal);
    if (!isDetached && !left.some(isBeforeDetachment)) {
      isDetached = true;
      if (await untilDetached(homes, removal)) {
        progressAt = clock.monotonic();
        continue;
      }
    }
    if (left.length === 0 && remainingKinds === kinds) return;
    // Lists of all kinds are many: in between only those with objects are read, in the end all again.
    const names = new Set(left.map(({ row }) => `${row.group}/${row.kind}`));
    remainingKinds = left.length === 0 ? kinds : kinds.filter(({ type }) => names.has(`${type.group}/${type.kind}`));
    if (left.length === 0) continue;
    const again = left.find(({ row, object }) => (deleted.get(row.id) ?? object.metadata.uid) !== object.metadata.uid);
    if (again) throw new AzimuthError('AZ_CONFLICT_OWNED', `${nameOf(again)} ${madeAgain}`);

    if (mode === 'keep-azure') await keepInAzure(left, removal);
    for (const items of deletableNow(left, mode)) {
      await forEachAtMost(requests, items, async (item) => {
        await deleteItem(item, removal);
        deleted.set(item.row.id, item.object.metadata.uid ?? '');
      });
    }
    const now = left.map(({ object }) => `${object.metadata.uid} ${object.metadata.deletionTimestamp}`).join();
    const next = `${left.length} objects left, first ${explain(firstStuck(left))}`;
    if (next !== line) report(next);
    line = next;
    if (now !== last) [last, progressAt, leaseAt] = [now, clock.monotonic(), clock.monotonic()];
    if (clock.monotonic() - progressAt >= stallMs) throw stuck(left, stallMs);
    if (clock.monotonic() - leaseAt >= leaseMs && needsPrograms(left)) {
      await requirePrograms(left, [], homes, removal);
      leaseAt = clock.monotonic();
    }
    await clock.sleep(pollMs, signal);
  }
}

const madeAgain =
  'was deleted and is there again: suspend what applies it (the Application of Argo CD, the Kustomization of Flux, ' +
  'a controller of yours) without deleting that, and run the command again';

function explain(item: Item): string {
  const { reason, message } = item.row;
  return `${nameOf(item)}${reason ? `: ${reason}${message ? `: ${message}` : ''}` : ''}`;
}

/** An object that is being deleted says most about why nothing goes on. */
function firstStuck(left: readonly Item[]): Item {
  const deleting = left.find(({ object }) => object.metadata.deletionTimestamp !== undefined);
  return deleting ?? (left[0] as Item);
}

function stuck(left: readonly Item[], stallMs: number): AzimuthError {
  const waiting = left.filter(({ object }) => object.metadata.deletionTimestamp !== undefined);
  const named = (waiting.length > 0 ? waiting : left).slice(0, 10).map((item) => {
    const finalizers = item.object.metadata.finalizers?.join(', ');
    return `${explain(item)}${finalizers ? ` (finalizers ${finalizers})` : ''}`;
  });
  const message =
    `no object has gone for ${stallMs / 1000} s; ${left.length} are left: ${named.join('; ')}. Remove the cause that the ` +
    'condition names, or keep the resource in Azure by the annotation ' +
    `${annotations.reconcilePolicy}=detach-on-delete, and run the command again. Where the condition does not change, the ` +
    'operator may not serve the kind or the namespace: see its flags --kinds and --target-namespaces';
  return new AzimuthError('AZ_KUBE_STATUS', message);
}

async function keepInAzure(left: readonly Item[], { client, signal }: Removal): Promise<void> {
  const kept: ReconcilePolicy = 'detach-on-delete';
  const open = left.filter((item) => isAzureResource(item) && !isKept(item));
  await forEachAtMost(requests, open, async ({ type, object }) => {
    const { name, namespace, uid } = object.metadata;
    const body = { metadata: { uid, annotations: { [annotations.reconcilePolicy]: kept } } };
    const key = namespace === undefined ? { name } : { namespace, name };
    await client.patch(type, key, { type: 'merge', body }, { fieldManager, signal }).catch(ignoreGone);
  });
}

async function deleteItem({ type, object }: Item, { client, signal }: Removal): Promise<void> {
  const { name, namespace, uid = '' } = object.metadata;
  const key = namespace === undefined ? { name } : { namespace, name };
  await client.delete(type, key, { preconditions: { uid }, signal }).catch(ignoreGone);
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
