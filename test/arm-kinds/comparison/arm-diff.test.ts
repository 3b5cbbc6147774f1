import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, armKinds, kindOf } from '../../../runtime/api/kinds.ts';
import type { ArmKind, FieldTree } from '../../../runtime/api/types.ts';
import { comparedBody } from '../../../runtime/arm-kinds/body/compared-body.ts';
import { withEnumWords } from '../../../runtime/arm-kinds/body/enum-values.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { knownDifferenceOf } from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import { counted } from '../body/counted.ts';

const armOf = (kind: string) =>
  armKinds.find((each) => each.kind === kind && each.group !== 'dbformariadb.azure.com')?.arm as ArmKind;

test.each([
  ['another value', { tags: { a: '1' } }, { tags: { a: '2' } }, 'tags.a', 'different'],
  ['a value that is not there', { a: { b: 1 } }, { a: {} }, 'a.b', 'absent'],
  ['a list with one more item', { zones: ['1'] }, { zones: ['1', '2'] }, 'zones', 'different'],
  ['something where nothing is declared on purpose', { rules: null }, { rules: [1] }, 'rules', 'different'],
  ['a string of another case', { sku: 'standard' }, { sku: 'Standard' }, 'sku', 'different'],
])('a difference: %s', (_, wanted, live, path, kind) => {
  expect(armDiff(wanted, live)).toMatchObject([{ path, kind }]);
});

test('words of an enumeration are compared without their case, texts that are free are not', () => {
  const permissions = (...keys: string[]) => ({ objectId: 'o', permissions: { keys } });
  const body = (policies: object[], tag = 'a') => ({
    tags: { all: tag },
    properties: { accessPolicies: policies, sku: { family: 'A', name: 'standard' }, publicNetworkAccess: 'enabled' },
  });
  const paths = (live: object) =>
    armDiff(withEnumWords(armOf('Vault'), body([permissions('get', 'unwrapKey')])), live).map(({ path }) => path);
  expect(paths(body([permissions('UnwrapKey', 'Get')]))).toEqual([]);
  expect(paths(body([permissions('UnwrapKey', 'List')]))).toEqual(['properties.accessPolicies']);
  expect(paths(body([{ ...permissions('get', 'unwrapKey'), objectId: 'O' }]))).toEqual(['properties.accessPolicies']);
  expect(paths(body([permissions('get', 'unwrapKey')], 'A'))).toEqual(['tags.all']);
  const { properties, tags } = body([permissions('get', 'unwrapKey')]);
  expect(paths({ tags, properties: { ...properties, sku: { family: 'a', name: 'Standard' } } })).toEqual([]);
  expect(paths({ tags, properties: { ...properties, sku: { family: 'A', name: 'premium' } } })).toEqual([
    'properties.sku.name',
  ]);
  expect(paths({ tags, properties: { ...properties, sku: { family: 'A' } } })).toEqual(['properties.sku.name']);
  expect(paths({ tags, properties: { ...properties, publicNetworkAccess: 'Enabled' } })).toEqual([
    'properties.publicNetworkAccess',
  ]);
});

test('a place is compared exactly where two of its words differ in case, or where another field writes free texts to it', () => {
  const words = (...list: string[]): FieldTree => ({ type: 'string', enum: list });
  const properties = {
    unlike: words('on', 'ON'),
    free: { ...words('x'), arm: 'shared' },
    other: { type: 'string', arm: 'shared' },
    late: { type: 'string', arm: 'second' },
    early: { ...words('x'), arm: 'second' },
    word: words('on', 'off'),
  } as const;
  const arm = { propertiesFlattened: false, topLevel: [], fields: { type: 'object', properties } };
  const wanted = withEnumWords(arm as unknown as ArmKind, { unlike: 'on', shared: 'x', second: 'x', word: 'on' });
  const differences = armDiff(wanted, { unlike: 'ON', shared: 'X', second: 'X', word: 'ON' });
  expect(differences.map(({ path }) => path)).toEqual(['unlike', 'shared', 'second']);
});

const many = Array.from({ length: 5000 }, (_, index) => index);

test.each([
  [
    'a map with other names in Azure',
    Object.fromEntries(many.map((n) => [`a${n}`, 1])),
    Object.fromEntries(many.map((n) => [`b${n}`, 1])),
  ],
  ['a list in reverse order', many, [...many].reverse()],
  [
    'a list of objects in reverse order',
    many.map((n) => ({ port: n, name: `n${n}` })),
    many.map((n) => ({ port: n, name: `N${n}` })).reverse(),
  ],
])('%s is compared in linear time', (_, wanted, shown) => {
  const { live, reads } = counted({ at: shown });
  armDiff({ at: wanted }, live);
  expect(reads()).toBeLessThan(20 * many.length);
});

test('a list of objects that differ in no plain way counts as different once it takes too many comparisons', () => {
  const list = (length: number) => many.slice(0, length).map((n) => ({ kind: 'x', at: [n] }));
  expect(armDiff({ list: list(100) }, { list: list(100).reverse() })).toEqual([]);
  const { live, reads } = counted({ list: list(5000).reverse() });
  expect(armDiff({ list: list(5000) }, live)).toMatchObject([{ path: 'list', kind: 'different' }]);
  expect(reads()).toBeLessThan(1_000_000);
  expect(armDiff({ list: list(5000) }, { list: list(5000) })).toEqual([]);
});

test('what Azure adds to an object that is declared empty is a difference only where a user can declare it', () => {
  const model = catalogueModel(kindOf('network.azure.com', 'NetworkInterface') as ArmKindDefinition);
  const body = { properties: { dnsSettings: {} } };
  const compared = comparedBody(model, body, []);
  const shown = (dnsServers: readonly string[]) => ({
    properties: { dnsSettings: { dnsServers, appliedDnsServers: ['10.0.0.1'], internalDomainNameSuffix: 'a.b' } },
  });
  expect(armDiff(compared, shown([]))).toEqual([]);
  expect(armDiff(compared, shown(['10.0.0.1'])).map(({ path }) => path)).toEqual(['properties.dnsSettings']);
  expect(knownDifferenceOf(compared, shown(['10.0.0.1']))).not.toBe('');
});
