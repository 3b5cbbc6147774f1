import { createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SignedRecords } from '../../../runtime/kube/controller/signed-records.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const records = new SignedRecords(key);
const owner = { kind: 'StorageAccount', metadata: { namespace: 'a', name: 'store', uid: 'uid-1' } };

test('a record is read back by the program that signed it, for the object it was signed for', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(records.verify('journal', owner, records.sign('journal', owner, text))).toBe(text);
    }),
  );
});

test.each([
  ['for another purpose', 'resource-id', owner, key],
  ['of another uid', 'journal', { ...owner, metadata: { ...owner.metadata, uid: 'uid-2' } }, key],
  ['of another namespace', 'journal', { ...owner, metadata: { ...owner.metadata, namespace: 'b' } }, key],
  ['of another name', 'journal', { ...owner, metadata: { ...owner.metadata, name: 'other' } }, key],
  ['of another kind', 'journal', { ...owner, kind: 'Vault' }, key],
  ['under another key', 'journal', owner, createSecretKey(Buffer.alloc(32, 8))],
])('a record %s is no record here', (_, purpose, other, otherKey) => {
  const record = new SignedRecords(otherKey).sign(purpose, other, 'text');
  expect(records.verify('journal', owner, record)).toBeUndefined();
});

test('a changed, cut or unsigned text is no record', () => {
  const record = records.sign('journal', owner, '{"goal":"x"}');
  for (let at = 0; at < record.length; at++) {
    expect(records.verify('journal', owner, record.slice(0, at))).toBeUndefined();
    const changed = record.slice(0, at) + String.fromCharCode(record.charCodeAt(at) ^ 1) + record.slice(at + 1);
    expect(records.verify('journal', owner, changed)).toBeUndefined();
  }
  for (const text of [undefined, '', '{"goal":"x"}', 'v1.', `v1.${'é'.repeat(22)}.x`]) {
    expect(records.verify('journal', owner, text)).toBeUndefined();
  }
});

test('an object that is not stored yet gets no record', () => {
  const { uid: _, ...metadata } = owner.metadata;
  expect(() => records.sign('journal', { ...owner, metadata }, 'text')).toThrow('not stored yet');
  expect(records.verify('journal', { ...owner, metadata }, records.sign('journal', owner, 'text'))).toBeUndefined();
});
