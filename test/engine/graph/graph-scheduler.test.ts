import { expect, test } from '@jest/globals';
import { type NodeRecord, planGraph } from '../../../runtime/engine/graph/index.ts';
import { graph, node, reached, run, started, succeed } from './graph-support.ts';

test('a node starts when its dependencies are in sync, the longest chain first', () => {
  const here = run(graph([node('alone'), node('net'), node('nic', ['net']), node('vm', ['nic'])]));
  expect(here.view('vm')).toMatchObject({ state: 'Waiting', waitsFor: ['nic'] });
  expect(started(here)).toEqual(['Create net', 'Create alone']);
  succeed(here, ['net']);
  expect(started(here)).toEqual(['Create nic']);
  expect(started(here)).toEqual([]);
  succeed(here, ['nic', 'alone']);
  expect(started(here)).toEqual(['Create vm']);
  succeed(here, ['vm']);
  expect(here.state).toBe('Succeeded');
  expect(here.ended('vm', { outcome: 'Failed' }, 0)).toBe(false);
});

test('a node waits for dependencies of dependencies that change, though what lies between is in sync', () => {
  const nodes = [node('net'), node('subnet', ['net']), node('vm', ['subnet'])];
  const records = reached(graph(nodes));
  const here = run(
    graph([node('net', [], '', 'v2'), node('subnet', ['net']), node('vm', ['subnet'], '', 'v2')]),
    records,
  );
  expect(started(here)).toEqual(['Modify net']);
  succeed(here, ['net']);
  expect(started(here)).toEqual(['Modify vm']);
});

test('waves follow each other, stages follow each other in a place, and a pause counts from the last end', () => {
  const behind = (...names: readonly string[]) => names.map((group) => ({ group, until: 'Succeeded' as const }));
  const groups = [
    { name: 'east/network' },
    { name: 'east/vm', after: behind('east/network') },
    { name: 'west/network' },
    { name: 'west/vm', after: behind('west/network') },
    { name: 'north/network', after: behind('east/vm', 'west/vm'), pauseMs: 1000 },
    { name: 'north/vm', after: behind('north/network') },
  ];
  const nodes = ['north', 'east', 'west'].flatMap((place) => [
    node(`${place}-vm`, [], `${place}/vm`),
    node(`${place}-net`, [], `${place}/network`),
  ]);
  const here = run(graph(nodes, { groups }));
  expect(here.view('north-net')?.waitsFor).toEqual(['group north/network']);
  expect(started(here)).toEqual(['Create east-net', 'Create west-net']);
  succeed(here, ['east-net']);
  expect(started(here)).toEqual(['Create east-vm']);
  succeed(here, ['east-vm', 'west-net']);
  expect(started(here)).toEqual(['Create west-vm']);
  succeed(here, ['west-vm'], 5000);
  expect(here.next(5000)).toMatchObject({ effects: [], askAt: 6000 });
  const restarted = run(graph(nodes, { groups }), [...here.records.values()]);
  expect(restarted.next(5999)).toMatchObject({ effects: [], askAt: 6000 });
  expect(started(restarted, 6000)).toEqual(['Create north-net']);
});

test('a failure stops the run, or only what depends on it, until a retry', () => {
  const nodes = [node('net'), node('vm', ['net']), node('dns'), node('zone', ['dns'])];
  for (const onFailure of ['Stop', 'Continue'] as const) {
    const here = run(graph(nodes, { onFailure }));
    expect(started(here)).toEqual(['Create net', 'Create dns']);
    here.ended('net', { outcome: 'Failed' }, 0);
    succeed(here, ['dns']);
    expect(started(here)).toEqual(onFailure === 'Stop' ? [] : ['Create zone']);
    if (onFailure === 'Continue') succeed(here, ['zone']);
    expect(here.state).toBe('Failed');
    expect(here.view('net')?.state).toBe('Failed');
    expect(here.view('vm')).toMatchObject({ state: 'Skipped', waitsFor: ['net'] });
    const restarted = run(graph(nodes, { onFailure }), [...here.records.values()]);
    expect(restarted.state).toBe('Failed');
    restarted.retry();
    expect(started(restarted)).toContain('Create net');
  }
});

test('a group behind another one starts after its success, or after its end whatever the outcome', () => {
  for (const until of ['Succeeded', 'Ended'] as const) {
    const groups = [{ name: 'second', after: [{ group: 'first', until }] }];
    const nodes = [node('a', [], 'first'), node('b', [], 'first'), node('c', ['b'], 'first'), node('d', [], 'second')];
    const here = run(graph(nodes, { groups, onFailure: 'Continue' }));
    expect(started(here)).toEqual(['Create b', 'Create a']);
    here.ended('b', { outcome: 'Failed' }, 0);
    expect(started(here)).toEqual([]);
    succeed(here, ['a']);
    expect(started(here)).toEqual(until === 'Ended' ? ['Create d'] : []);
    expect(here.view('d')?.state).toBe(until === 'Ended' ? 'Running' : 'Skipped');
  }
});

test('a barrier of a group without nodes waits for the barriers of that group', () => {
  for (const until of ['Succeeded', 'Ended'] as const) {
    const groups = [
      { name: 'second', after: [{ group: 'first', until }] },
      { name: 'third', after: [{ group: 'second', until }] },
    ];
    const here = run(graph([node('a', [], 'first'), node('c', [], 'third')], { groups }));
    expect(started(here)).toEqual(['Create a']);
    succeed(here, ['a']);
    expect(started(here)).toEqual(['Create c']);
  }
});

test('objects that the desired graph does not have are deleted after what used them', () => {
  const records = reached(graph([node('net'), node('nic', ['net']), node('vm', ['nic'])]));
  const here = run(
    graph(
      [node('vm')].map((each) => ({ ...each, hash: 'v2' })),
      { id: 'g2' },
    ),
    records,
  );
  expect(started(here)).toEqual(['Modify vm']);
  succeed(here, ['vm']);
  expect(started(here)).toEqual(['Delete nic']);
  succeed(here, ['nic']);
  expect(started(here)).toEqual(['Delete net']);
  succeed(here, ['net']);
  expect(here.state).toBe('Succeeded');
  expect([...here.records.keys()]).toEqual(['vm']);
});

test('a deletion waits for the nodes of its group, and no barrier waits for a deletion', () => {
  const groups = [{ name: 'second', after: [{ group: 'first', until: 'Succeeded' as const }] }];
  const old = reached(graph([node('gone', [], 'first')]));
  const here = run(graph([node('a', [], 'first'), node('b', [], 'second')], { id: 'g2', groups }), old);
  expect(started(here)).toEqual(['Create a']);
  succeed(here, ['a']);
  expect(started(here).sort()).toEqual(['Create b', 'Delete gone']);
});

test('records that contradict each other do not keep objects from being deleted', () => {
  const record = (key: string, after: readonly string[]): NodeRecord => {
    return { key, group: '', after, state: 'Succeeded', action: 'Create', hash: 'v1', runId: 'g0', at: 0 };
  };
  const here = run(graph([]), [record('a', ['b']), record('b', ['a']), record('c', ['a', 'c', 'gone'])]);
  expect(started(here)).toEqual(['Delete c', 'Delete b']);
  succeed(here, ['c']);
  expect(started(here)).toEqual(['Delete a']);
});

test('a new desired graph takes over when an effect ends, and a suspended run starts nothing', () => {
  const here = run(graph([node('vm')]));
  expect(started(here)).toEqual(['Create vm']);
  here.setDesired(graph([node('vm', [], '', 'v2'), node('dns')], { id: 'g2' }));
  here.suspend(true);
  expect(started(here)).toEqual([]);
  expect(here.state).toBe('Running');
  succeed(here, ['vm']);
  expect(started(here)).toEqual([]);
  expect(here.state).toBe('Suspended');
  here.suspend(false);
  expect(started(here)).toEqual(['Create dns', 'Modify vm']);
});

test('an effect that a former process started is returned again, without the node where its desired state is gone', () => {
  const here = run(graph([node('vm'), node('dns')]));
  here.next(0);
  const restarted = run(graph([node('vm', [], '', 'v2'), node('dns')], { id: 'g2' }), [...here.records.values()]);
  restarted.suspend(true);
  expect(restarted.next(0).effects).toEqual([
    { key: 'vm', action: 'Create', hash: 'v1', resumed: true },
    { key: 'dns', action: 'Create', hash: 'v1', resumed: true, node: node('dns') },
  ]);
  expect(started(restarted)).toEqual([]);
});

test('a temporary failure is tried again at its time', () => {
  const here = run(graph([node('vm')]));
  started(here);
  here.ended('vm', { outcome: 'Retry', at: 700 }, 100);
  expect(here.next(100)).toMatchObject({ effects: [], askAt: 700 });
  expect(here.state).toBe('Running');
  expect(started(here, 700)).toEqual(['Create vm']);
});

test('an object that is gone is created again, and changed ones are modified within the limit', () => {
  const of = graph([node('a'), node('b'), node('c'), node('d', ['c'])], { maxUnavailable: 1 });
  const here = run(of, reached(of));
  expect(here.lost('c', true)).toBe(true);
  expect(here.lost('c', true)).toBe(false);
  expect([here.lost('a', false), here.lost('b', false), here.lost('b', false)]).toEqual([true, true, false]);
  expect(started(here)).toEqual(['Create c', 'Modify a']);
  succeed(here, ['a']);
  expect(started(here)).toEqual(['Modify b']);
});

test('one changed node moves itself, and what depends on it waits', () => {
  const nodes = [node('net'), node('vm', ['net']), node('dns')];
  const here = run(graph(nodes), reached(graph(nodes)));
  expect(here.state).toBe('Succeeded');
  here.change(node('net', [], '', 'v2'));
  expect(here.view('vm')).toMatchObject({ state: 'Succeeded' });
  here.change(node('vm', ['net'], '', 'v2'));
  expect(here.view('vm')).toMatchObject({ state: 'Waiting', waitsFor: ['net'] });
  expect(started(here)).toEqual(['Modify net']);
  here.ended('net', { outcome: 'Failed' }, 0);
  expect(here.state).toBe('Failed');
  here.change(node('net', [], '', 'v3'));
  here.change(node('new', ['dns', 'vm']));
  expect(started(here)).toEqual(['Modify net']);
  here.change(node('dns', ['vm']));
  expect(() => here.change(node('vm', ['dns']))).toThrow('Dependency cycle: dns => vm => dns');
  succeed(here, ['net']);
  expect(started(here)).toEqual(['Modify vm']);
  here.change(node('vm', [], '', 'v4'));
  succeed(here, ['vm']);
  expect(started(here)).toEqual(['Modify vm']);
  expect(here.records.get('dns')?.after).toEqual(['vm']);
});

test('a graph with a cycle, through barriers too, or with unknown or duplicate names is refused', () => {
  const barrier = [{ name: 'first', after: [{ group: 'second', until: 'Succeeded' as const }] }];
  const cyclic = graph([node('a', [], 'first'), node('b', ['a'], 'second')], { groups: barrier });
  expect(() => run(cyclic)).toThrow(/^Dependency cycle: (a => group first => group second => b => a)/);
  expect(() => run(graph([node('a', ['b']), node('b', ['a'])]))).toThrow('Dependency cycle: a => b => a');
  expect(() => run(graph([node('a', ['b'])]))).toThrow('Node a depends on unknown node b');
  expect(() => run(graph([node('a'), node('a')]))).toThrow('The graph has two nodes a');
  expect(() => run(graph([], { groups: [{ name: 'x' }, { name: 'x' }] }))).toThrow('two groups named x');
  const here = run(graph([node('a')]));
  expect(() => here.setDesired(cyclic)).toThrow('Dependency cycle');
  expect(started(here)).toEqual(['Create a']);
});

test('a plan says what happens to each object, in order', () => {
  const records = reached(graph([node('net'), node('nic', ['net']), node('vm', ['nic']), node('same')]));
  const next = graph([node('vm', ['net'], '', 'v2'), node('net'), node('same'), node('new', ['vm'])]);
  expect(planGraph(next, records).map(({ key, action }) => `${action} ${key}`)).toEqual([
    'None net',
    'None same',
    'Modify vm',
    'Create new',
    'Delete nic',
  ]);
});
