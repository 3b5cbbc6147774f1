import { forEachAtMost } from '../base/scheduling/for-each.ts';
import { isNotFound } from '../kube/client/status-error.ts';
import type { KubeObject, ObjectKey } from '../kube/client/types.ts';
import type { Item } from './inventory.ts';
import type { Removal } from './removal.ts';

/** Milliseconds that the operator gets to see that a deployment is suspended. */
const seenMs = 30_000;

/**
 * Suspends all ComputeDeployments, and waits until the operator has seen it: an object that a deployment makes after all
 * others have their annotation would be deleted in Azure.
 */
export async function suspendDeployments(
  items: readonly Item[],
  { client, clock, pollMs = 2000, signal }: Removal,
): Promise<void> {
  const deployments = items.filter(({ row, object }) => {
    return row.kind === 'ComputeDeployment' && object.metadata.deletionTimestamp === undefined;
  });
  await forEachAtMost(4, deployments, async ({ type, object: { metadata } }) => {
    const key: ObjectKey = { namespace: metadata.namespace ?? '', name: metadata.name };
    const patch = { type: 'merge', body: { spec: { suspend: true } } } as const;
    try {
      const stored = await client.patch(type, key, patch, { fieldManager: 'azimuth-uninstall', signal });
      for (const deadline = clock.monotonic() + seenMs; clock.monotonic() < deadline; ) {
        const liveObject = await client.tryGet(type, key, signal);
        if (!liveObject || observedGeneration(liveObject) >= (stored.metadata.generation ?? 0)) return;
        await clock.sleep(pollMs, signal);
      }
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
}

function observedGeneration({ status }: KubeObject): number {
  const conditions: readonly { readonly observedGeneration?: number }[] = status?.conditions ?? [];
  return Math.max(0, ...conditions.map(({ observedGeneration = 0 }) => observedGeneration));
}
