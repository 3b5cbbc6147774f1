import { findCycle } from '../base/cycle.ts';
import { AzimuthError } from '../base/errors.ts';

/** Why one node needs another. */
export type EdgeKind = 'owner' | 'reference' | 'secret' | 'config' | 'feature' | 'explicit';

/** A dependency of a node. */
export interface Edge {
  readonly kind: EdgeKind;
  /** Id of the node that is needed; it may not exist yet. */
  readonly to: string;
}

/** A bound of the edges in a graph of many owners. */
export interface EdgeBound {
  /** Whose edges those of a node are, such as a namespace. */
  readonly shareOf: (id: string) => string;
  /** Most edges of one share; one takes about 400 bytes. */
  readonly most: number;
}

/** Edges that a search for a cycle follows: 200,000 take 40 ms, in which nothing else runs. */
const mostFollowed = 10_000;

/**
 * The dependency graph. The host chooses the ids of the nodes. Edges may point at nodes that do not exist yet; the
 * host enqueues the `dependents` of such a node when it appears.
 */
export class Graph {
  readonly #edges = new Map<string, readonly Edge[]>();
  readonly #reverse = new Map<string, Map<string, readonly EdgeKind[]>>();
  readonly #bound: EdgeBound | undefined;
  /** Edges by share, where there is a bound. */
  readonly #counts = new Map<string, number>();

  /** @param bound - of the edges of one share; none by default */
  constructor(bound?: EdgeBound) {
    this.#bound = bound;
  }

  /**
   * Adds the node, or replaces all of its edges. Throws AZ_BUDGET_SPENT, and leaves the node as it was, where its share
   * would have more edges than the bound.
   */
  set(id: string, edges: readonly Edge[] = []): void {
    this.#check(id, edges.length);
    this.#unlink(id);
    this.#edges.set(id, edges);
    this.#count(id, edges.length);
    for (const { to, kind } of edges) {
      const from = this.#reverse.get(to) ?? new Map<string, readonly EdgeKind[]>();
      const targets = from.get(id) ?? [];
      if (!targets.includes(kind)) from.set(id, [...targets, kind]);
      this.#reverse.set(to, from);
    }
  }

  /** Removes the node and its edges; edges from other nodes to it stay. */
  delete(id: string): void {
    this.#unlink(id);
    this.#edges.delete(id);
  }

  has(id: string): boolean {
    return this.#edges.has(id);
  }

  nodes(): string[] {
    return [...this.#edges.keys()];
  }

  /** The direct dependencies of the node. */
  dependencies(id: string): readonly Edge[] {
    return this.#edges.get(id) ?? [];
  }

  /**
   * The nodes that depend on the node directly, by any edge or by one of the given kinds; whether or not the node
   * exists.
   */
  dependents(id: string, ...kinds: readonly EdgeKind[]): string[] {
    const dependants = [...(this.#reverse.get(id) ?? [])];
    return dependants
      .filter(([, has]) => kinds.length === 0 || kinds.some((kind) => has.includes(kind)))
      .map(([from]) => from);
  }

  /**
   * A cycle through `id`, as `[id, …, id]` along the edges; undefined if there is none, or none within 10,000 edges.
   */
  cycleThrough(id: string): string[] | undefined {
    const cameFrom = new Map<string, string>();
    const pending = [id];
    let followed = 0;
    for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
      for (const { to } of this.dependencies(current)) {
        if (++followed > mostFollowed) return undefined;
        if (to === id) {
          const path = [id];
          for (let at: string | undefined = current; at !== undefined && at !== id; at = cameFrom.get(at))
            path.push(at);
          return [id, ...path.reverse()];
        }
        if (!cameFrom.has(to)) {
          cameFrom.set(to, current);
          pending.push(to);
        }
      }
    }
    return undefined;
  }

  /** All nodes, each after its dependencies. Throws AZ_GRAPH_CYCLE, which prints the whole cycle. */
  order(): string[] {
    const needed = new Map(this.nodes().map((id) => [id, this.#known(id).size]));
    const ordered = this.nodes().filter((id) => needed.get(id) === 0);
    for (const id of ordered) {
      for (const dependent of this.dependents(id)) {
        const left = (needed.get(dependent) ?? 0) - 1;
        needed.set(dependent, left);
        if (left === 0) ordered.push(dependent);
      }
    }
    if (ordered.length < needed.size) {
      const cycle = findCycle(this.nodes(), (id) => this.dependencies(id).map(({ to }) => to));
      throw new AzimuthError('AZ_GRAPH_CYCLE', describeCycle(cycle ?? []));
    }
    return ordered;
  }

  #known(id: string): Set<string> {
    return new Set(
      this.dependencies(id)
        .map(({ to }) => to)
        .filter((to) => this.has(to)),
    );
  }

  #check(id: string, edges: number): void {
    if (!this.#bound) return;
    const { shareOf, most } = this.#bound;
    const share = shareOf(id);
    const before = this.dependencies(id).length;
    if (edges <= before || (this.#counts.get(share) ?? 0) - before + edges <= most) return;
    throw new AzimuthError(
      'AZ_BUDGET_SPENT',
      `The objects of ${share} name other objects more than ${most} times: split them over several namespaces`,
    );
  }

  #count(id: string, change: number): void {
    if (!this.#bound || change === 0) return;
    const share = this.#bound.shareOf(id);
    const count = (this.#counts.get(share) ?? 0) + change;
    if (count > 0) this.#counts.set(share, count);
    else this.#counts.delete(share);
  }

  #unlink(id: string): void {
    this.#count(id, -this.dependencies(id).length);
    for (const { to } of this.dependencies(id)) {
      const from = this.#reverse.get(to);
      from?.delete(id);
      if (from?.size === 0) this.#reverse.delete(to);
    }
  }
}

/** Nodes of a cycle that a message names. */
const mostShown = 50;

/** `Dependency cycle: a => b => a`; of a long one the first 49 nodes and the last. */
export function describeCycle(cycle: readonly string[]): string {
  const left = cycle.length - mostShown;
  const shown = left > 0 ? [...cycle.slice(0, mostShown - 1), `${left} more`, ...cycle.slice(-1)] : cycle;
  return `Dependency cycle: ${shown.join(' => ')}`;
}
