import { expect, test } from '@jest/globals';
import { ArmError, armErrorInfo } from '../../../../runtime/azure/arm/errors.ts';
import type { Wait } from '../../../../runtime/engine/index.ts';
import type { Memory } from '../../../../runtime/operator/effects/memory.ts';
import { computeReady, type Outcome } from '../../../../runtime/operator/reconcile/report/outcome.ts';

const setting = { memory: { attempts: 0 } as never, now: 0, syncPeriodMs: 3_600_000, overrides: [] };
const wait = (reason: string, needsEdit?: boolean): Wait => {
  return { kind: 'reference', node: 'n', reason, message: `${reason}.`, ...(needsEdit !== undefined && { needsEdit }) };
};
const waiting = (...waits: Wait[]) => {
  const result = { state: 'Blocked', waits, journal: { blocks: {} }, blocks: {} };
  return computeReady({ run: {}, result } as unknown as Outcome, setting).readiness;
};

test('a wait for a resource of Azure is tried again soon, also without periodic checks', () => {
  const waits = [{ ...wait('ReferenceNotFound'), endsInAzure: true }];
  const result = { state: 'Blocked', waits, journal: { blocks: {} }, blocks: {} };
  const never = { ...setting, memory: { attempts: 0 } as never, syncPeriodMs: undefined };
  const { afterMs } = computeReady({ run: {}, result } as unknown as Outcome, never);
  expect(afterMs).toBeGreaterThan(0);
  expect(afterMs).toBeLessThanOrEqual(180_000);
});

test('a wait for an object is a warning, and one for an edit is an error and comes first', () => {
  expect(waiting(wait('WaitingForOwner'))).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner' });
  expect(waiting(wait('BatchAboveUnhealthy', true))).toMatchObject({
    severity: 'Error',
    reason: 'BatchAboveUnhealthy',
  });
  expect(waiting(wait('SecretNotFound'), wait('BatchAboveUnhealthy', true))).toEqual({
    severity: 'Error',
    reason: 'BatchAboveUnhealthy',
    message: 'SecretNotFound.; BatchAboveUnhealthy.',
  });
});

test.each([
  [403, true],
  [404, true],
  [422, true],
  [409, false],
  [429, false],
])('nine refusals in a row with %i and a code of no table are a failure for a deployment: %p', (status, isFailure) => {
  const memory = { attempts: 0 } as Memory;
  const info = armErrorInfo({ status, body: { error: { code: 'CodeOfNoTable', message: 'no' } } });
  const failures = Array.from({ length: 12 }, () => {
    computeReady({ error: new ArmError('PUT', '/x', info) } as Outcome, { ...setting, memory });
    return memory.isRefused;
  });
  expect(failures.indexOf(true)).toBe(isFailure ? 8 : -1);
  computeReady({ run: {}, result: { state: 'Running', waits: [], journal: { blocks: {} }, blocks: {} } } as never, {
    ...setting,
    memory,
  });
  expect([memory.isRefused, memory.refusals]).toEqual([false, 0]);
});
