import type { Forest } from '../../../view/model/forest.ts';
import { ownerOf } from '../../../view/model/forest.ts';
import type { Link, Row } from '../../../view/model/row.ts';
import type { Model } from '../model.ts';

/** A node of the graph: a row, or an object that a row names and that is not in the list. */
export interface GraphNode {
  readonly id: string;
  readonly row: Row | undefined;
  /** Kind and name. */
  readonly text: string;
}

/** An edge from the owner or the referenced object to the object that needs it. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: Link['type'];
}

/** The nodes and edges to draw. */
export interface GraphContent {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Objects that were left out. */
  readonly left: number;
}

/** Nodes that are drawn. */
export const mostNodes = 200;

/** The graph of some rows, with the objects that they refer to and their owners. */
export function graphOf(rows: readonly Row[], model: Model): GraphContent {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const shown = rows.slice(0, mostNodes);
  const text = (row: Row) => `${row.kind}/${row.name}`;
  for (const row of shown) nodes.set(row.id, { id: row.id, row, text: text(row) });
  for (const row of shown) {
    const owner = ownerOf(row, model.find);
    // Of the kinds that may own it, only one is drawn.
    const owners = row.links.filter(({ type }) => type === 'owner');
    const drawnOwner = owner?.id ?? owners[0]?.to;
    for (const { type, to, text: name } of row.links) {
      if (to === row.id || (type === 'owner' && to !== drawnOwner)) continue;
      if (!nodes.has(to)) {
        if (nodes.size >= mostNodes) continue;
        nodes.set(to, { id: to, row: model.find(to), text: name });
      }
      edges.set(`${to}\n${row.id}`, { from: to, to: row.id, type });
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], left: rows.length - shown.length };
}

/** The rows in their order; where not all can be drawn, those come first that need a person. */
export function drawnFirst(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= mostNodes) return rows;
  const needsSomebody = ({ state }: Row) => state === 'Failed' || state === 'Blocked';
  return [...rows.filter(needsSomebody), ...rows.filter((row) => !needsSomebody(row))];
}

/** The rows around one: its owners, all that it owns, and the rows that it refers to. */
export function rowsAround(row: Row, model: Model, forest: Forest): Row[] {
  const found = new Map<string, Row>([[row.id, row]]);
  for (let owner = ownerOf(row, model.find); owner && !found.has(owner.id); owner = ownerOf(owner, model.find)) {
    found.set(owner.id, owner);
  }
  const open = [row];
  for (let next = open.pop(); next && found.size < 2 * mostNodes; next = open.pop()) {
    for (const child of forest.childrenOf(next)) {
      if (!found.has(child.id)) open.push(child);
      found.set(child.id, child);
    }
  }
  for (const { to } of row.links) {
    const other = model.find(to);
    if (other) found.set(to, other);
  }
  return [...found.values()];
}
