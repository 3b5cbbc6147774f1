import { expect, test } from '@jest/globals';
import type { ManagedSecretSpec } from '../../../runtime/api/machines/managed-secret-spec.ts';
import type { ManagedSecretObject } from '../../../runtime/operator/managed-secrets/secret-object.ts';
import { specFailure } from '../../../runtime/operator/managed-secrets/secret-references.ts';

const consumers = [{ objectId: '11111111-2222-3333-4444-555555555555' }];
const failure = (spec: ManagedSecretSpec) => specFailure({ spec } as ManagedSecretObject);

test.each([
  ['a password', { kind: 'Password', rotation: { every: '720h', overlap: '10m' } }],
  ['a password that a word renews', { kind: 'Password', rotation: { overlap: '10m' } }],
  ['a certificate', { kind: 'Certificate', certificate: { subject: 'CN=x' }, rotation: { overlap: '0s' } }],
] as const)('readers at the endpoint need fifteen minutes of overlap: %s', (_, spec) => {
  expect(failure({ ...spec, consumers })).toEqual({
    severity: 'Error',
    reason: 'OverlapTooShort',
    message: 'spec.rotation.overlap must be at least the 900 s in which consumers get a new value; lengthen it',
  });
  expect(failure(spec)).toBeUndefined();
  expect(failure({ ...spec, consumers, rotation: { ...spec.rotation, overlap: '15m' } })).toBeUndefined();
  expect(failure({ ...spec, consumers, rotation: { ...spec.rotation, retain: '1h' } })).toBeUndefined();
});

test('the overlap of a spec that names none is long enough for readers', () => {
  expect(failure({ kind: 'Password', rotation: { every: '2h' }, consumers })).toBeUndefined();
});
