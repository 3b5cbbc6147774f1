import { expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { allKinds, kindOf } from '../../runtime/api/kinds.ts';
import type { StructuralSchema } from '../../runtime/api/schema/structural-schema.ts';
import { examine, schemaCostLimit } from './structural.ts';

const crdOf = (group: string, kind: string, options = {}) => crdManifest(kindOf(group, kind), options);

test('the CRD of a resource group', () => {
  expect(crdOf('resources.azure.com', 'ResourceGroup')).toMatchSnapshot();
});

test('the CRD of a binding', () => {
  expect(crdOf('aadpodidentity.k8s.io', 'AzureIdentityBinding')).toMatchSnapshot();
});

test.each(allKinds.map((kind) => [kind.kind, kind] as const))(
  '%s: structural, and its rules cheap enough',
  (_, kind) => {
    for (const cel of [true, false]) {
      const { spec } = crdManifest(kind, { cel });
      for (const version of spec.versions) {
        const { problems, cost } = examine(version.schema.openAPIV3Schema);
        expect(problems).toEqual([]);
        expect(cost).toBeLessThan(schemaCostLimit);
      }
    }
  },
);

test.each(allKinds.map((kind) => [kind.kind, kind] as const))('%s: the same bytes each time', (_, kind) => {
  expect(JSON.stringify(crdManifest(kind))).toBe(JSON.stringify(crdManifest({ ...kind })));
});

test('kubectl apply can keep every CRD in its annotation, which holds 256 KiB', () => {
  for (const kind of allKinds) expect(JSON.stringify(crdManifest(kind)).length).toBeLessThan(256 * 1024);
});

test('each list of expressions is bounded, and so is each expression, in every kind', () => {
  const lists: { readonly maxItems?: number; readonly longest?: number }[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: schemas of any depth
  const visit = (schema: any): void => {
    for (const [name, member] of Object.entries<typeof schema>(schema?.properties ?? {})) {
      if (!name.endsWith('Expressions')) visit(member);
      else lists.push({ maxItems: member.maxItems, longest: member.items.properties.value.maxLength });
    }
  };
  for (const kind of allKinds) {
    const { spec } = crdManifest(kind, { versions: 'newest' });
    for (const { schema } of spec.versions) visit(schema.openAPIV3Schema.properties?.['spec']);
  }
  expect(lists.length).toBeGreaterThan(500);
  expect(new Set(lists.map((list) => JSON.stringify(list)))).toEqual(new Set(['{"maxItems":100,"longest":4096}']));
});

test('the stored version, the one that discovery prefers and those asked for declare the fields of the status', () => {
  const declaring = (versions: 'all' | 'newest' | readonly string[], group = 'storage', kind = 'StorageAccount') =>
    crdOf(`${group}.azure.com`, kind, { versions })
      .spec.versions.filter(({ schema }) => Object.keys(statusIn(schema).properties ?? {}).length > 2)
      .map(({ name }) => name);
  expect(declaring('all')).toEqual(['v20250601']);
  expect(declaring('all', 'documentdb', 'DatabaseAccount')).toEqual(['v1api20240815', 'v1api20210515']);
  expect(declaring('newest')).toEqual(['v20250601']);
  expect(declaring(['storage.azure.com/v1api20230101', 'storage.azure.com/v20220901'])).toEqual([
    'v20250601',
    'v1api20230101',
    'v20220901',
  ]);
});

test('kinds whose status has no declared fields are these', () => {
  const without = allKinds.filter(({ arm }) => arm && !arm.status).map(({ group, kind }) => `${group}/${kind}`);
  expect(without).toMatchInlineSnapshot(`
[
  "dbformysql.azure.com/User",
  "dbforpostgresql.azure.com/User",
  "entra.azure.com/SecurityGroup",
  "sql.azure.com/User",
]
`);
});

const statusIn = ({ openAPIV3Schema }: { readonly openAPIV3Schema: StructuralSchema }) =>
  openAPIV3Schema.properties?.['status'] ?? {};

test('all versions of a kind are served from one schema of the spec, and the first is stored', () => {
  const { versions } = crdOf('storage.azure.com', 'StorageAccount').spec;
  expect(versions.map(({ name }) => name)).toEqual([
    'v20250601',
    'v20230101',
    'v1api20230101',
    'v20220901',
    'v1api20220901',
    'v20210401',
    'v1api20210401',
  ]);
  expect(versions.map(({ storage }) => storage)).toEqual([true, false, false, false, false, false, false]);
  const [first, ...others] = versions.map(({ schema }) =>
    JSON.stringify(schema.openAPIV3Schema.properties?.['spec'], (key, value) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  );
  for (const other of others) expect(other).toBe(first);
});

test('descriptions stand in the stored version only, but for that of the kind', () => {
  const [stored, older] = crdOf('storage.azure.com', 'StorageAccount').spec.versions;
  expect(stored?.schema.openAPIV3Schema.properties?.['spec']?.description).toBe('The wanted state.');
  expect(older?.schema.openAPIV3Schema.properties?.['spec']?.description).toBeUndefined();
  expect(older?.schema.openAPIV3Schema.description).toMatch(/Microsoft.Storage/);
});

test('descriptions are in the version that discovery prefers, which kubectl explain reads', () => {
  const { versions } = crdOf('documentdb.azure.com', 'DatabaseAccount').spec;
  const described = versions.filter(({ schema }) => JSON.stringify(schema).includes('The wanted state.'));
  expect(described.map(({ name }) => name)).toEqual(['v1api20210515']);
});

test("the texts of fields are in the version that explain shows, or in all, and leave Azimuth's own in place", () => {
  const account = kindOf('storage.azure.com', 'StorageAccount');
  const texts = {
    'spec.accessTier': 'How often it is read.',
    'spec.location': 'Not this one.',
    'spec.networkAcls.ipRules': 'The rules.',
    'status.primaryLocation': 'Where it is.',
  };
  const schemas = (descriptions: 'newest' | 'all') =>
    crdManifest(account, { texts, descriptions }).spec.versions.map(({ name, schema }) => {
      const { spec, status } = schema.openAPIV3Schema.properties ?? {};
      return { name, spec: spec?.properties ?? {}, status: status?.properties ?? {} };
    });
  const tiers = (descriptions: 'newest' | 'all') =>
    schemas(descriptions).filter(({ spec }) => spec['accessTier']?.description === texts['spec.accessTier']);
  expect(tiers('newest').map(({ name }) => name)).toEqual(['v20250601']);
  expect(tiers('all')).toHaveLength(account.versions.length);
  const [newest] = tiers('newest');
  expect(newest?.spec['location']?.description).toBe('Azure region, such as westeurope.');
  const rules = newest?.spec['networkAcls']?.properties?.['ipRules'];
  expect([rules?.description, rules?.items?.description]).toEqual(['The rules.', undefined]);
  expect(newest?.status['primaryLocation']?.description).toBe('Where it is.');
});

test('a lean definition serves the stored version alone, described', () => {
  for (const kind of allKinds) {
    const { versions } = crdManifest(kind, { versions: 'newest' }).spec;
    expect(versions.map(({ name, storage }) => [name, storage])).toEqual([[kind.versions[0]?.name, true]]);
  }
  const [only] = crdOf('documentdb.azure.com', 'DatabaseAccount', { versions: 'newest' }).spec.versions;
  expect(only?.schema.openAPIV3Schema.properties?.['spec']?.description).toBe('The wanted state.');
});

test('without CEL, members that exclude each other are kept apart structurally', () => {
  const version = (cel: boolean) =>
    JSON.stringify(crdOf('authorization.azure.com', 'RoleAssignment', { cel }).spec.versions[0]);
  expect(version(true)).toContain('x-kubernetes-validations');
  expect(version(true)).not.toContain('oneOf');
  expect(version(false)).not.toContain('x-kubernetes-validations');
  expect(version(false)).toContain('"oneOf":[{"required":["armId"]},{"required":["group","kind","name"]}]');
});

test('Azure resources show what ASO v2 shows, and their age', () => {
  const [version] = crdOf('keyvault.azure.com', 'Vault').spec.versions;
  expect(version?.additionalPrinterColumns?.map(({ name }) => name)).toEqual([
    'Ready',
    'Severity',
    'Reason',
    'Message',
    'Age',
  ]);
  expect(version?.subresources).toEqual({ status: {} });
});

test('the kinds of AAD Pod Identity keep the columns and the annotation that they had', () => {
  const identity = crdOf('aadpodidentity.k8s.io', 'AzureIdentity');
  expect(identity.metadata).toMatchObject({
    name: 'azureidentities.aadpodidentity.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'unapproved' },
  });
  const columns = identity.spec.versions[0]?.additionalPrinterColumns?.map(({ name, jsonPath }) => [name, jsonPath]);
  expect(columns).toEqual([
    ['Type', '.spec.type'],
    ['ClientID', '.spec.clientID'],
    ['Age', '.metadata.creationTimestamp'],
  ]);
  expect(crdOf('aadpodidentity.k8s.io', 'AzureAssignedIdentity').spec.versions[0]?.subresources).toBeUndefined();
});
