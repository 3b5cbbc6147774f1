import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeCycle, Graph } from '../../runtime/engine/index.ts';

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

test('edges of a share are bounded, and those of another one are not', () => {
  const graph = new Graph({ shareOf: (id) => id.split('/')[0] ?? '', most: 3 });
  const to = (...names: string[]) => names.map((name) => ({ kind: 'reference' as const, to: name }));
  graph.set('a/1', to('a/x', 'a/y'));
  expect(() => graph.set('a/2', to('a/x', 'a/y'))).toThrow('The objects of a name other objects more than 3 times');
  expect(graph.dependents('a/x')).toEqual(['a/1']);
  graph.set('b/1', to('b/x', 'b/y'));
  // Fewer edges than before are always accepted, and make room.
  graph.set('a/1', to('a/x'));
  graph.set('a/2', to('a/x', 'a/y'));
  graph.delete('a/2');
  graph.set('a/3', to('a/x', 'a/y'));
  expect(graph.dependents('a/x')).toEqual(['a/1', 'a/3']);
});

test('the search for a cycle ends after 10,000 edges, and a message names fifty nodes', () => {
  const graph = new Graph();
  const ring = (name: string, size: number) => {
    for (let at = 0; at < size; at++) {
      graph.set(`${name}${at}`, [{ kind: 'owner', to: `${name}${(at + 1) % size}` }]);
    }
  };
  ring('short', 100);
  ring('long', 20_000);
  const cycle = graph.cycleThrough('short0') ?? [];
  expect(cycle).toHaveLength(101);
  expect(describeCycle(cycle)).toMatch(/^Dependency cycle: short0 => short1 => .* => short48 => 51 more => short0$/);
  expect(graph.cycleThrough('long0')).toBeUndefined();
});
