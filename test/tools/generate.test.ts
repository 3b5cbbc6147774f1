import { expect, test } from '@jest/globals';
import { armKindDefinition } from '../../runtime/api/arm-kind.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import type { FieldTree } from '../../runtime/api/types.ts';
import { type CatalogueKind, checkShortName, idOf, readCatalogue } from '../../tools/generate/catalogue.ts';
import { mergeVersions } from '../../tools/generate/merge-versions.ts';
import { render } from '../../tools/generate/render.ts';
import { drift } from '../../tools/generate.ts';
import { kindReference } from '../../tools/reference/kind-reference.ts';
import { examine, schemaCostLimit } from '../api/structural.ts';

const catalogue = readCatalogue();
const byId = new Map(catalogue.map((kind) => [idOf(kind), kind]));
const entryOf = (id: string) => mergeVersions(byId.get(id) as CatalogueKind);
const definitionOf = (id: string) => {
  const { arm, ...names } = entryOf(id);
  return armKindDefinition(names, () => arm);
};
const field = (root: FieldTree, ...path: string[]) =>
  path.reduce<FieldTree | undefined>((at, step) => (step === '[]' ? at?.items : at?.properties?.[step]), root);

test('the generated files are what the catalogue yields', () => {
  expect(drift()).toEqual([]);
});

test('the tables of kinds say of a kind that ASO v2 lacks it', () => {
  const kinds = ['network/PublicIPPrefix', 'network/NatGateway'].map(definitionOf);
  const pages = kindReference(kinds, new Set(['network/NatGateway']));
  expect(pages.get('kinds.md')).toMatch(/^\| \[NatGateway\].*\| ASO v2 has no such kind \|$/m);
  const [prefix = '', gateway = ''] = (pages.get('kinds/network.md') ?? '').split('\n## ').slice(1);
  expect(prefix).toMatch(/differs from ASO v2 \| only as/);
  expect(gateway).toContain('| differs from ASO v2 | ASO v2 has no such kind |');
});

test('every kind has a short name of its own', () => {
  const kind = byId.get('storage/StorageAccount') as CatalogueKind;
  const seen = new Map<string, string>();
  checkShortName(kind, seen);
  expect(seen).toEqual(new Map([['stac', 'storage/StorageAccount']]));
  expect(() => checkShortName({ ...kind, kind: 'Other' }, seen)).toThrow(
    'storage/Other needs a shortName of lower-case letters and digits that no other kind has, got `stac` of storage/StorageAccount',
  );
  const { shortName: _, ...unnamed } = kind;
  expect(() => checkShortName(unnamed as CatalogueKind, seen)).toThrow('got `undefined`');
});

test.each([...byId.keys()])('%s: its CRD is structural and its rules cheap enough', (id) => {
  const crd = crdManifest(definitionOf(id));
  for (const { schema } of crd.spec.versions.slice(0, 2)) {
    const { problems, cost } = examine(schema.openAPIV3Schema);
    expect(problems).toEqual([]);
    expect(cost).toBeLessThan(schemaCostLimit);
  }
  // etcd refuses requests above 1.5 MiB.
  expect(JSON.stringify(crd).length).toBeLessThan(1.5 * 1024 * 1024);
});

test('each kind is rendered as a file of data and a file of types, and rendering is deterministic', () => {
  const entries = catalogue.map(mergeVersions);
  const files = render(entries);
  // The index and the types of all specs are beside them.
  expect(files.size).toBe(2 * catalogue.length + 2);
  expect([...render(entries)]).toEqual([...files]);
  const { arm } = entryOf('storage/StorageAccount');
  expect(JSON.parse(files.get('storage/storage-account.json') ?? '')).toEqual(arm);
});

test('the stored version is the one that the fields describe, even when a newer preview is served', () => {
  const { arm } = entryOf('containerservice/ManagedCluster');
  expect(Object.keys(arm.apiVersions)).toEqual(['v1api20250801', 'v20251002preview', 'v1api20240901']);
});

test('fields of older versions are added and say in which versions they are known', () => {
  const { arm } = entryOf('storage/StorageAccount');
  expect(field(arm.fields, 'sku', 'tier')).toEqual({
    type: 'string',
    enum: ['Premium', 'Standard'],
    onlyIn: ['v20230101', 'v1api20230101', 'v20220901', 'v1api20220901', 'v20210401', 'v1api20210401'],
  });
  expect(field(arm.fields, 'zones')?.whenAbsentNotIn).toContain('v1api20210401');
});

test('a rule of Azure itself holds in every version, also in those that do not write it down', () => {
  const { azureName } = entryOf('storage/StorageAccount').arm;
  expect(azureName).toEqual({ pattern: '^[a-z0-9]+$', minLength: 3, maxLength: 24 });
});

test('rules become as wide as the widest version', () => {
  const database = entryOf('dbforpostgresql/FlexibleServersDatabase').arm;
  expect(database.azureName).toEqual({});
  expect(field(database.fields, 'charset')?.pattern).toBeUndefined();
  expect(field(entryOf('sql/Server').arm.fields, 'minimalTlsVersion')?.enum).toBeUndefined();
  expect(entryOf('network/NetworkSecurityGroupsSecurityRule').arm.fields.required).not.toContain('priority');
  expect(field(entryOf('dbforpostgresql/FlexibleServer').arm.fields, 'replica', 'promoteMode')?.enum).toEqual(
    expect.arrayContaining(['Standalone', 'standalone', 'switchover']),
  );
});

test('rules below two collections are structural, because CEL rules there would cost too much', () => {
  const schema = definitionOf('compute/VirtualMachineScaleSet').schema;
  const text = JSON.stringify(schema.properties?.['spec']);
  expect(text).toContain('"allOf":[{"oneOf":');
  expect(text).toContain('"maxItems":4096');
});

test('a difference the generator does not understand stops it', () => {
  const kind = structuredClone(byId.get('resources/ResourceGroup')) as CatalogueKind;
  const [version] = kind.servedVersions;
  if (!version) throw new Error('no version');
  version.differs = { rulesDifferInChosen: [{ path: 'location', rule: 'multipleOf', chosen: 2, here: 3 }] };
  expect(() => mergeVersions(kind)).toThrow(/no way to widen the rule multipleOf/);
  version.differs = { typeDiffers: [{ path: 'location', here: 'integer', chosen: 'string' }] };
  expect(() => mergeVersions(kind)).toThrow(/location has another type/);
  version.differs = { onlyHere: [{ path: 'a.b', armPath: 'a.b', schema: { type: 'string' } }] };
  expect(() => mergeVersions(kind)).toThrow(/no parent of a.b/);
});
