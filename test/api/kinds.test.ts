import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { armKindDefinition } from '../../runtime/api/arm-kind.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import type { StorageAccountSpec } from '../../runtime/api/generated/storage/storage-account.ts';
import {
  type ArmKindDefinition,
  allKinds,
  armKinds,
  armKindsOfType,
  kindByResource,
  kindOf,
  podIdentityKinds,
  resourceOf,
  resourceTypes,
  tryKindByResource,
  tryKindOf,
} from '../../runtime/api/kinds.ts';
import type { AzureIdentitySpec } from '../../runtime/api/pod-identity/azure-identity.ts';
import type { ArmKind } from '../../runtime/api/types.ts';

const builtinShortNames =
  'bgp cj cm cr crd crds cs csr deploy ds ep ev hpa ing limits netpol no ns pc pdb po psp pv pvc quota rc rs sa sc sts svc';

test('every value that a kind exports has a source', () => {
  const without = armKinds.flatMap(({ arm, group, kind }) => {
    const { operatorSpec, secretSource } = arm;
    const missing = (['secrets', 'configMaps'] as const).flatMap((target) =>
      (operatorSpec?.[target] ?? []).filter((name) => secretSource?.[target]?.[name] === undefined),
    );
    return missing.map((name) => `${group}/${kind} ${name}`);
  });
  expect(without).toEqual([]);
});

test('kinds are found by kind and by resource', () => {
  const account = kindOf('storage.azure.com', 'StorageAccount');
  expect(kindByResource('storage.azure.com', 'storageaccounts')).toBe(account);
  expect(tryKindOf('storage.azure.com', 'storageaccount')).toBeUndefined();
  expect(tryKindByResource('storage.azure.com', 'StorageAccount')).toBeUndefined();
});

test('the data of a kind are loaded once, and only when somebody asks for them', () => {
  const { arm: _, ...names } = { ...kindOf('storage.azure.com', 'StorageAccount') } as ArmKindDefinition;
  let loads = 0;
  const definition = armKindDefinition({ ...names, versions: ['v20250601'] }, () => {
    loads++;
    return kindOf('storage.azure.com', 'StorageAccount').arm as ArmKind;
  });
  expect([definition.armType, resourceOf(definition).version]).toEqual([
    'Microsoft.Storage/storageAccounts',
    'v20250601',
  ]);
  expect(loads).toBe(0);
  expect(crdManifest(definition).spec.versions).toHaveLength(1);
  expect(definition.schema).toBe(definition.schema);
  expect(loads).toBe(1);
});

test('kinds are found by their ARM type in any case', () => {
  const [account] = armKindsOfType('microsoft.storage/STORAGEACCOUNTS');
  expect(account).toBe(kindOf('storage.azure.com', 'StorageAccount'));
  expect(armKindsOfType('Microsoft.Storage/none')).toEqual([]);
});

test('a kind that is not served is reported with those of its group', () => {
  expect(() => kindOf('keyvault.azure.com', 'Key')).toThrow(
    'Expected a kind Key of the group keyvault.azure.com that Azimuth serves: it has Vault',
  );
  expect(() => kindByResource('nowhere.dev', 'things')).toThrow(/no kind of that group is served/);
});

test('resource types name the stored version', () => {
  expect(resourceTypes).toContainEqual({
    group: 'storage.azure.com',
    version: 'v20250601',
    plural: 'storageaccounts',
    kind: 'StorageAccount',
    namespaced: true,
  });
  expect(resourceTypes).toHaveLength(allKinds.length);
});

test('names, plurals and short names are unique, and no short name is one of Kubernetes', () => {
  const names = allKinds.flatMap(({ shortNames }) => shortNames);
  expect(new Set(names).size).toBe(names.length);
  for (const name of builtinShortNames.split(' ')) expect(names).not.toContain(name);
  expect(new Set(allKinds.map(({ group, plural }) => `${plural}.${group}`)).size).toBe(allKinds.length);
});

test('an Azure kind is in the category azure and in that of its group', () => {
  for (const { group, categories } of armKinds) expect(categories).toEqual(['azure', group.split('.')[0]]);
});

test('the kinds of pod identity are in the category azure, and show what they are about', () => {
  for (const { kind, categories, printerColumns } of podIdentityKinds) {
    expect([kind, categories]).toEqual([kind, ['azure']]);
    expect(printerColumns.map(({ name }) => name)).toContain('Age');
  }
  const assigned = kindOf('aadpodidentity.k8s.io', 'AzureAssignedIdentity').printerColumns.map(({ name }) => name);
  expect(assigned).toEqual(['Namespace', 'Pod', 'AzureIdentity', 'Node', 'Status', 'Age']);
});

test('the name of a storage account is checked in every version', () => {
  const { spec } = crdManifest(kindOf('storage.azure.com', 'StorageAccount'), { cel: true, versions: 'all' });
  expect(spec.versions.length).toBeGreaterThan(5);
  for (const { schema } of spec.versions) {
    expect(schema.openAPIV3Schema.properties?.['spec']?.properties?.['azureName']).toMatchObject({
      pattern: '^[a-z0-9]+$',
      minLength: 3,
      maxLength: 24,
    });
  }
});

test('an Azure kind carries its way to ARM', () => {
  const { arm } = kindOf('storage.azure.com', 'StorageAccountsBlobService');
  expect(arm).toMatchObject({
    armType: 'Microsoft.Storage/storageAccounts/blobServices',
    azureNameFixed: 'default',
    deletable: false,
    topLevel: ['name'],
    propertiesFlattened: true,
    owner: { extension: false, kinds: ['StorageAccount'], group: 'storage.azure.com' },
  });
  expect(arm?.apiVersions['v1api20210401']).toBe('2021-04-01');
  expect(arm?.fields.properties?.['cors']?.properties?.['corsRules']?.whenAbsent).toBe('null');
});

test('a singleton has no azureName, a resource group no owner', () => {
  const properties = (group: string, kind: string) =>
    Object.keys(kindOf(group, kind).schema.properties?.['spec']?.properties ?? {});
  expect(properties('storage.azure.com', 'StorageAccountsBlobService')).not.toContain('azureName');
  expect(properties('resources.azure.com', 'ResourceGroup')).not.toContain('owner');
  expect(properties('resources.azure.com', 'ResourceGroup')).toContain('azureName');
});

test('specs have TypeScript types', () => {
  const spec: StorageAccountSpec = {
    owner: { name: 'rg' },
    kind: 'StorageV2',
    location: 'westeurope',
    sku: { name: 'Standard_LRS' },
    networkAcls: {
      defaultAction: 'Deny',
      virtualNetworkRules: [{ reference: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: 's' } }],
    },
    operatorSpec: { secrets: { key1: { name: 'secret', key: 'key1' } } },
  };
  const identity: AzureIdentitySpec = { type: 0, auxiliaryTenantIDs: null, replicas: null };
  const intoVault: StorageAccountSpec['operatorSpec'] = { keyVault: { vault: 'shop', keys: ['key0'] } };
  // @ts-expect-error: the generated type knows the keys that go into a vault
  const noKey: StorageAccountSpec['operatorSpec'] = { keyVault: { vault: 'shop', keys: ['key9'] } };
  // @ts-expect-error: the generated type knows the names that a storage account can export
  const wrong: StorageAccountSpec['operatorSpec'] = { secrets: { key3: { name: 'a', key: 'b' } } };
  expect([spec, identity, intoVault, noKey, wrong]).toHaveLength(5);
});

test('the schema library is used for its types only, so that importing the kinds stays cheap', () => {
  const files = globSync('runtime/api/**/*.ts');
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) {
    expect(readFileSync(file, 'utf8')).not.toMatch(/import (?!type )[^;]*from 'typebox/);
  }
});

/** Upstream's fields and their types; `?` marks nullable ones. */
const upstream: Record<string, Record<'spec' | 'status', string>> = {
  AzureIdentity: {
    spec: 'adEndpoint:string adResourceID:string auxiliaryTenantIDs:array? clientID:string clientPassword:object metadata:object replicas:integer? resourceID:string tenantID:string type:integer',
    status: 'availableReplicas:integer metadata:object',
  },
  AzureIdentityBinding: {
    spec: 'azureIdentity:string metadata:object selector:string weight:integer',
    status: 'availableReplicas:integer metadata:object',
  },
  AzureAssignedIdentity: {
    spec: 'azureBindingRef:object azureIdentityRef:object metadata:object nodename:string pod:string podNamespace:string replicas:integer?',
    status: 'availableReplicas:integer metadata:object status:string',
  },
  AzurePodIdentityException: { spec: 'metadata:object podLabels:object', status: 'metadata:object status:string' },
};

test.each(Object.entries(upstream))('%s has the fields it had, none of them required', (name, members) => {
  const { schema } = kindOf('aadpodidentity.k8s.io', name);
  expect(schema.required).toBeUndefined();
  for (const member of ['spec', 'status'] as const) {
    const part = schema.properties?.[member];
    expect(part?.required).toBeUndefined();
    const fields = Object.entries(part?.properties ?? {}).map(
      ([field, { type, nullable }]) => `${field}:${type}${nullable ? '?' : ''}`,
    );
    expect(fields).toEqual(expect.arrayContaining(members[member].split(' ')));
  }
});
