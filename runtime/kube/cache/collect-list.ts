import { paginate } from '../client/paginate.ts';
import type { KubeClient, KubeObject, ListOptions, ResourceType } from '../client/types.ts';

/** The result of one complete LIST. */
export interface CompleteList {
  /** Identities of the objects that the cache keeps. */
  readonly seen: ReadonlySet<string>;
  /** The resourceVersion to watch from. */
  readonly position: string | undefined;
}

/** Reads a whole list, page by page, and gives each object to `put`, which says whether the cache keeps it. */
export async function collectList<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType,
  options: Omit<ListOptions, 'continue'>,
  target: { readonly put: (object: T) => string | undefined; readonly onPage: () => void },
): Promise<CompleteList> {
  const seen = new Set<string>();
  let position: string | undefined;
  for await (const page of paginate<T>(client, type, options)) {
    target.onPage();
    if (page.fresh) {
      seen.clear();
      // Later pages may be newer: a watch from the first page repeats changes, and loses none.
      position = page.resourceVersion;
    }
    for (const item of page.items) {
      const kept = target.put(item);
      if (kept !== undefined) seen.add(kept);
    }
  }
  return { seen, position };
}

/** The identity of an object in a list: its uid, or its key without one. */
export function identityOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`;
}

/**
 * Whether the API server's versions went back, as after a restore of etcd. Numbers alone can be compared (Kubernetes API
 * concepts, "Resource version semantics").
 */
export function wentBack(before: string | undefined, now: string | undefined): boolean {
  const number = /^\d{1,20}$/;
  return (
    before !== undefined && now !== undefined && number.test(before) && number.test(now) && BigInt(now) < BigInt(before)
  );
}

/** Whether a list lacks so much of the cache that a second one has to confirm it: half or more of two or more objects. */
export function needsConfirmation({ kept, missing }: { readonly kept: number; readonly missing: number }): boolean {
  return kept >= 2 && missing * 2 >= kept;
}
