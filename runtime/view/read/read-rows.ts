import { messageOf } from '../../base/errors.ts';
import { forEachAtMost } from '../../base/scheduling/for-each.ts';
import { paginate } from '../../kube/client/paginate.ts';
import { isForbidden, isNotFound } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import type { Row } from '../model/row.ts';
import type { ViewKind } from '../model/view-kinds.ts';

/** All rows that a caller may list, and the kinds that are missing from them. */
export interface ReadRows {
  readonly rows: readonly Row[];
  /** Kinds that were listed, as `group/kind`. */
  readonly listed: ReadonlySet<string>;
  /** Kinds that the caller may not list. */
  readonly forbidden: readonly string[];
  /** Kinds whose list failed otherwise, each with the reason. */
  readonly problems: readonly string[];
}

/** The objects to list. */
export interface ReadOptions {
  /** @default all, and the objects of the cluster */
  readonly namespace?: string | undefined;
  /** Labels as kubectl's `-l` takes them. @default every object */
  readonly labelSelector?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Lists at a time. */
const lists = 8;

/**
 * Lists the objects of each kind, in one namespace or in all; cluster-scoped kinds only with all. A kind that the caller
 * may not list, and a failed list, do not end the others.
 */
export async function readRows(
  client: KubeClient,
  kinds: readonly ViewKind[],
  options: ReadOptions = {},
): Promise<ReadRows> {
  const { namespace, labelSelector, signal } = options;
  const rows: Row[] = [];
  const listed = new Set<string>();
  const forbidden: string[] = [];
  const problems: string[] = [];
  const read = async ({ type, rowsOf }: ViewKind) => {
    let found: Row[] = [];
    try {
      for await (const page of paginate(client, type, {
        ...(namespace !== undefined && { namespace }),
        ...(labelSelector !== undefined && { labelSelector }),
        signal,
      })) {
        if (page.fresh) found = [];
        for (const object of page.items) found.push(...rowsOf(object));
      }
      for (const row of found) rows.push(row);
      listed.add(`${type.group}/${type.kind}`);
    } catch (error) {
      signal?.throwIfAborted();
      if (isForbidden(error)) forbidden.push(type.kind);
      else if (!isNotFound(error)) problems.push(`${type.kind}: ${messageOf(error)}`);
    }
  };
  const wanted = kinds.filter(({ type }) => namespace === undefined || type.namespaced);
  await forEachAtMost(lists, wanted, read);
  return { rows, listed, forbidden: forbidden.sort(), problems: problems.sort() };
}
