import { expect, test } from '@jest/globals';
import {
  nextRollStep,
  type RollInstance,
  type RollObservation,
  type RollStep,
} from '../../../runtime/compute/rolls/roll-plan.ts';
import { rollingPolicyOf } from '../../../runtime/compute/rolls/rolling-policy.ts';

/** Instances by letters: `.` lacks the model, `x` lacks it and is ill, `n` has it, `i` has it and is ill, `u` is updating, `s` is stopped without it. */
const set = (letters: string): RollInstance[] =>
  [...letters].map((letter, index) => ({
    id: String(index),
    latestModelApplied: 'ni'.includes(letter),
    healthy: !'xi'.includes(letter),
    running: letter !== 's',
    ...(letter === 'u' && { upgrading: true }),
  }));

const observed = (letters: string, change: Partial<RollObservation> = {}): RollObservation => ({
  now: 1_000_000,
  mode: 'Manual',
  policy: rollingPolicyOf(undefined),
  serviceFabric: false,
  instances: set(letters),
  ...change,
});

/** A step in short: the ids of a batch, or the reason of the condition. */
const short = (step: RollStep) =>
  step.do === 'Upgrade' ? step.ids.join(',') : step.do === 'Resume' ? 'resume' : step.done ? 'done' : step.reason;

test.each([
  ['nnn', 'done'],
  ['', 'done'],
  ['.....', '0'],
  ['n....', '1'],
  ['..........', '0,1'],
  ['nn........', '2,3'],
  ['nu........', 'Rolling'],
  ['..x.......', '2,0'],
  ['xxx.......', 'RollStopped'],
  ['ni........', 'RollStopped'],
  ['nnnni.....', '5'],
  ['ssss......', '0,1'],
])('a set of mode Manual with %s goes on with %s', (letters, expected) => {
  expect(short(nextRollStep(observed(letters)))).toBe(expected);
});

test('a batch of a set of mode Manual waits for the pause of the policy', () => {
  const policy = rollingPolicyOf({ rollingUpgradePolicy: { pauseTimeBetweenBatches: 'PT1M' } });
  const after = (ms: number) => short(nextRollStep(observed('n....', { policy, batchEndedAt: 1_000_000 - ms })));
  expect([after(59_999), after(60_000)]).toEqual(['Rolling', '1']);
});

test.each([
  ['RollingForward', '.n', {}, 'Rolling'],
  ['Cancelled', '.n', {}, 'resume'],
  ['Completed', '.n', { behindSince: 940_001 }, 'Rolling'],
  ['Completed', '.n', { behindSince: 940_000 }, 'resume'],
  ['Faulted', '.....nnnni', {}, 'resume'],
  ['Faulted', '.......xxx', {}, 'RollStopped'],
  ['Completed', 'nn', {}, 'done'],
])('an upgrade that Azure shows as %s over %s leads on', (code, letters, change, expected) => {
  expect(short(nextRollStep(observed(letters, { mode: 'Rolling', upgrade: { code }, ...change })))).toBe(expected);
});

test('a set of mode Rolling without an upgrade is given the time to start one', () => {
  expect(short(nextRollStep(observed('..', { mode: 'Rolling' })))).toBe('Rolling');
  expect(short(nextRollStep(observed('..', { mode: 'Rolling', behindSince: 0 })))).toBe('resume');
});

test('why an upgrade stopped is in the message, with the limit that lets it go on', () => {
  const error = { code: 'MaxUnhealthyInstancePercentExceededInRollingUpgrade', message: 'too many' };
  const step = nextRollStep(observed('.......xxx', { mode: 'Rolling', upgrade: { code: 'Faulted', error } }));
  expect(step).toMatchObject({
    do: 'Nothing',
    message: expect.stringMatching(/0 of 10 .*MaxUnhealthyInstancePercent.*3 of 10 .*below 20 %/),
  });
});

test('nothing is sent to sets of mode Automatic and of Service Fabric', () => {
  expect(short(nextRollStep(observed('..', { mode: 'Automatic' })))).toBe('UpgradeModeAutomatic');
  for (const mode of ['Automatic', 'Manual', 'Rolling'] as const) {
    expect(short(nextRollStep(observed('..', { mode, serviceFabric: true, behindSince: 0 })))).toBe('ServiceFabricSet');
  }
});
