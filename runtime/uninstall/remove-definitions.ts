import { AzimuthError } from '../base/errors.ts';
import { forEachAtMost } from '../base/scheduling/for-each.ts';
import { definitionsType } from '../kube/client/core-types.ts';
import { listAll } from '../kube/client/paginate.ts';
import { isNotFound } from '../kube/client/status-error.ts';
import type { KubeObject } from '../kube/client/types.ts';
import type { Removal } from './removal.ts';

/** Definitions that are deleted at a time: an API server does much for each. */
const atATime = 4;

/**
 * Deletes definitions without objects, and waits until they are gone. Throws AZ_KUBE_STATUS that names those left where none
 * has gone for `stallMs`.
 */
export async function removeDefinitions(
  definitions: readonly KubeObject[],
  { client, clock, stallMs, pollMs = 2000, report, signal }: Removal,
): Promise<void> {
  await forEachAtMost(atATime, definitions, async ({ metadata: { name, uid = '' } }) => {
    await client.delete(definitionsType, { name }, { preconditions: { uid }, signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  });
  const uids = new Set(definitions.map(({ metadata }) => metadata.uid));
  let count = definitions.length;
  for (let progressAt = clock.monotonic(); ; ) {
    const { items } = await listAll(client, definitionsType, { metadataOnly: true, signal });
    const left = items.filter(({ metadata }) => uids.has(metadata.uid));
    if (left.length === 0) return;
    if (left.length < count) {
      [count, progressAt] = [left.length, clock.monotonic()];
      report(`${count} definitions left, first ${left[0]?.metadata.name}`);
    }
    if (clock.monotonic() - progressAt >= stallMs) {
      const names = left.slice(0, 10).map(({ metadata }) => metadata.name);
      const message =
        `no definition has gone for ${stallMs / 1000} s; ${left.length} are left: ${names.join(', ')}. ` +
        `The condition Terminating has the cause: kubectl describe crd ${names[0]}. Then run the command again`;
      throw new AzimuthError('AZ_KUBE_STATUS', message);
    }
    await clock.sleep(pollMs, signal);
  }
}
