import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type DesiredGraph,
  type GraphGroup,
  type GraphNode,
  GraphScheduler,
  type NodeRecord,
  planGraph,
} from '../../../runtime/engine/graph/index.ts';
import { type Fault, GraphWorld } from './graph-world.ts';

const keys = Array.from({ length: 9 }, (_, index) => `n${index}`);
const groupNames = ['a', 'b', 'c'];

/** Any nodes of nine, in any order of dependency, in three groups of which later ones may stand behind earlier ones. */
const graphOf = (id: string) =>
  fc
    .record({
      order: fc.shuffledSubarray(keys),
      edges: fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 12 }),
      hashes: fc.array(fc.constantFrom('v1', 'v2'), { minLength: 9, maxLength: 9 }),
      barriers: fc.subarray(['b', 'c']),
      until: fc.constantFrom('Succeeded' as const, 'Ended' as const),
      pauseMs: fc.constantFrom(0, 700),
      limit: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
      parallelism: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      onFailure: fc.constantFrom('Stop' as const, 'Continue' as const),
    })
    .map(({ order, edges, hashes, barriers, until, pauseMs, limit, parallelism, onFailure }): DesiredGraph => {
      const after = (at: number) =>
        edges.flatMap(([x, y]) => {
          const needed = order[Math.min(x, y)];
          return Math.max(x, y) === at && x !== y && needed !== undefined ? [needed] : [];
        });
      // Groups follow the order, so that barriers do not contradict dependencies.
      const nodes = order.map((key, at): GraphNode => {
        const group = groupNames[Math.floor((at * groupNames.length) / order.length)] ?? '';
        const needed = [...new Set(after(at))];
        return { key, hash: `${hashes[at]} with ${needed}`, after: needed, group };
      });
      const groups = barriers.map((name): GraphGroup => {
        const before = groupNames[groupNames.indexOf(name) - 1] ?? '';
        return { name, after: [{ group: before, until }], pauseMs };
      });
      const limits = { ...(limit && { maxUnavailable: limit }), ...(parallelism && { parallelism }) };
      return { id, nodes, groups, onFailure, ...limits };
    });

const world = fc.record({
  desired: graphOf('g0'),
  faults: fc.array(fc.constantFrom<Fault>('none', 'none', 'retry', 'failed'), { maxLength: 30 }),
  kills: fc.uniqueArray(fc.nat(60), { maxLength: 10 }).map((steps) => new Set(steps)),
  durations: fc.array(fc.nat(5000), { minLength: 1, maxLength: 6 }),
  changes: fc
    .tuple(graphOf('g1'), graphOf('g2'), fc.nat(20_000), fc.nat(20_000), fc.nat(2))
    .map(([one, two, a, b, count]) =>
      [
        { at: Math.min(a, b), desired: one },
        { at: Math.max(a, b), desired: two },
      ].slice(0, count),
    ),
  drifts: fc
    .array(fc.record({ at: fc.nat(20_000), key: fc.constantFrom(...keys), isGone: fc.boolean() }), { maxLength: 4 })
    .map((drifts) => drifts.sort((a, b) => a.at - b.at)),
});

test('any graph becomes as desired through faults, kills, drift and changes, by the rules, and then does nothing', () => {
  let killed = 0;
  let performed = 0;
  fc.assert(
    fc.property(world, (options) => {
      const here = new GraphWorld(options);
      here.settle();
      expect(here.violations).toEqual([]);
      expect(here.isThere()).toBe(true);
      expect(here.secondRun()).toEqual({ records: new Map(), effects: [], askAt: undefined });
      killed += here.killed;
      performed += here.performed;
    }),
    { numRuns: 1000 },
  );
  expect(killed).toBeGreaterThan(500);
  expect(performed).toBeGreaterThan(5000);
});

test('a desired graph without nodes deletes all, each object after those that used it', () => {
  fc.assert(
    fc.property(graphOf('g0'), (desired) => {
      const quiet = { faults: [], kills: new Set<number>(), durations: [100], drifts: [] };
      const empty = { id: 'g1', nodes: [] };
      const here = new GraphWorld({ ...quiet, desired, changes: [{ at: 3_600_000, desired: empty }] });
      here.settle();
      expect(here.violations).toEqual([]);
      expect(here.azure.size).toBe(0);
      expect(here.persisted.size).toBe(0);
      expect(here.performed).toBe(2 * desired.nodes.length);
    }),
    { numRuns: 100 },
  );
});

test('a run does what the plan said, and the plan names inputs first and users of deleted objects before these', () => {
  const performAll = (desired: DesiredGraph, records: readonly NodeRecord[]) => {
    const run = new GraphScheduler(desired, records);
    const actions: string[] = [];
    for (let { effects } = run.next(0); effects.length > 0; { effects } = run.next(0)) {
      for (const { key, action } of effects) {
        actions.push(`${action} ${key}`);
        run.ended(key, { outcome: 'Succeeded' }, 0);
      }
    }
    expect(run.state).toBe('Succeeded');
    return { actions, records: [...run.records.values()] };
  };
  // Pauses need time, which this test does not have.
  const atOnce = (desired: DesiredGraph) => ({
    ...desired,
    groups: desired.groups?.map((group) => ({ ...group, pauseMs: 0 })) ?? [],
  });
  fc.assert(
    fc.property(graphOf('g0'), graphOf('g1'), (before, after) => {
      const { records } = performAll(atOnce(before), []);
      const plan = planGraph(atOnce(after), records);
      const planned = plan.filter(({ action }) => action !== 'None').map(({ key, action }) => `${action} ${key}`);
      expect(performAll(atOnce(after), records).actions.sort()).toEqual(planned.sort());
      const place = new Map(plan.map(({ key }, index) => [key, index]));
      const isBefore = (one: string, other: string) => (place.get(one) ?? 0) < (place.get(other) ?? 0);
      for (const { key, after: inputs } of after.nodes)
        for (const input of inputs) expect(isBefore(input, key)).toBe(true);
      const kept = new Set(after.nodes.map(({ key }) => key));
      for (const { key, after: used } of records) {
        for (const input of used) if (!kept.has(input)) expect(isBefore(key, input)).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});
