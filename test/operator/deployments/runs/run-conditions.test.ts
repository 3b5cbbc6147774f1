import { expect, test } from '@jest/globals';
import type { ComputeRunStatus, RunState } from '../../../../runtime/api/deployments/compute-run.ts';
import { transitionsOf, withRunConditions } from '../../../../runtime/operator/deployments/runs/run-conditions.ts';

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;

function run(status?: ComputeRunStatus) {
  const metadata = { name: 'd-1', namespace: 'default', generation: 1 };
  return { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeRun', metadata, ...(status && { status }) };
}

/** The status after these states, a minute apart. */
function after(...states: RunState[]): ComputeRunStatus {
  let status: ComputeRunStatus = {};
  for (const [index, state] of states.entries()) {
    status = withRunConditions(run(status), { state, percent: index }, start + index * minute);
  }
  return status;
}

const at = (minutes: number) => new Date(start + minutes * minute).toISOString();

test('a run that goes on is not Ready, and keeps the time since when', () => {
  expect(after('Pending', 'Running', 'Running')).toMatchObject({
    observedGeneration: 1,
    conditions: [
      { type: 'Ready', status: 'False', severity: 'Info', reason: 'Reconciling', lastTransitionTime: at(0) },
    ],
  });
});

test('a run that was suspended goes on, and one that succeeded or was replaced is Ready', () => {
  expect(after('Running', 'Suspended').conditions).toMatchObject([{ severity: 'Warning', reason: 'Suspended' }]);
  expect(after('Suspended', 'Running').conditions).toMatchObject([{ severity: 'Info', reason: 'Reconciling' }]);
  for (const state of ['Succeeded', 'Superseded'] as const) {
    expect(after('Running', state).conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: state }]);
  }
});

test.each(['Failed', 'Cancelled', 'Refused'] as const)('a run that is %s is stalled', (state) => {
  expect(after('Running', state).conditions).toMatchObject([
    { type: 'Ready', status: 'False', severity: 'Error', reason: state },
    { type: 'Stalled', status: 'True', lastTransitionTime: at(1) },
  ]);
});

test('of conditions that somebody wrote only the times are kept, and few of them', () => {
  const foreign = Array.from({ length: 50 }, () => ({
    ...after('Running').conditions?.[0],
    message: 'x'.repeat(9999),
  }));
  const kept = transitionsOf(run({ conditions: foreign as never }));
  expect(kept).toHaveLength(10);
  expect(JSON.stringify(kept)).not.toContain('xx');
});
