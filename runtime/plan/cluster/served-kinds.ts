import { messageOf } from '../../base/errors.ts';
import { forEachAtMost } from '../../base/scheduling/for-each.ts';
import type { KindLookup, OtherObject } from '../../compute/plan/problems/kind-problems.ts';
import { expectDiscovery } from '../../kube/client/expected.ts';
import { isNotFound } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';

/** Requests at a time. */
const requests = 8;
const validApiVersion = /^([a-z0-9][-a-z0-9.]*\/)?[a-z0-9]+$/;

/** Asks the API server for the kinds of these objects. A note tells each version whose kinds it does not show. */
export async function readServedKinds(
  client: KubeClient,
  objects: readonly OtherObject[],
  signal?: AbortSignal,
): Promise<{ readonly isServed: KindLookup; readonly notes: readonly string[] }> {
  const served = new Map<string, ReadonlySet<string>>();
  const notes: string[] = [];
  const apiVersions = [...new Set(objects.map(({ apiVersion }) => apiVersion))];
  await forEachAtMost(requests, apiVersions, async (apiVersion) => {
    try {
      served.set(apiVersion, validApiVersion.test(apiVersion) ? await kindsIn(client, apiVersion, signal) : new Set());
    } catch (error) {
      signal?.throwIfAborted();
      notes.push(`could not be read: the kinds of ${apiVersion}: ${messageOf(error)}`);
    }
  });
  return { isServed: (apiVersion, kind) => served.get(apiVersion)?.has(kind), notes };
}

async function kindsIn(client: KubeClient, apiVersion: string, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resources = expectDiscovery(path, 'APIResourceList', await client.raw<unknown>(path, signal));
    return new Set(resources.map((each) => String(each['kind'])));
  } catch (error) {
    if (isNotFound(error)) return new Set();
    throw error;
  }
}
