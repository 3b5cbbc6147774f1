import { expect, test } from '@jest/globals';
import {
  rollingPolicyOf,
  tryParseIsoDuration,
  upgradeModeOf,
  upgradePolicyProblems,
} from '../../../runtime/compute/rolls/rolling-policy.ts';

const uniform = { probe: true, extension: false, orchestration: 'Uniform' } as const;
const found = (policy: unknown, health: Parameters<typeof upgradePolicyProblems>[1] = uniform) =>
  upgradePolicyProblems(policy, health, 'up').map(({ name, path }) => `${name} ${path}`);
const rolling = (rollingUpgradePolicy: object) => ({ mode: 'Manual', rollingUpgradePolicy });

test('each percentage has its range, and only whole numbers count', () => {
  expect(found(rolling({ maxBatchInstancePercent: 101 }))).toEqual([
    'PercentOutOfRange up.rollingUpgradePolicy.maxBatchInstancePercent',
  ]);
  for (const value of [-1, 101, 5.5, '20', null]) {
    expect(found(rolling({ maxUnhealthyUpgradedInstancePercent: value }))).toEqual([
      'PercentOutOfRange up.rollingUpgradePolicy.maxUnhealthyUpgradedInstancePercent',
    ]);
  }
});

test('a batch is compared with the default of unhealthy instances too, in each mode', () => {
  expect(found(rolling({ maxBatchInstancePercent: 100 }))).toEqual([
    'BatchAboveUnhealthy up.rollingUpgradePolicy.maxBatchInstancePercent',
  ]);
  expect(found(rolling({ maxUnhealthyInstancePercent: 5 }))).toHaveLength(1);
  expect(found(rolling({}))).toEqual([]);
  expect(found({ mode: 'Manual' })).toEqual([]);
});

test.each([
  ['PT0S', 0],
  ['PT1M', 60],
  ['PT1H', 3600],
  ['P1DT2H3M4.5S', 93_784.5],
  ['P1D', 86_400],
  ['P', undefined],
  ['PT', undefined],
  ['P1DT', undefined],
  ['P1M', undefined],
  ['60s', undefined],
  ['pt1m', undefined],
  ['PT1M ', undefined],
])('the ISO 8601 duration %s has %p seconds', (text, seconds) => {
  expect(tryParseIsoDuration(text)).toBe(seconds);
});

test('Rolling needs one health source, and Flexible sets cannot use a probe', () => {
  const policy = { mode: 'Rolling' };
  expect(found(policy, { probe: false, extension: true, orchestration: 'Flexible' })).toEqual([]);
  expect(found(policy, { probe: true, extension: false, orchestration: 'Flexible' })).toEqual([
    'HealthSourceMissing up.mode',
  ]);
  expect(found(policy, { probe: true, extension: true, orchestration: 'Uniform' })).toEqual([
    'HealthSourceTwice up.mode',
  ]);
  expect(found({ mode: 'Manual' }, { probe: false, extension: false, orchestration: 'Uniform' })).toEqual([]);
});

test('Automatic is a warning, an unknown mode an error, no policy Manual', () => {
  expect(upgradePolicyProblems({ mode: 'Automatic' }, uniform, 'up')).toMatchObject([{ severity: 'Warning' }]);
  expect(found({ mode: 'automatic' })).toEqual(['UpgradeModeInvalid up.mode']);
  expect(upgradeModeOf(undefined)).toBe('Manual');
});

test('the policy has 20, 20, 20 and no pause where nothing is set', () => {
  expect(rollingPolicyOf(undefined)).toEqual({
    maxBatchInstancePercent: 20,
    maxUnhealthyInstancePercent: 20,
    maxUnhealthyUpgradedInstancePercent: 20,
    pauseSeconds: 0,
    rollsBack: false,
  });
});
