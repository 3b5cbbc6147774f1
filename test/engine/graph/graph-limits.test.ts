import { expect, test } from '@jest/globals';
import { TokenBuckets } from '../../../runtime/engine/graph/index.ts';
import { graph, node, reached, run, started, succeed } from './graph-support.ts';

test('no more objects are out of service than allowed, failed ones included; creations do not count', () => {
  const old = reached(graph(['a', 'b', 'c', 'd'].map((key) => node(key, [], 'vms'))));
  const groups = [{ name: 'vms', maxUnavailable: 2 }];
  const nodes = ['a', 'b', 'c', 'new'].map((key) => node(key, [], 'vms', 'v2'));
  const here = run(graph(nodes, { id: 'g2', groups, onFailure: 'Continue' }), old);
  expect(started(here)).toEqual(['Modify a', 'Modify b', 'Create new']);
  here.ended('a', { outcome: 'Failed' }, 0);
  succeed(here, ['new']);
  expect(started(here)).toEqual([]);
  succeed(here, ['b']);
  expect(started(here)).toEqual(['Modify c']);
  here.ended('c', { outcome: 'Failed' }, 0);
  expect(started(here)).toEqual([]);
  expect(here.state).toBe('Failed');
  expect(here.view('d')?.state).toBe('Skipped');
  here.retry();
  expect(started(here)).toEqual(['Modify a', 'Modify c']);
  succeed(here, ['a', 'c']);
  expect(started(here)).toEqual(['Delete d']);
});

test('where failures hold all places, nothing else is modified, and groups that wait for the end go on', () => {
  const old = reached(graph([node('a', [], 'vms'), node('b', [], 'vms')]));
  const groups = [
    { name: 'vms', maxUnavailable: 1 },
    { name: 'after', after: [{ group: 'vms', until: 'Ended' as const }] },
  ];
  const nodes = [node('a', [], 'vms', 'v2'), node('b', [], 'vms', 'v2'), node('c', [], 'after')];
  const here = run(graph(nodes, { id: 'g2', groups, onFailure: 'Continue' }), old);
  expect(started(here)).toEqual(['Modify a']);
  here.ended('a', { outcome: 'Failed' }, 0);
  expect(here.view('b')?.state).toBe('Skipped');
  expect(started(here)).toEqual(['Create c']);
  succeed(here, ['c']);
  expect(here.state).toBe('Failed');
});

test('objects of an earlier run that are out of service and wait for others do not keep these from starting', () => {
  const old = reached(graph([node('a'), node('b')]));
  const first = run(graph([node('a', [], '', 'v2'), node('b')], { id: 'g2', maxUnavailable: 1 }), old);
  expect(started(first)).toEqual(['Modify a']);
  first.ended('a', { outcome: 'Failed' }, 0);
  const nodes = [node('a', ['b'], '', 'v3'), node('b', [], '', 'v3')];
  const here = run(graph(nodes, { id: 'g3', maxUnavailable: 1 }), [...first.records.values()]);
  expect(started(here)).toEqual(['Modify b']);
  succeed(here, ['b']);
  expect(started(here)).toEqual(['Modify a']);
});

test('parallelism limits a group and the whole, and a restart counts what is under way', () => {
  const nodes = ['a', 'b', 'c'].map((key) => node(key, [], 'one'));
  const of = graph([...nodes, node('d', [], 'two'), node('e', [], 'two')], {
    parallelism: 3,
    groups: [{ name: 'one', parallelism: 1 }],
  });
  const here = run(of);
  expect(started(here)).toEqual(['Create a', 'Create d', 'Create e']);
  const restarted = run(of, [...here.records.values()]);
  expect(restarted.next(0).effects).toMatchObject([
    { key: 'a', resumed: true },
    { key: 'd', resumed: true },
    { key: 'e', resumed: true },
  ]);
  succeed(restarted, ['d', 'e']);
  expect(started(restarted)).toEqual([]);
  succeed(restarted, ['a']);
  expect(started(restarted)).toEqual(['Create b']);
});

test('buckets are empty at the start of a process, and the runs of a process share them', () => {
  const buckets = new TokenBuckets(0);
  const use = { key: 's', size: { capacity: 2, refillPerSecond: 1 } };
  const options = { buckets, bucketsOf: () => [use] };
  const [one, two] = [run(graph([node('a'), node('b')]), [], options), run(graph([node('c')]), [], options)];
  expect(one.next(0)).toMatchObject({ effects: [], askAt: 1000 });
  expect(one.state).toBe('Running');
  expect(started(two, 1000)).toEqual(['Create c']);
  expect(one.next(1000)).toMatchObject({ effects: [], askAt: 2000 });
  expect(started(one, 2000)).toEqual(['Create a']);
  expect(started(one, 60_000)).toEqual(['Create b']);
});

test('a clock that is set back delays nothing by more than it takes to fill a bucket', () => {
  const use = { key: 's', size: { capacity: 2, refillPerSecond: 1 } };
  const hour = 3_600_000;
  const here = run(graph([node('a'), node('b')]), [], { buckets: new TokenBuckets(hour), bucketsOf: () => [use] });
  expect(here.next(hour)).toMatchObject({ effects: [], askAt: hour + 1000 });
  expect(here.next(0)).toMatchObject({ effects: [], askAt: 1000 });
  expect(started(here, 1000)).toEqual(['Create a']);
  expect(started(here, 2000)).toEqual(['Create b']);
});
