import { expect, test } from '@jest/globals';
import { nextRollout, type RolloutObservation } from '../../../runtime/compute/managed-secrets/rollout-plan.ts';
import {
  decodeRollout,
  encodeRollout,
  type RolloutState,
} from '../../../runtime/compute/managed-secrets/rollout-state.ts';
import { orderOf, type RolloutMachine, stepsIn } from '../../../runtime/compute/managed-secrets/rollout-steps.ts';
import { calmRollout, disturbedRollout } from './rollout-histories.ts';

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);
const rules = { regions: ['north'], consumers: [], canaryPercent: undefined, bakeMs: 10 * minute };
const locations = ['west', 'north', 'east'];
const machine = (name: string, location: string, more: Partial<RolloutMachine> = {}): RolloutMachine => ({
  name,
  location,
  number: 1,
  health: 'Well',
  message: '',
  ...more,
});
const all = (number: number): RolloutState => ({
  home: 'west',
  regions: Object.fromEntries(locations.map((each) => [each, number])),
  at: start,
});
const observed = (more: Partial<RolloutObservation>): RolloutObservation => ({
  now: start,
  watchedSince: 0,
  brokenAt: 0,
  rules,
  locations,
  home: 'west',
  target: 2,
  state: all(1),
  copies: new Map(locations.map((each) => [each, 1])),
  machines: [machine('n', 'north'), machine('w', 'west'), machine('e', 'east')],
  ...more,
});
const copied = (...regions: string[]) => new Map(locations.map((each) => [each, regions.includes(each) ? 2 : 1]));

test('a version goes to one region, bakes there, and goes to the next one', () => {
  const begun = nextRollout(observed({}));
  expect(begun).toMatchObject({ changed: true, state: { regions: { north: 2, west: 1, east: 1 } } });
  expect(begun.state.step).toMatchObject({ number: 2, location: 'north', index: 0 });
  const at = (now: number, state: RolloutState, more: Partial<RolloutObservation> = {}) =>
    nextRollout(observed({ now, state, copies: copied('west', 'north'), ...more }));
  expect(nextRollout(observed({ state: begun.state })).waitsFor?.message).toBe('its vault lacks the version');
  expect(at(start, begun.state)).toMatchObject({ phase: 'Rolling', waitsFor: { machine: 'n' }, changed: false });
  const machines = [machine('n', 'north', { number: 2 }), machine('w', 'west'), machine('e', 'east')];
  const baking = at(start, begun.state, { machines });
  expect(baking).toMatchObject({ phase: 'Baking', nextAt: start + 10 * minute, changed: true });
  expect(at(start + 9 * minute, baking.state, { machines })).toMatchObject({ phase: 'Baking', changed: false });
  const next = at(start + 10 * minute, baking.state, { machines });
  expect(next.state.step).toMatchObject({ location: 'west', index: 0 });
  expect(next.state.regions).toEqual({ north: 2, west: 2, east: 1 });
});

test('an ill machine of any region stops a version, and the stop names region, machine and reason', () => {
  const { state } = nextRollout(observed({}));
  expect(state.step?.wellBefore).toEqual(['n', 'w', 'e']);
  const ill = machine('e', 'east', { health: 'Ill', message: '3 of 5 are unhealthy' });
  const machines = [machine('n', 'north', { number: 2 }), ill];
  const stopped = nextRollout(observed({ state, machines, copies: copied('west', 'north') }));
  expect(stopped).toMatchObject({
    phase: 'Stopped',
    waitsFor: { location: 'east', machine: 'e', message: '3 of 5 are unhealthy' },
  });
  // One that was not well before may need the version to heal.
  const before = nextRollout(observed({ machines }));
  expect(before.state.step?.wellBefore).toEqual(['n']);
  expect(nextRollout(observed({ state: before.state, machines, copies: copied('north') })).phase).toBe('Baking');
});

test('a break during the bake starts it again, and a restart of the operator does not', () => {
  const { state } = nextRollout(observed({}));
  const well = { machines: [machine('n', 'north', { number: 2 })], copies: copied('north') };
  const baking = nextRollout(observed({ state, ...well })).state;
  const rolling = { ...well, machines: [machine('n', 'north', { number: 2, health: 'Rolling' })] };
  expect(nextRollout(observed({ state: baking, ...rolling })).state.step?.wellSince).toBeUndefined();
  const now = start + 10 * minute;
  const unknown = { ...well, machines: [machine('n', 'north', { number: undefined, health: 'Unknown' })] };
  expect(nextRollout(observed({ now, watchedSince: now, state: baking, ...unknown }))).toMatchObject({
    changed: false,
  });
  expect(nextRollout(observed({ now, watchedSince: now, state: baking, ...well })).phase).toBe('Baking');
  expect(nextRollout(observed({ now: now + minute, watchedSince: now, state: baking, ...well })).changed).toBe(true);
});

test('a pin to a former version goes back everywhere at once, and a newer version begins anew', () => {
  const going = { ...all(1), regions: { west: 2, north: 2, east: 1 }, step: stepAt('west') };
  const back = nextRollout(observed({ state: going, target: 1 }));
  expect(back).toMatchObject({ phase: 'Done', state: { regions: { west: 1, north: 1, east: 1 } } });
  expect(back.state.step).toBeUndefined();
  const next = nextRollout(observed({ state: going, target: 3 }));
  expect(next.state).toMatchObject({ regions: { west: 2, north: 3, east: 1 }, step: { number: 3, location: 'north' } });
});

const stepAt = (location: string) => ({ number: 2, location, index: 0, wellBefore: [] });

test('canaries of the first region go before named machines, and these before the rest with callers', () => {
  const machines = ['a', 'b', 'c', 'd', 'z'].map((name) => machine(name, 'north'));
  const input = { rules: { ...rules, consumers: ['z', 'c'], canaryPercent: 30 }, state: all(1), machines, locations };
  expect(stepsIn('north', input).map((names) => [...names])).toEqual([['z', 'c']]);
  expect(stepsIn('west', { ...input, machines: machines.map((each) => ({ ...each, location: 'west' })) })).toEqual([
    new Set(['z']),
    new Set(['c']),
  ]);
  const begun = nextRollout(observed({ ...input, state: all(1) }));
  expect(begun.state.regions).toMatchObject({ north: 1 });
  expect(orderOf(rules, locations)).toEqual(['north', 'west', 'east']);
});

test('without a state each region has what its vault has, and an empty one the current version', () => {
  const copies = new Map([
    ['west', 2],
    ['north', undefined],
  ]);
  const { state } = nextRollout(observed({ state: undefined, copies, rules: { ...rules, regions: [] } }));
  expect(state.regions).toEqual({ west: 2, north: 2, east: 2 });
  const behind = nextRollout(observed({ state: undefined, copies: copied('west') }));
  expect(behind.state).toMatchObject({ regions: { west: 2, north: 2, east: 1 }, step: { location: 'north' } });
});

test('a state is read as it was written, and a text of somebody else as none', () => {
  const state = { ...all(3), step: { ...stepAt('north'), wellSince: 5 } };
  expect(decodeRollout(encodeRollout(state))).toEqual(state);
  for (const text of [
    '',
    '{',
    '[]',
    '{"home":"../x","regions":{},"at":1}',
    '{"home":"west","regions":[],"at":"now"}',
  ]) {
    expect(decodeRollout(text)).toBeUndefined();
  }
  const forged = '{"home":"west","regions":{"west":1e9,"north":2,"../":1},"at":1,"step":{"number":-1}}';
  expect(decodeRollout(forged)).toEqual({ home: 'west', regions: { north: 2 }, at: 1 });
});

const histories = 400;

test('whatever falls ill when, no region has a version before its turn, and a healthy version arrives everywhere', () => {
  for (let seed = 1; seed <= histories; seed++) {
    expect({ seed, ...disturbedRollout(seed) }).toEqual({ seed, wrong: [], unfinished: undefined });
  }
});

test('a rollout that nothing disturbs takes little more than its rolls and bake times', () => {
  const sum = { seconds: 0, ideal: 0 };
  for (let seed = 1; seed <= 30; seed++) {
    const { wrong, unfinished, seconds, ideal } = calmRollout(seed);
    expect({ seed, wrong, unfinished }).toEqual({ seed, wrong: [], unfinished: undefined });
    sum.seconds += seconds;
    sum.ideal += ideal;
  }
  expect(sum.seconds / sum.ideal).toBeLessThan(1.1);
  expect(sum.seconds / sum.ideal).toBeGreaterThan(0.95);
});
