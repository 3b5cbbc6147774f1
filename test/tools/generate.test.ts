import { expect, test } from '@jest/globals';
import { armKindDefinition } from '../../runtime/api/arm-kind.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import type { FieldTree } from '../../runtime/api/types.ts';
import { type CatalogueKind, idOf, readCatalogue, trimKind } from '../../tools/generate/catalogue.ts';
import { servedKinds, shortNames } from '../../tools/generate/kinds.ts';
import { mergeVersions } from '../../tools/generate/merge-versions.ts';
import { render } from '../../tools/generate/render.ts';
import { drift, referenceDrift } from '../../tools/generate.ts';
import { examine, schemaCostLimit } from '../api/structural.ts';

const catalogue = readCatalogue();
const byId = new Map(catalogue.map((kind) => [idOf(kind), kind]));
const entryOf = (id: string) => mergeVersions(byId.get(id) as CatalogueKind, shortNames[id] ?? []);
const field = (root: FieldTree, ...path: string[]) =>
  path.reduce<FieldTree | undefined>((at, step) => (step === '[]' ? at?.items : at?.properties?.[step]), root);

test('the generated files are what the catalogue yields', () => {
  expect(drift()).toEqual([]);
  expect(referenceDrift()).toBe(false);
});

test('the catalogue has 71 kinds, and the served ones are among them', () => {
  expect(catalogue).toHaveLength(71);
  expect(servedKinds.filter((id) => !byId.has(id))).toEqual([]);
});

test('every kind of the catalogue has a short name, and no two share one', () => {
  const names = [...byId.keys()].flatMap((id) => shortNames[id] ?? []);
  expect(names).toHaveLength(71);
  expect(new Set(names).size).toBe(71);
});

test.each([...byId.keys()])('%s: its CRD is structural and its rules cheap enough', (id) => {
  const crd = crdManifest(armKindDefinition(entryOf(id)));
  for (const { schema } of crd.spec.versions.slice(0, 2)) {
    const { problems, cost } = examine(schema.openAPIV3Schema);
    expect(problems).toEqual([]);
    expect(cost).toBeLessThan(schemaCostLimit);
  }
  // etcd refuses requests above 1.5 MiB.
  expect(JSON.stringify(crd).length).toBeLessThan(1.5 * 1024 * 1024);
});

test('all 71 kinds can be rendered, and rendering is deterministic', () => {
  const all = [...byId.keys()];
  const files = render(catalogue, all, shortNames);
  // One for each kind, the index, and the types of all specs.
  expect(files.size).toBe(73);
  expect([...render(catalogue, all, shortNames)]).toEqual([...files]);
});

test('a kind that is not in the catalogue is reported', () => {
  expect(() => render(catalogue, ['storage/Nothing'], shortNames)).toThrow('storage/Nothing is not in tools/catalogue');
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
  const schema = armKindDefinition(entryOf('compute/VirtualMachineScaleSet')).schema;
  const text = JSON.stringify(schema.properties?.['spec']);
  expect(text).toContain('"allOf":[{"oneOf":');
  expect(text).toContain('"maxItems":4096');
});

test('a difference the generator does not understand stops it', () => {
  const kind = structuredClone(byId.get('resources/ResourceGroup')) as CatalogueKind;
  const [version] = kind.servedVersions;
  if (!version) throw new Error('no version');
  version.differs = { rulesDifferInChosen: [{ path: 'location', rule: 'multipleOf', chosen: 2, here: 3 }] };
  expect(() => mergeVersions(kind, [])).toThrow(/no way to widen the rule multipleOf/);
  version.differs = { typeDiffers: [{ path: 'location', here: 'integer', chosen: 'string' }] };
  expect(() => mergeVersions(kind, [])).toThrow(/location has another type/);
  version.differs = { onlyHere: [{ path: 'a.b', armPath: 'a.b', schema: { type: 'string' } }] };
  expect(() => mergeVersions(kind, [])).toThrow(/no parent of a.b/);
});

test('what is taken over from a whole catalogue carries no prose', () => {
  const kept = trimKind({
    ...byId.get('storage/StorageAccount'),
    categories: ['azure'],
    customizations: ['collections without a value are sent as null'],
    softDelete: 'none',
    renames: [],
  });
  expect(Object.keys(kept)).not.toEqual(expect.arrayContaining(['customizations']));
  expect(kept).toEqual(byId.get('storage/StorageAccount'));
});
