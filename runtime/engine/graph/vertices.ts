import { findCycle } from '../../base/cycle.ts';
import { AzimuthError } from '../../base/errors.ts';
import { describeCycle } from '../graph.ts';
import { type DesiredGraph, type GraphGroup, type GraphNode, isInSync, type NodeRecord } from './desired-graph.ts';

/** The progress of a vertex. `Dead`: it failed, or needs one that did. */
export type Phase = 'Waiting' | 'Ready' | 'UnderWay' | 'Done' | 'Dead';

/** The subject of a vertex: an object, or a moment of a group. A moment is done without an effect. */
export type VertexKind =
  /** A node of the desired graph, or an object that the graph does not have and that is deleted. */
  | 'Object'
  /** The barriers of a group are open. */
  | 'Open'
  /** All nodes of a group are in sync. */
  | 'Succeeded'
  /** No node of a group can change any more. */
  | 'Ended';

/** A vertex of the graph that a run walks. Counts and phases belong to the run. */
export interface Vertex {
  readonly kind: VertexKind;
  /** Key of the object, or name of the group. */
  readonly key: string;
  readonly group: string;
  /** The node of the desired graph; undefined for a deletion and for moments of groups. */
  node: GraphNode | undefined;
  after: Vertex[];
  dependents: Vertex[];
  /** Vertices of `after` have smaller numbers; -1 until it has a place in the order. */
  position: number;
  /** Weight of the longest chain from here to an end. */
  height: number;
  phase: Phase;
  /** Vertices of `after` that are not Done. */
  missing: number;
  /** Vertices of `after` that are Dead. */
  dead: number;
  /** Grows with each entry into a queue, so that older entries do not count. */
  ticket: number;
  /** Nothing happens before that time, milliseconds since the epoch; 0 when it is over. */
  notBefore: number | undefined;
}

/** The vertices of a desired graph and of the objects that are deleted. */
export interface Vertices {
  /** By key: nodes, and objects to delete. */
  readonly objects: Map<string, Vertex>;
  /** All vertices, each after those that it needs. */
  readonly order: readonly Vertex[];
  /** By name: the groups of the desired graph. */
  readonly groups: ReadonlyMap<string, GraphGroup>;
}

/**
 * Builds the vertices of a desired graph. Deletions come after everything that has used the object, and after all nodes of its group.
 * Throws AZ_PIPELINE_INVALID for a duplicate or unknown name, AZ_GRAPH_CYCLE for a cycle through nodes and barriers.
 */
export function buildVertices(desired: DesiredGraph, records: ReadonlyMap<string, NodeRecord>): Vertices {
  const objects = new Map<string, Vertex>();
  const vertices: Vertex[] = [];
  for (const node of desired.nodes) {
    if (objects.has(node.key)) throw new AzimuthError('AZ_PIPELINE_INVALID', `The graph has two nodes ${node.key}`);
    const vertex = newVertex('Object', node.key, node.group, node);
    objects.set(node.key, vertex);
    vertices.push(vertex);
  }
  for (const vertex of vertices) {
    for (const key of unique(vertex.node?.after ?? [])) link(vertex, nodeOf(objects, key, vertex.key));
  }
  const deletions: Vertex[] = [];
  for (const { key, group } of records.values()) if (!objects.has(key)) deletions.push(newVertex('Object', key, group));
  const moments = linkGroups(desired, vertices, deletions);
  const { order, left } = ordering([...vertices, ...moments]);
  if (left.length > 0) throw new AzimuthError('AZ_GRAPH_CYCLE', describeCycle(cycleAmong(left)));
  number(order, 0);
  if (deletions.length > 0) {
    for (const vertex of deletions) objects.set(vertex.key, vertex);
    const last = orderDeletions(objects, deletions, records);
    number(last, order.length);
    for (const vertex of last) order.push(vertex);
  }
  for (let index = order.length - 1; index >= 0; index--) {
    const vertex = order[index] as Vertex;
    let below = 0;
    for (const { height } of vertex.dependents) below = Math.max(below, height);
    vertex.height = below + weightOf(vertex, records);
    vertex.missing = vertex.after.length;
  }
  return { objects, order, groups: new Map((desired.groups ?? []).map((group) => [group.name, group])) };
}

/**
 * Gives a node other dependencies if each of them comes before it already, so that no cycle can arise. False, and no
 * change, otherwise.
 */
export function relink(objects: ReadonlyMap<string, Vertex>, vertex: Vertex, keys: readonly string[]): boolean {
  const selected = new Set<Vertex>();
  for (const key of keys) selected.add(nodeOf(objects, key, vertex.key));
  for (const { position } of selected) if (position >= vertex.position) return false;
  const former = new Set(vertex.after);
  for (const other of former) {
    if (other.kind !== 'Object') selected.add(other);
    else if (!selected.has(other)) other.dependents = other.dependents.filter((each) => each !== vertex);
  }
  for (const other of selected) if (!former.has(other)) other.dependents.push(vertex);
  vertex.after = [...selected];
  vertex.missing = vertex.after.filter(({ phase }) => phase !== 'Done').length;
  vertex.dead = vertex.after.filter(({ phase }) => phase === 'Dead').length;
  return true;
}

/** How messages name a vertex. */
export function nameOf({ kind, key }: Vertex): string {
  return kind === 'Object' ? key : `group ${key}`;
}

function idOf({ kind, key }: Vertex): string {
  return `${kind} ${key}`;
}

function newVertex(kind: VertexKind, key: string, group: string, node?: GraphNode): Vertex {
  return {
    kind,
    key,
    group,
    node,
    after: [],
    dependents: [],
    position: -1,
    height: 0,
    phase: 'Waiting',
    missing: 0,
    dead: 0,
    ticket: 0,
    notBefore: undefined,
  };
}

function unique(keys: readonly string[]): Iterable<string> {
  return keys.length > 1 ? new Set(keys) : keys;
}

function link(vertex: Vertex, needed: Vertex): void {
  vertex.after.push(needed);
  needed.dependents.push(vertex);
}

function number(vertices: readonly Vertex[], from: number): void {
  let position = from;
  for (const vertex of vertices) vertex.position = position++;
}

function nodeOf(objects: ReadonlyMap<string, Vertex>, key: string, by: string): Vertex {
  const vertex = objects.get(key);
  if (vertex?.node) return vertex;
  throw new AzimuthError('AZ_PIPELINE_INVALID', `Node ${by} depends on unknown node ${key}`);
}

/** Links nodes and deletions with the moments of their groups that something waits for; returns these moments. */
function linkGroups(
  { groups = [] }: DesiredGraph,
  nodes: readonly Vertex[],
  deletions: readonly Vertex[],
): readonly Vertex[] {
  const byGroup = new Map<string, Partial<Record<VertexKind, Vertex>>>();
  const moments: Vertex[] = [];
  const moment = (kind: VertexKind, name: string): Vertex => {
    const groupVertices = byGroup.get(name) ?? {};
    byGroup.set(name, groupVertices);
    const vertex = groupVertices[kind] ?? newVertex(kind, name, name);
    if (!groupVertices[kind]) moments.push(vertex);
    groupVertices[kind] = vertex;
    return vertex;
  };
  const names = new Set<string>();
  for (const { name, after = [] } of groups) {
    if (names.has(name)) throw new AzimuthError('AZ_PIPELINE_INVALID', `The graph has two groups named ${name}`);
    names.add(name);
    const barriers = new Set(after.map(({ group, until }) => moment(until, group)));
    for (const barrier of barriers) link(moment('Open', name), barrier);
  }
  for (const vertex of deletions) link(vertex, moment('Succeeded', vertex.group));
  for (const vertex of nodes) {
    const { Open, Succeeded, Ended } = byGroup.get(vertex.group) ?? {};
    if (Open) link(vertex, Open);
    if (Succeeded) link(Succeeded, vertex);
    if (Ended) link(Ended, vertex);
  }
  for (const { Open, Succeeded, Ended } of byGroup.values()) {
    // The end of a group without nodes comes behind its barriers too.
    if (Open && Succeeded) link(Succeeded, Open);
    if (Open && Ended) link(Ended, Open);
  }
  return moments;
}

/** Links each deletion with all that may use the object, and orders them. */
function orderDeletions(
  objects: ReadonlyMap<string, Vertex>,
  deletions: readonly Vertex[],
  records: ReadonlyMap<string, NodeRecord>,
): Vertex[] {
  for (const { key, after } of records.values()) {
    const user = objects.get(key);
    for (const used of unique(after)) {
      const vertex = objects.get(used);
      if (user && vertex && !vertex.node && vertex !== user) link(vertex, user);
    }
  }
  const { order, left } = ordering(deletions);
  // Records of several runs may contradict each other: such objects are deleted in any order.
  const cyclic = new Set(left);
  for (const vertex of left) {
    vertex.after = vertex.after.filter((other) => !cyclic.has(other));
    vertex.dependents = vertex.dependents.filter((other) => !cyclic.has(other));
  }
  return [...order, ...left];
}

/** The names along a cycle among the vertices. */
function cycleAmong(vertices: readonly Vertex[]): string[] {
  const byId = new Map(vertices.map((vertex) => [idOf(vertex), vertex]));
  const edges = (id: string) => [...(byId.get(id)?.after ?? [])].map(idOf).filter((to) => byId.has(to));
  const names = (findCycle(byId.keys(), edges) ?? []).flatMap((id) => byId.get(id) ?? []).map(nameOf);
  return names.filter((name, index) => name !== names[index - 1]);
}

/** The vertices, each after those of them that it needs, and those that are in a cycle or behind one. */
function ordering(vertices: readonly Vertex[]): { readonly order: Vertex[]; readonly left: Vertex[] } {
  const order: Vertex[] = [];
  for (const vertex of vertices) {
    vertex.missing = 0;
    for (const { position } of vertex.after) if (position < 0) vertex.missing++;
    if (vertex.missing === 0) order.push(vertex);
  }
  for (const vertex of order) {
    for (const dependent of vertex.dependents) {
      if (dependent.position < 0 && --dependent.missing === 0) order.push(dependent);
    }
  }
  return { order, left: order.length < vertices.length ? vertices.filter(({ missing }) => missing > 0) : [] };
}

/** An object in sync takes no time. */
function weightOf({ kind, key, node }: Vertex, records: ReadonlyMap<string, NodeRecord>): number {
  if (kind !== 'Object') return 0;
  return node ? (isInSync(node, records.get(key)) ? 0 : (node.weight ?? 1)) : 1;
}
