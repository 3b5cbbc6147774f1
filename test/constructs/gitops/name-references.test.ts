import { expect, test } from '@jest/globals';
import { kustomizeConfiguration, referencesOf } from '../../../constructs/gitops/name-references.ts';
import { allKinds, kindOf } from '../../../runtime/api/kinds.ts';
import type { StructuralSchema } from '../../../runtime/api/schema/structural-schema.ts';

const pathsOf = (group: string, kind: string) => referencesOf(kindOf(group, kind)).map(([path]) => path);

/** Every field of a spec that names an object of the cluster: by `name` beside `armId`, or in a Secret or ConfigMap. */
function namingFields(schema: StructuralSchema, path: readonly string[]): string[] {
  const { properties = {}, items, description = '' } = schema;
  const names = /^(A value|All values) of a (Secret|ConfigMap) in this namespace/.test(description);
  if ('name' in properties && ('armId' in properties || names)) return [[...path, 'name'].join('/')];
  return [
    ...Object.entries(properties).flatMap(([name, child]) => namingFields(child, [...path, name])),
    ...(items ? namingFields(items, path) : []),
  ];
}

test('every field that names an object is in the configuration', () => {
  const missing = allKinds.flatMap((kind) => {
    const known = referencesOf(kind).map(([path]) => path);
    return namingFields(kind.schema.properties?.['spec'] ?? {}, ['spec'])
      .filter((path) => !known.includes(path))
      .map((path) => `${kind.kind} ${path}`);
  });
  expect(missing).toEqual([]);
});

test('owners, credentials and references that the schema does not show are in it too', () => {
  expect(pathsOf('storage.azure.com', 'StorageAccount')).toEqual(
    expect.arrayContaining(['spec/owner/name', 'metadata/annotations/serviceoperator.azure.com\\/credential-from']),
  );
  expect(pathsOf('compute.azure.com', 'VirtualMachine')).toContain('spec/operatorSpec/managedSecrets/name');
  expect(pathsOf('aadpodidentity.k8s.io', 'AzureIdentityBinding')).toEqual(['spec/azureIdentity']);
  expect(pathsOf('azimuth.dev', 'FeatureApproval')).toEqual(['spec/for/name']);
});

test('an owner is of the kinds that may own, any other reference of any kind', () => {
  const { nameReference } = kustomizeConfiguration([kindOf('storage.azure.com', 'StorageAccount')]);
  const targets = nameReference.map(({ kind = '*', fieldSpecs }) => `${kind} ${fieldSpecs.map(({ path }) => path)[0]}`);
  expect(targets).toContain('ResourceGroup spec/owner/name');
  expect(nameReference.find(({ kind }) => kind === undefined)?.fieldSpecs).toContainEqual({
    group: 'storage.azure.com',
    path: 'spec/identity/userAssignedIdentities/reference/name',
  });
});
