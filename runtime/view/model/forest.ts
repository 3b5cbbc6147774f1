import type { Link, Row } from './row.ts';

/** Finds a row by its id. */
export type FindRow = (id: string) => Row | undefined;

/** An object that another one waits for. */
export interface Wait {
  readonly link: Link;
  readonly why: 'is missing' | 'is not ready' | 'is needed';
}

/** The row of the owner; undefined for a root, and for an owner that is not listed. */
export function ownerOf(row: Row, find: FindRow): Row | undefined {
  for (const { type, to } of row.links) {
    const owner = type === 'owner' && to !== row.id ? find(to) : undefined;
    if (owner) return owner;
  }
  return undefined;
}

/**
 * The waits of a row that is not ready: owners and references that are missing or not ready, and the Secret or
 * ConfigMap that its reason names, which nobody lists. `isListed` says whether the objects of a group and kind are known.
 */
export function waitsOf(row: Row, find: FindRow, isListed: (id: string) => boolean): Wait[] {
  if (row.state === 'Ready' || row.state === 'Deleting' || row.state === 'Failed') return [];
  const owner = ownerOf(row, find);
  return row.links.flatMap((link): Wait[] => {
    if (link.type === 'secret') return row.reason === 'SecretNotFound' ? [{ link, why: 'is needed' }] : [];
    if (link.type === 'configMap') return row.reason === 'ConfigMapNotFound' ? [{ link, why: 'is needed' }] : [];
    if (link.to === row.id) return [];
    const other = find(link.to);
    // Of several kinds that may own the object, the owner is of the first that exists.
    if (link.type === 'owner' && owner && other !== owner) return [];
    if (!other) return isListed(link.to) ? [{ link, why: 'is missing' }] : [];
    return other.state === 'Ready' || hasNoState(other) ? [] : [{ link, why: 'is not ready' }];
  });
}

/** Whether nothing reports on the object, as on a SecretProviderClass. */
const hasNoState = ({ state, reason }: Row) => state === 'Unknown' && reason === noConditions;

/** Reason of a row without any condition. */
export const noConditions = 'NoConditions';

/** Rows by owner. Each row is in exactly one list: below its owner, or among the roots. */
export interface Forest {
  readonly roots: readonly Row[];
  childrenOf(row: Row): readonly Row[];
}

/**
 * The owner trees of rows, sorted by namespace, kind and name. Owners that form a circle, which a tenant can write, are
 * cut at their first row. Linear in rows and links.
 */
export function forestOf(rows: readonly Row[], find: FindRow): Forest {
  const children = new Map<string, Row[]>();
  const roots: Row[] = [];
  const sorted = [...rows].sort(compareRows);
  for (const row of sorted) {
    const owner = ownerOf(row, find);
    if (!owner) roots.push(row);
    else if (children.has(owner.id)) children.get(owner.id)?.push(row);
    else children.set(owner.id, [row]);
  }
  const reached = new Set<string>();
  const reach = (start: Row) => {
    const open = [start];
    for (let row = open.pop(); row; row = open.pop()) {
      if (reached.has(row.id)) continue;
      reached.add(row.id);
      open.push(...(children.get(row.id) ?? []));
    }
  };
  for (const root of roots) reach(root);
  for (const row of sorted) {
    if (reached.has(row.id)) continue;
    const owner = ownerOf(row, find);
    const siblings = owner && children.get(owner.id);
    if (siblings) siblings.splice(siblings.indexOf(row), 1);
    roots.push(row);
    reach(row);
  }
  return { roots, childrenOf: ({ id }) => children.get(id) ?? [] };
}

/** Order of rows for people: namespace, kind, name. */
export function compareRows(a: Row, b: Row): number {
  return compare(a.namespace, b.namespace) || compare(a.kind, b.kind) || compare(a.name, b.name);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Group and kind of a row's id, to ask whether they are listed. */
export function kindKeyOf(id: string): string {
  return id.split('/', 2).join('/');
}
