import { expect, test } from '@jest/globals';
import { thresholdCodes } from '../../../runtime/compute/rolls/batches.ts';
import type { RollInstance } from '../../../runtime/compute/rolls/instance-counts.ts';
import { nextRollStep, type RollObservation, type RollStep } from '../../../runtime/compute/rolls/roll-plan.ts';
import { rollingPolicyOf } from '../../../runtime/compute/rolls/rolling-policy.ts';

/**
 * Instances by letters: `.` lacks the model, `x` lacks it and is ill, `n` has it, `i` has it and is ill, `u` is updating,
 * `s` is stopped without it, `p` is protected from it.
 */
const set = (letters: string): RollInstance[] =>
  [...letters].map((letter, index) => ({
    id: String(index),
    latestModelApplied: 'ni'.includes(letter),
    healthy: !'xi'.includes(letter),
    running: letter !== 's',
    ...(letter === 'u' && { upgrading: true }),
    ...(letter === 'p' && { held: true }),
    ...('xi'.includes(letter) && { problem: `probe of ${index} failed` }),
  }));

const observed = (letters: string, change: Partial<RollObservation> = {}): RollObservation => ({
  now: 1_000_000,
  mode: 'Manual',
  policy: rollingPolicyOf(undefined),
  driver: 'operator',
  serviceFabric: false,
  instances: set(letters),
  ...change,
});
const policyOf = (policy: object) => rollingPolicyOf({ rollingUpgradePolicy: policy });
/** Batch 20 %, any number of unhealthy instances, none of them with the new model. */
const strict = policyOf({ maxUnhealthyInstancePercent: 100, maxUnhealthyUpgradedInstancePercent: 0 });

/** A step in short: the ids of a batch, or the reason of the condition. */
const short = (step: RollStep) =>
  step.do === 'Upgrade' ? step.ids.join(',') : step.do === 'Resume' ? 'resume' : step.well ? 'well' : step.reason;

test.each([
  ['nnn', 'well'],
  ['', 'well'],
  ['.....', '0'],
  ['n....', '1'],
  ['..........', '0,1'],
  ['nn........', '2,3'],
  ['nu........', 'Rolling'],
  ['..x.......', '2,0'],
  ['ni........', 'RollStopped'],
  ['nnnni.....', '5'],
  ['ssss......', '0,1'],
  ['nnnp', 'well'],
  ['nnnnni', 'well'],
  ['nnni', 'InstancesUnhealthy'],
  ['nnnu', 'Rolling'],
])('a set of mode Manual with %s goes on with %s', (letters, expected) => {
  expect(short(nextRollStep(observed(letters)))).toBe(expected);
});

test('a batch waits for the pause of the policy, also one after a batch of Azure', () => {
  const policy = policyOf({ pauseTimeBetweenBatches: 'PT1M' });
  const after = (ms: number) => short(nextRollStep(observed('n....', { policy, batchEndedAt: 1_000_000 - ms })));
  expect([after(59_999), after(60_000)]).toEqual(['Rolling', '1']);
  const faulted = { policy, mode: 'Rolling', upgrade: { code: 'Faulted' } } as const;
  const afterFault = (ms: number) =>
    short(nextRollStep(observed('xx...', { ...faulted, behindSince: 1_000_000 - ms })));
  expect([afterFault(59_999), afterFault(60_000)]).toEqual(['Rolling', '0']);
});

test('no batch starts and no upgrade is resumed while the maintenance window is closed', () => {
  const closed = { until: 1_000_000 + 3 * 3_600_000, opening: 'the maintenance window of nightly opens' };
  const next = (letters: string, change: Partial<RollObservation> = {}) =>
    nextRollStep(observed(letters, { closed, ...change }));
  expect(next('n....')).toMatchObject({
    do: 'Nothing',
    well: false,
    reason: 'MaintenanceWindow',
    message:
      '1 of 5 instances have the model; the maintenance window of nightly opens at 1970-01-01T03:16:40.000Z, in 3 h',
    until: closed.until,
  });
  // Unhealthy instances that lack the model, which would get it first.
  expect(short(next('xx...'))).toBe('MaintenanceWindow');
  const faulted = { mode: 'Rolling', upgrade: { code: 'Faulted' }, behindSince: 0 } as const;
  expect([short(next('.n', faulted)), short(next('.n', { ...faulted, closed: undefined }))]).toEqual([
    'MaintenanceWindow',
    'resume',
  ]);
  expect(short(next('.n', { ...faulted, upgrade: { code: 'RollingForward' } }))).toBe('Rolling');
  expect([short(next('nnn')), short(next('nu...')), short(next('ni........'))]).toEqual([
    'well',
    'Rolling',
    'RollStopped',
  ]);
});

test.each([
  ['RollingForward', '.n', {}, 'Rolling'],
  ['Cancelled', '.n', {}, 'resume'],
  ['Cancelled', '.n', { driver: 'azure' }, 'RollCancelled'],
  ['Completed', '.n', { behindSince: 940_001 }, 'Rolling'],
  ['Completed', '.n', { behindSince: 940_000 }, 'resume'],
  ['Faulted', '.....nnnni', {}, 'resume'],
  ['Faulted', '.....nnnni', { driver: 'azure' }, 'resume'],
  ['Faulted', '.....nnnni', { driver: 'nobody' }, 'RollStopped'],
  ['Faulted', '.....nnnni', { policy: strict }, 'RollStopped'],
  [
    'Faulted',
    '.....nnnnn',
    { policy: policyOf({ rollbackFailedInstancesOnPolicyBreach: true }), behindSince: 0 },
    'RollStopped',
  ],
  ['Faulted', '.....iinnn', {}, 'RollStopped'],
  ['Completed', 'nn', {}, 'well'],
] as const)('an upgrade that Azure shows as %s over %s leads on', (code, letters, change, expected) => {
  expect(short(nextRollStep(observed(letters, { mode: 'Rolling', upgrade: { code }, ...change })))).toBe(expected);
});

test('an upgrade that ended before its first batch took no model back: unhealthy instances get it', () => {
  const policy = policyOf({ rollbackFailedInstancesOnPolicyBreach: true });
  const error = { code: thresholdCodes.beforeFirstBatch, message: '' };
  const change = { mode: 'Rolling', policy, behindSince: 0, upgrade: { code: 'Faulted', error } } as const;
  expect(short(nextRollStep(observed('xx...', change)))).toBe('0');
});

test('a model that Azure took back from failed instances gets no second try, also right after a restart', () => {
  const policy = policyOf({ rollbackFailedInstancesOnPolicyBreach: true });
  const error = { code: thresholdCodes.afterBatch, message: '' };
  const change = { mode: 'Rolling', policy, upgrade: { code: 'Faulted', error } } as const;
  // The second set has unhealthy instances beyond the limit, which get a model first otherwise.
  for (const letters of ['.....', 'xx...']) {
    const next = (behindSince?: number) => short(nextRollStep(observed(letters, { ...change, behindSince })));
    expect([next(), next(940_001), next(940_000)]).toEqual(['Rolling', 'Rolling', 'RollStopped']);
  }
});

test.each(['Rolling', 'Manual'] as const)(
  'a stopped roll of mode %s takes the next model, and unhealthy instances get it first, a batch at a time',
  (mode) => {
    const upgrade = { code: 'Faulted' };
    const next = (letters: string) => short(nextRollStep(observed(letters, { mode, upgrade, behindSince: 0 })));
    expect([next('xx...'), next('ix...')]).toEqual(['0', 'RollStopped']);
    expect(next('nx...')).toBe(mode === 'Rolling' ? 'resume' : '1');
    expect(next('xxx.......')).toBe('0,1');
    expect(next('.......xxx')).toBe('7,8');
    expect(next('ii........')).toBe('RollStopped');
  },
);

test('a set of mode Rolling without an upgrade is given the time to start one', () => {
  expect(short(nextRollStep(observed('..', { mode: 'Rolling' })))).toBe('Rolling');
  expect(short(nextRollStep(observed('..', { mode: 'Rolling', behindSince: 0 })))).toBe('resume');
});

test('the message has the code of the stop, the counts, the first unhealthy instance with its reason, and the limits', () => {
  const error = { code: 'MaxUnhealthyUpgradedInstancePercentExceededInRollingUpgrade', message: 'too many' };
  const step = nextRollStep(observed('ii......xx', { mode: 'Rolling', upgrade: { code: 'Faulted', error } }));
  expect(step.message).toMatch(
    /^2 of 10 instances have the model, 4 are unhealthy, first 0: probe of 0 failed; MaxUnhealthyUpgraded/,
  );
  expect(step.message).toMatch(/too many; .*4 of 10 running .* and 2 of 2 with the model; .* at 20 % and 20 % at most/);
});

test('mode Manual without the operator as driver, and modes that it cannot drive, get no request', () => {
  expect(short(nextRollStep(observed('..', { driver: 'azure' })))).toBe('UpgradeModeManual');
  expect(short(nextRollStep(observed('..', { mode: 'Automatic' })))).toBe('UpgradeModeAutomatic');
  for (const mode of ['Automatic', 'Manual', 'Rolling'] as const) {
    expect(short(nextRollStep(observed('..', { mode, serviceFabric: true, behindSince: 0 })))).toBe('ServiceFabricSet');
  }
});
