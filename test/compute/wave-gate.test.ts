import { expect, test } from '@jest/globals';
import {
  type CheckResult,
  type GateFacts,
  gateOf,
  gateStep,
  type ResourceHealth,
} from '../../runtime/compute/deployments/wave-gate.ts';

const well = (since = 0, key = 'a'): ResourceHealth => ({ key, state: 'Well', since, message: '' });
const result = (state: CheckResult['state'], since: number, at = since): CheckResult => ({
  state,
  since,
  at,
  message: 'it answers 500',
});
const ask = (spec: Parameters<typeof gateOf>[0], facts: Partial<GateFacts> = {}) =>
  gateStep(gateOf(spec), {
    now: 0,
    resources: [well()],
    results: new Map(),
    isApproved: false,
    progressDeadlineMs: 3_600_000,
    ...facts,
  });
const checks = [{ name: 'home', http: { url: 'https://example.org' } }];

test('a gate without conditions passes at once', () => {
  expect(ask({})).toEqual({ state: 'Passed' });
});

test('the bake ends so long after the last change of a resource', () => {
  const resources = [well(0), well(5000, 'b')];
  expect(ask({ bakeFor: '10s' }, { resources, now: 14_999 })).toMatchObject({ state: 'Waiting', askAt: 15_000 });
  expect(ask({ bakeFor: '10s' }, { resources, now: 15_000 })).toEqual({ state: 'Passed' });
});

test('an ill resource fails the gate, and one that is moving has the progress deadline', () => {
  const ill: ResourceHealth = { key: 'set', state: 'Ill', since: 0, message: '2 of 10 instances are not well' };
  expect(ask({}, { resources: [ill] })).toEqual({ state: 'Failed', message: 'set: 2 of 10 instances are not well' });
  const moving: ResourceHealth = { ...ill, state: 'Moving' };
  expect(ask({}, { resources: [moving], now: 10 })).toMatchObject({ state: 'Waiting', askAt: 3_600_000 });
  expect(ask({}, { resources: [moving], now: 3_600_000 })).toMatchObject({ state: 'Failed' });
});

test('checks start after the bake, are tried again, and fail at their deadline', () => {
  const spec = { bakeFor: '10s', checkDeadline: '1m', checks };
  expect(ask(spec, { now: 9999 })).not.toHaveProperty('check');
  expect(ask(spec, { now: 10_000 })).toMatchObject({ state: 'Waiting', check: { names: ['home'] } });
  const tried = new Map([['home', result('Trying', 10_000)]]);
  expect(ask(spec, { now: 15_000, results: tried })).not.toHaveProperty('check');
  expect(ask(spec, { now: 20_000, results: tried })).toMatchObject({ check: { names: ['home'] } });
  expect(ask(spec, { now: 70_000, results: tried })).toEqual({
    state: 'Failed',
    message: 'check home: it answers 500',
  });
  expect(ask(spec, { now: 20_000, results: new Map([['home', result('Passed', 12_000)]]) })).toEqual({
    state: 'Passed',
  });
  expect(ask(spec, { now: 20_000, results: new Map([['home', result('Failed', 12_000)]]) })).toMatchObject({
    state: 'Failed',
  });
});

test('results from before the wave was well again count for nothing', () => {
  const results = new Map([['home', result('Passed', 12_000)]]);
  const facts = { resources: [well(20_000)], now: 30_000, results };
  expect(ask({ bakeFor: '10s', checks }, facts)).toMatchObject({ state: 'Waiting', check: { names: ['home'] } });
});

test('the approval comes last', () => {
  expect(ask({ approval: true })).toEqual({
    state: 'Waiting',
    message: 'waits for a ComputeApproval',
    heldBy: 'approval',
  });
  expect(ask({ approval: true, bakeFor: '1s' })).toMatchObject({ message: expect.stringMatching(/^bakes until/) });
  expect(ask({ approval: true }, { isApproved: true })).toEqual({ state: 'Passed' });
});
