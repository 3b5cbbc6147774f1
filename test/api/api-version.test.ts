import { expect, test } from '@jest/globals';
import { checkVersion, versionFor } from '../../runtime/api/api-version.ts';
import { armKinds } from '../../runtime/api/kinds.ts';
import type { ArmKind } from '../../runtime/api/types.ts';

const account = armKinds.find(({ kind }) => kind === 'StorageAccount')?.arm as ArmKind;

test('a spec is sent under the stored version as long as it knows every field', () => {
  expect(versionFor(account, { sku: { name: 'Standard_LRS' }, zones: ['1'] })).toEqual({
    version: 'v20250601',
    apiVersion: '2025-06-01',
  });
});

test('a field that only older versions have makes it the newest of those', () => {
  expect(versionFor(account, { sku: { name: 'Standard_LRS', tier: 'Standard' } })).toEqual({
    version: 'v20230101',
    apiVersion: '2023-01-01',
  });
  expect(versionFor(account, { sku: { name: 'Standard_LRS', tier: null } })?.version).toBe('v20250601');
});

test('fields are found below lists and maps, and the error names fields that no single version has together', () => {
  const arm: ArmKind = {
    ...account,
    apiVersions: { v2: '2', v1: '1' },
    fields: {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { old: { type: 'string', onlyIn: ['v1'] } } } },
        map: { type: 'map', values: { type: 'object', properties: { recent: { type: 'string', onlyIn: ['v2'] } } } },
      },
    },
  };
  expect(versionFor(arm, { list: [{}, { old: 'x' }] })?.version).toBe('v1');
  expect(versionFor(arm, { map: { a: { recent: 'x' } } })?.version).toBe('v2');
  expect(() => checkVersion(arm, { list: [{ old: 'x' }], map: { a: { recent: 'x' } } })).toThrow(
    'got spec.list[0].old only in v1; spec.map.a.recent only in v2',
  );
});

test('a preview version is chosen only for a spec that needs it, and never over the one that was applied', () => {
  const { arm } = armKinds.find(({ kind }) => kind === 'FederatedIdentityCredential') as { arm: ArmKind };
  const claimsMatchingExpression = { languageVersion: 1, value: "claims['sub'] eq 'a'" };
  const versionOf = (spec: object, applied?: string) => versionFor(arm, spec, applied)?.apiVersion;
  expect(versionOf({ subject: 'a' })).toBe('2023-01-31');
  expect(versionOf({ subject: 'a' }, 'v1api20220131preview')).toBe('2022-01-31-preview');
  expect(versionOf({ subject: 'a' }, 'v1api20250131preview')).toBe('2025-01-31-preview');
  expect(versionOf({ claimsMatchingExpression })).toBe('2025-01-31-preview');
  expect(versionOf({ claimsMatchingExpression }, 'v1api20230131')).toBe('2025-01-31-preview');
  expect(versionOf({ claimsMatchingExpression, subject: null }, 'constructor')).toBe('2025-01-31-preview');
});
