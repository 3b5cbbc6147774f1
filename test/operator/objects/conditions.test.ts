import { expect, test } from '@jest/globals';
import type { Condition } from '../../../runtime/api/common-schemas.ts';
import { type Readiness, requestNote, withReadiness } from '../../../runtime/operator/objects/conditions.ts';

const at = Date.parse('2026-01-01T00:00:00Z');
const later = at + 60_000;
const found = (severity: Readiness['severity'], reason: string, message = ''): Readiness => ({
  severity,
  reason,
  message,
});
const ready = found(undefined, 'Succeeded');
const first = (readiness: Readiness, generation = 1) => withReadiness([], readiness, generation, at);
const ofType = (conditions: readonly Condition[], type: string) => conditions.find((each) => each.type === type);

test('progress does not hide a result of its own generation, but does show for a newer one', () => {
  const done = first(ready);
  expect(withReadiness(done, found('Info', 'Reconciling'), 1, later)).toBe(done);
  expect(ofType(withReadiness(done, found('Info', 'Reconciling'), 2, later), 'Ready')).toMatchObject({
    status: 'False',
    severity: 'Info',
    observedGeneration: 2,
  });
  const failed = first(found('Warning', 'Conflict'));
  expect(withReadiness(failed, found('Info', 'Reconciling'), 1, later)).toBe(failed);
});

test('progress replaces a wait that is over, and deletion replaces anything', () => {
  const waiting = first(found('Warning', 'WaitingForOwner'));
  expect(ofType(withReadiness(waiting, found('Info', 'Reconciling'), 1, later), 'Ready')?.reason).toBe('Reconciling');
  expect(ofType(withReadiness(first(ready), found('Info', 'Deleting'), 1, later), 'Ready')?.reason).toBe('Deleting');
});

test('the same finding changes nothing, and only a new status moves the time of transition', () => {
  const warned = first(found('Warning', 'Conflict', 'busy'));
  expect(withReadiness(warned, found('Warning', 'Conflict', 'busy'), 1, later)).toBe(warned);
  const other = withReadiness(warned, found('Warning', 'Throttled', 'wait'), 1, later);
  expect(ofType(other, 'Ready')?.lastTransitionTime).toBe(ofType(warned, 'Ready')?.lastTransitionTime);
  const done = withReadiness(other, ready, 1, later);
  expect(ofType(done, 'Ready')).toEqual({
    type: 'Ready',
    status: 'True',
    reason: 'Succeeded',
    observedGeneration: 1,
    lastTransitionTime: new Date(later).toISOString(),
  });
});

test('another request id alone is no change, so a repeated refusal does not rewrite the status', () => {
  const refused = first(found('Warning', 'Conflict', `busy.${requestNote('one')} Again.`));
  expect(withReadiness(refused, found('Warning', 'Conflict', `busy.${requestNote('two')} Again.`), 1, later)).toBe(
    refused,
  );
});

test('Stalled stands beside an Error and goes with it; conditions of others stay', () => {
  const other: Condition = { type: 'Other', status: 'True', reason: 'X', lastTransitionTime: 'then' };
  const failed = withReadiness([other], found('Error', 'LocationRequired', 'm'), 1, at);
  expect(failed.map(({ type, status }) => `${type}=${status}`)).toEqual(['Ready=False', 'Stalled=True', 'Other=True']);
  expect(withReadiness(failed, ready, 2, later).map(({ type }) => type)).toEqual(['Ready', 'Other']);
});

test.each([
  ['StorageAccountNotFound', 'StorageAccountNotFound'],
  ['resource-not found', 'ResourceNotFound'],
  ['HTTP503', 'HTTP503'],
  ['404.002 – gone', 'Failed'],
  ['x'.repeat(100_000), 'Failed'],
  ['…', 'Failed'],
  ['', 'Failed'],
])('a reason is one CamelCase word, whatever Azure calls it (%#)', (code, reason) => {
  expect(ofType(first(found('Warning', code)), 'Ready')?.reason).toBe(reason);
});
