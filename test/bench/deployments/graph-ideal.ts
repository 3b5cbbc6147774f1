import type { BucketUse } from '../../../runtime/base/scheduling/token-bucket.ts';
import { bucketsOf, type Fleet, type FleetNode } from './graph-fleet.ts';

/**
 * A time that no scheduler can beat, however much it knows: of the longest chain, of the work divided by the slots, and
 * of each token bucket from empty, unless there are enough `tokens`. Milliseconds. It shares no code with the engine.
 */
export function lowerBoundMs(fleet: Fleet, { tokens = true } = {}): number {
  const { parallelism = Number.POSITIVE_INFINITY } = fleet.goal;
  const usesOf = ({ key }: FleetNode) => (tokens ? bucketsOf(fleet, key, 'Create') : []);
  const head = heads(fleet, usesOf);
  const tail = tails(fleet);
  const nodes = [...fleet.nodes.values()];
  const of = (times: ReadonlyMap<string, number>, { key }: FleetNode) => times.get(key) ?? 0;
  const bounds = nodes.map((node) => of(head, node) + of(tail, node));
  // Work that starts late, and work that is followed by much, keep the slots busy that long.
  let work = 0;
  for (const node of nodes.toSorted((a, b) => of(head, b) - of(head, a))) {
    work += node.durationMs;
    bounds.push(of(head, node) + work / parallelism);
  }
  work = 0;
  const rest = (node: FleetNode) => of(tail, node) - node.durationMs;
  for (const node of nodes.toSorted((a, b) => rest(b) - rest(a))) {
    work += node.durationMs;
    bounds.push(work / parallelism + rest(node));
  }
  const users = new Map<string, { readonly perMs: number; readonly tails: number[] }>();
  for (const node of nodes) {
    for (const { key, size } of usesOf(node)) {
      const bucket = users.get(key) ?? { perMs: size.refillPerSecond / 1000, tails: [] };
      bucket.tails.push(of(tail, node));
      users.set(key, bucket);
    }
  }
  for (const { perMs, tails: after } of users.values()) {
    after.sort((a, b) => b - a);
    for (const [index, ms] of after.entries()) bounds.push((index + 1) / perMs + ms);
  }
  let longest = 0;
  for (const bound of bounds) longest = Math.max(longest, bound);
  return longest;
}

/** When each node can start at the earliest: after its dependencies, and with the first token of its buckets. */
function heads(fleet: Fleet, usesOf: (node: FleetNode) => readonly BucketUse[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const node of inOrder(fleet)) {
    const tokens = usesOf(node).map(({ size }) => 1000 / size.refillPerSecond);
    const inputs = node.after.map((key) => (found.get(key) ?? 0) + (fleet.nodes.get(key)?.durationMs ?? 0));
    found.set(node.key, Math.max(0, ...tokens, ...inputs));
  }
  return found;
}

/** The longest chain from the start of each node on. */
function tails(fleet: Fleet): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const node of inOrder(fleet).toReversed()) {
    const own = node.durationMs + (found.get(node.key) ?? 0);
    found.set(node.key, own);
    for (const key of node.after) found.set(key, Math.max(found.get(key) ?? 0, own));
  }
  return found;
}

function inOrder(fleet: Fleet): FleetNode[] {
  const seen = new Set<string>();
  const order: FleetNode[] = [];
  const pending = [...fleet.nodes.values()].toReversed();
  while (pending.length > 0) {
    const node = pending.at(-1) as FleetNode;
    const first = node.after.flatMap((key) => (seen.has(key) ? [] : (fleet.nodes.get(key) ?? [])));
    if (seen.has(node.key) || first.length === 0) {
      pending.pop();
      if (!seen.has(node.key)) order.push(node);
      seen.add(node.key);
    } else pending.push(...first);
  }
  return order;
}
