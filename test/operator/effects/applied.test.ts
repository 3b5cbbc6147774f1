import { expect, test } from '@jest/globals';
import type { Applied } from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import {
  bodyFingerprint,
  formatApplied,
  knownDifferenceOf,
  parseApplied,
} from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { hasArrived, needsPut, putMemo } from '../../../runtime/operator/effects/applied.ts';
import type { Live } from '../../../runtime/operator/effects/observation.ts';
import type { DesiredState } from '../../../runtime/operator/effects/reconcile-plan.ts';

const body = { tags: { a: '1' }, properties: { createMode: 'default' } };
/** What is wanted, and what Azure shows of it. */
const known = (live: object | undefined, applied?: Applied, more: Partial<DesiredState> = {}) => {
  const desired: DesiredState = { policy: 'manage', waits: [], body, inputsVersion: '', deletion: undefined, ...more };
  const shown: Live = live === undefined ? { exists: false } : { exists: true, body: live as Record<string, unknown> };
  return [desired, { live: shown, applied, now: 0 }] as const;
};
const shown = { tags: { a: '1' }, properties: { provisioningState: 'Succeeded' } };
const applied = { body: bodyFingerprint(body), inputs: '', knownDifference: knownDifferenceOf(body, shown) };

test('a PUT is needed for what is missing, broken or different', () => {
  expect(needsPut(...known(undefined))).toBe(true);
  expect(needsPut(...known({ ...body, properties: { createMode: 'default', provisioningState: 'Failed' } }))).toBe(
    true,
  );
  expect(needsPut(...known(shown))).toBe(true);
  expect(needsPut(...known({ ...shown, properties: { createMode: 'default' } }))).toBe(false);
});

test('a known difference after the last PUT of this body may stay, but may not change', () => {
  expect(needsPut(...known(shown, applied))).toBe(false);
  expect(needsPut(...known({ ...shown, tags: { a: '2' } }, applied))).toBe(true);
  expect(needsPut(...known(shown, applied, { body: { ...body, tags: { a: '1', b: '2' } } }))).toBe(true);
});

test('what was taken out of a body is sent, although nothing that is declared differs', () => {
  const live = { ...shown, properties: { createMode: 'default' } };
  const before = { body: bodyFingerprint({ ...body, tags: { a: '1', b: '2' } }), inputs: '', knownDifference: '' };
  expect(needsPut(...known(live, { ...before, body: bodyFingerprint(body) }))).toBe(false);
  expect(needsPut(...known(live, before))).toBe(true);
});

test('a PUT that was cut off has not arrived with another secret than the one that is declared now', () => {
  const secret = { tags: { a: '1' }, password: new SecretValue('x') };
  const at = (live: object | undefined, inputsVersion: string) =>
    known(live, undefined, { body: secret, inputsVersion });
  const memo = putMemo(...at(undefined, 'v1'));
  expect(hasArrived(...at({ tags: { a: '1' } }, 'v1'), memo)).toBe(true);
  expect(hasArrived(...at({ tags: { a: '1' } }, 'v2'), memo)).toBe(false);
});

test('a new version of a Secret is sent, although Azure shows nothing of it', () => {
  const secret = { properties: { password: new SecretValue('x') } };
  const once = { body: bodyFingerprint(secret), inputs: 'v1', knownDifference: '' };
  const at = (inputsVersion: string) => known({ properties: {} }, once, { body: secret, inputsVersion });
  expect(needsPut(...at('v1'))).toBe(false);
  expect(needsPut(...at('v2'))).toBe(true);
});

test('the fingerprints survive their annotation, and what is no such text counts as none', () => {
  expect(parseApplied(formatApplied(applied))).toEqual(applied);
  for (const text of [undefined, '', 'abc', 'a.b']) expect(parseApplied(text)).toBeUndefined();
});

test('a fingerprint of a body does not depend on the secrets in it', () => {
  const withSecret = (value: string) => bodyFingerprint({ password: new SecretValue(value) });
  expect(withSecret('one')).toBe(withSecret('two'));
});
