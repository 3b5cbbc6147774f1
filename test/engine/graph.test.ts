import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Graph } from '../../runtime/engine/index.ts';

const graphOf = (edges: readonly (readonly [from: string, to: string])[]) => {
  const graph = new Graph();
  for (const id of new Set(edges.flat())) {
    graph.set(
      id,
      edges.filter(([from]) => from === id).map(([, to]) => ({ kind: 'reference', to })),
    );
  }
  return graph;
};

test('a cycle is printed whole, in the direction of need', () => {
  const graph = graphOf([
    ['entry', 'a'],
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ]);
  expect(() => graph.order()).toThrow(/^Dependency cycle: (a => b => c => a|b => c => a => b|c => a => b => c)$/);
  expect(graph.cycleThrough('b')).toEqual(['b', 'c', 'a', 'b']);
  expect(graph.cycleThrough('entry')).toBeUndefined();
});

test('a node that needs itself is a cycle', () => {
  expect(graphOf([['a', 'a']]).cycleThrough('a')).toEqual(['a', 'a']);
});

test('who waits for a node is known before the node exists, and by kind of edge', () => {
  const graph = new Graph();
  graph.set('account', [
    { kind: 'owner', to: 'group' },
    { kind: 'secret', to: 'password' },
  ]);
  graph.set('vault', [{ kind: 'owner', to: 'group' }]);
  expect(graph.has('group')).toBe(false);
  expect(graph.dependents('group').sort()).toEqual(['account', 'vault']);
  expect(graph.dependents('password', 'owner')).toEqual([]);
  expect(graph.dependents('password', 'secret', 'config')).toEqual(['account']);
});

test('replacing the edges of a node forgets the old ones', () => {
  const graph = new Graph();
  graph.set('a', [{ kind: 'owner', to: 'b' }]);
  graph.set('a', [{ kind: 'owner', to: 'c' }]);
  expect(graph.dependents('b')).toEqual([]);
  graph.delete('a');
  expect(graph.dependents('c')).toEqual([]);
  expect(graph.nodes()).toEqual([]);
});

test('any acyclic graph is ordered with every need first, and any added back edge is found as a cycle', () => {
  const shape = fc
    .array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 60 })
    .map((pairs) =>
      pairs.filter(([a, b]) => a !== b).map(([a, b]) => [`n${Math.max(a, b)}`, `n${Math.min(a, b)}`] as const),
    );
  fc.assert(
    fc.property(shape, fc.nat(), (edges, pick) => {
      const order = graphOf(edges).order();
      for (const [from, to] of edges) expect(order.indexOf(to)).toBeLessThan(order.indexOf(from));
      const back = edges[pick % Math.max(1, edges.length)];
      if (!back) return;
      const cyclic = graphOf([...edges, [back[1], back[0]]]);
      expect(() => cyclic.order()).toThrow(/^Dependency cycle: /);
      const cycle = cyclic.cycleThrough(back[0]) ?? [];
      expect(cycle[0]).toBe(cycle.at(-1));
      for (const [index, id] of cycle.slice(0, -1).entries()) {
        expect(cyclic.dependencies(id).map(({ to }) => to)).toContain(cycle[index + 1]);
      }
    }),
  );
});
