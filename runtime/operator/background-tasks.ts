import { once } from 'node:events';
import { messageOf } from '../base/errors.ts';
import type { Manager } from '../kube/controller/manager.ts';
import type { KindCaches } from './kinds/kind-caches.ts';
import { turnMs } from './lifecycle/arm-id-reservations.ts';
import type { OperatorContext } from './reconcile/operator-context.ts';

/** Milliseconds between two checks for credentials that no object uses. */
const sweepMs = 60_000;

/**
 * Removes finalizers of unused credentials and frees ARM ids while this replica leads, and ends the process of expressions
 * at the stop.
 */
export function addBackgroundTasks(manager: Manager, context: OperatorContext, caches: KindCaches): void {
  manager.addTask(async (stop) => {
    if (!stop.aborted) await once(stop, 'abort');
    context.expressions.close();
  });
  manager.addTask(async (stop) => {
    while (!stop.aborted) {
      context.armIds.endTurns();
      context.writeTurns.endTurns();
      await context.runtime.clock.sleep(turnMs, stop).catch(() => undefined);
    }
  });
  // A run that removes the last use of a credential may be killed before it removes the Secret's finalizer.
  manager.addTask(async (stop, lost) => {
    const end = lost ? AbortSignal.any([stop, lost]) : stop;
    const catchUp = () => context.termCaches.catchUp([...caches], end);
    while (!end.aborted) {
      await context.records
        .load(end)
        .then(() => context.credentialFinalizers.removeUnused(end, catchUp))
        .catch((error: unknown) => {
          if (!end.aborted)
            context.runtime.log.warn(
              { error: messageOf(error) },
              'the finalizer of unused credentials could not be removed',
            );
        });
      await context.runtime.clock.sleep(sweepMs, end).catch(() => undefined);
    }
  });
}
