import { messageOf } from '../base/errors.ts';
import type { Manager } from '../kube/controller/manager.ts';
import type { ReconcileDeps } from './effects/reconcile-deps.ts';
import { turnMs } from './lifecycle/arm-id-reservations.ts';
import type { KindCaches } from './objects/kind-caches.ts';

/** Milliseconds between two checks for credentials that no object uses. */
const sweepMs = 60_000;

/**
 * Removes finalizers of unused credentials and frees ARM ids while this replica leads, and ends the process of expressions
 * after all runs.
 */
export function addBackgroundTasks(manager: Manager, deps: ReconcileDeps, caches: KindCaches): void {
  manager.addEnd(() => deps.expressions.close());
  manager.addTask(async (end) => {
    while (!end.aborted) {
      deps.armIds.endTurns();
      deps.writeTurns.endTurns();
      await deps.runtime.clock.sleep(turnMs, end).catch(() => undefined);
    }
  });
  // A run that removes the last use of a credential may be killed before it removes the Secret's finalizer.
  manager.addTask(async (end) => {
    const catchUp = () => deps.termCaches.catchUp([...caches], end);
    while (!end.aborted) {
      await deps.records
        .load(end)
        .then(() => deps.credentialFinalizers.removeUnused(end, catchUp))
        .catch((error: unknown) => {
          if (!end.aborted)
            deps.runtime.log.warn(
              { error: messageOf(error) },
              'the finalizer of unused credentials could not be removed',
            );
        });
      await deps.runtime.clock.sleep(sweepMs, end).catch(() => undefined);
    }
  });
}
