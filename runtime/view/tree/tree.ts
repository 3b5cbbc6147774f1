import { type Forest, forestOf, kindKeyOf, ownerOf, type Wait, waitsOf } from '../model/forest.ts';
import type { Row } from '../model/row.ts';
import type { ReadRows } from '../read/read-rows.ts';
import type { RowKind } from './select.ts';

/** A line of the tree. */
export interface TreeLine {
  readonly row: Row;
  readonly owner: Row | undefined;
  readonly waits: readonly Wait[];
  /** Of each level from the root on: whether it is the last of its siblings. Empty for a root. */
  readonly branches: readonly boolean[];
}

/** The objects to print: everything, the objects of a kind, or one object. */
export interface TreeSelection {
  readonly kind?: RowKind;
  readonly name?: string;
}

/** Owners that are shown above an object. */
const mostOwners = 40;

/**
 * The lines of the tree: each root with all that it owns. Of a chosen object also the chain of its owners, without
 * their other objects. Undefined if the chosen object does not exist.
 */
export function treeLines(read: ReadRows, { kind, name }: TreeSelection): TreeLine[] | undefined {
  const byId = new Map(read.rows.map((row) => [row.id, row]));
  const find = (id: string) => byId.get(id);
  const isListed = (id: string) => read.listed.has(kindKeyOf(id));
  const forest = forestOf(read.rows, find);
  const chosen = kind && read.rows.filter((row) => row.group === kind.group && row.kind === kind.kind);
  const found = name === undefined ? chosen : chosen?.filter((row) => row.name === name);
  if (name !== undefined && found?.length === 0) return undefined;
  const lines: TreeLine[] = [];
  const line = (row: Row, branches: readonly boolean[]) =>
    lines.push({ row, owner: ownerOf(row, find), waits: waitsOf(row, find, isListed), branches });
  if (!found) for (const root of forest.roots) addSubtree(forest, root, [], line);
  for (const row of found ?? []) {
    const owners = ownersOf(row, find);
    for (const [level, owner] of owners.entries()) line(owner, Array(level).fill(true));
    addSubtree(forest, row, Array(owners.length).fill(true), line);
  }
  return lines;
}

/** The owners of a row, the root first. */
function ownersOf(row: Row, find: (id: string) => Row | undefined): Row[] {
  const owners: Row[] = [];
  for (let owner = ownerOf(row, find); owner && owners.length < mostOwners; owner = ownerOf(owner, find)) {
    if (owner === row || owners.includes(owner)) break;
    owners.unshift(owner);
  }
  return owners;
}

/** Without recursion: a tenant decides how deep the owners go. */
function addSubtree(
  forest: Forest,
  root: Row,
  branches: readonly boolean[],
  add: (row: Row, branches: readonly boolean[]) => void,
): void {
  const open: { readonly row: Row; readonly branches: readonly boolean[] }[] = [{ row: root, branches }];
  const seen = new Set<string>();
  for (let next = open.pop(); next; next = open.pop()) {
    const { row, branches: above } = next;
    if (seen.has(row.id)) continue;
    seen.add(row.id);
    add(row, above);
    const children = forest.childrenOf(row);
    // Deeper levels are not indented, so that the table stays linear in the number of objects.
    const below = above.slice(0, mostOwners);
    for (const [index, child] of [...children.entries()].reverse()) {
      open.push({ row: child, branches: [...below, index === children.length - 1] });
    }
  }
}

/** The tree as data: `objects` in its order, `notListed` the kinds that the caller may not list. */
export interface TreeData {
  readonly objects: readonly object[];
  readonly notListed: readonly string[];
}

/** The lines as data. */
export function treeData(lines: readonly TreeLine[], notListed: readonly string[]): TreeData {
  const objects = lines.map(({ row: { links, ...row }, owner, waits }) => ({
    ...row,
    ...(owner && { owner: owner.id }),
    waitsFor: waits.map(({ link, why }) => ({ id: link.to, why })),
  }));
  return { objects, notListed };
}
