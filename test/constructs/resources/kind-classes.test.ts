import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import type { Construct } from 'constructs';
import * as constructs from '../../../constructs/index.ts';
import {
  type AzureResource,
  ResourceGroup,
  RoleAssignment,
  ServerFarm,
  Site,
  StorageAccount,
  StorageAccountsBlobService,
  UserAssignedIdentity,
  Vault,
  VirtualNetwork,
  VirtualNetworksSubnet,
} from '../../../constructs/index.ts';
import { armKinds } from '../../../runtime/api/kinds.ts';
import { sharedNames } from '../../../tools/generate/construct-classes.ts';

const spec = { location: 'westeurope' };
const account = { ...spec, kind: 'StorageV2', sku: { name: 'Standard_LRS' } } as const;
const group = '/subscriptions/s/resourceGroups/g';
const specsOf = (objects: { spec: unknown }[]) => objects.map((each) => each.spec);

type Classes = Record<string, new (scope: Construct, id: string, props: object) => AzureResource<never>>;

test('each kind of the catalogue has a class below the name of its group, and by itself if no other kind has its name', () => {
  const chart = Testing.chart();
  const all = constructs as unknown as Record<string, Classes> & Classes;
  for (const { group: home, kind } of armKinds) {
    const below = home.replace('.azure.com', '').replace('.frontdoor', 'Frontdoor');
    const classes = all[below] as Classes;
    const made = classes[kind] && new classes[kind](chart, `${home}-${kind}`, { spec });
    expect(made?.reference).toMatchObject({ group: home, kind });
    if (sharedNames.has(kind)) expect(all[kind]).toBeUndefined();
    else expect(all[kind]).toBe(classes[kind]);
  }
});

test('an object takes its name from the id and its namespace from the chart, and its references from constructs', () => {
  const chart = Testing.chart();
  const home = new ResourceGroup(chart, 'Shop', { spec });
  const network = new VirtualNetwork(chart, 'net', {
    spec: { ...spec, owner: home, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
  });
  const subnet = new VirtualNetworksSubnet(chart, 'pods', { spec: { owner: network, addressPrefix: '10.0.0.0/24' } });
  new StorageAccount(chart, 'shoplogs', {
    spec: {
      ...account,
      owner: home,
      networkAcls: { defaultAction: 'Deny', virtualNetworkRules: [{ reference: subnet }] },
    },
  });
  const objects = Testing.synth(chart);
  expect(objects.map(({ metadata }) => metadata)).toEqual([
    { name: 'shop' },
    { name: 'net' },
    { name: 'pods' },
    { name: 'shoplogs' },
  ]);
  expect(specsOf(objects)[2]).toMatchObject({ owner: { name: 'net' } });
  expect(specsOf(objects)[3]).toMatchObject({
    owner: { name: 'shop' },
    networkAcls: {
      virtualNetworkRules: [{ reference: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: 'pods' } }],
    },
  });
});

test('the owner of an extension is written with group and kind, as any resource may be it', () => {
  const chart = Testing.chart();
  const vault = new Vault(chart, 'shop-vault', {
    spec: { ...spec, owner: { armId: group }, properties: { sku: { family: 'A', name: 'standard' } } },
  });
  new RoleAssignment(chart, 'read', {
    spec: {
      owner: vault,
      principalId: '11111111-1111-1111-1111-111111111111',
      roleDefinitionReference: { wellKnownName: 'Key Vault Secrets User' },
    },
  });
  expect(specsOf(Testing.synth(chart))[1]).toMatchObject({
    owner: { group: 'keyvault.azure.com', kind: 'Vault', name: 'shop-vault' },
  });
});

test('a reference to a kind that the field does not take does not compile', () => {
  const chart = Testing.chart();
  const network = new VirtualNetwork(chart, 'net', {
    spec: { ...spec, owner: { armId: group }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
  });
  const identity = new UserAssignedIdentity(chart, 'shop', { spec: { ...spec, owner: { armId: group } } });
  // @ts-expect-error: an account is in a resource group, not in a network
  new StorageAccount(chart, 'a', { spec: { ...account, owner: network } });
  // @ts-expect-error: a rule of an account names a subnet, not a network
  const rule: NonNullable<Rules>[number] = { reference: network };
  const identities: Identities = [{ reference: identity }];
  // @ts-expect-error: an identity of an account is a UserAssignedIdentity
  identities.push({ reference: network });
  const plan = new ServerFarm(chart, 'plan', { spec: { ...spec, owner: { armId: group } } });
  const site = { ...spec, owner: { armId: group }, serverFarmReference: plan };
  // @ts-expect-error: a site runs in a plan, not in a network
  new Site(chart, 'site', { spec: { ...site, serverFarmReference: network } });
  const byId = new StorageAccountsBlobService(chart, 'b', { spec: { owner: { name: 'logs' } } });
  // @ts-expect-error: the class of the kind says which kind it is
  byId satisfies AzureResource<'storage.azure.com/StorageAccount'>;
  // @ts-expect-error: a resource group has no sku
  new ResourceGroup(chart, 'c', { spec: { ...spec, sku: {} } });
  // @ts-expect-error: a network gives no value
  network.export('key1');
  expect(rule).toBeDefined();
});
type AccountSpec = ConstructorParameters<typeof StorageAccount>[2]['spec'];
type Rules = NonNullable<AccountSpec['networkAcls']>['virtualNetworkRules'];
type Identities = NonNullable<NonNullable<AccountSpec['identity']>['userAssignedIdentities']>[number][];

test('the synthesis names every problem at once, with the path of the construct', () => {
  const chart = Testing.chart();
  const foreign = new ResourceGroup(chart, 'foreign', { metadata: { namespace: 'other' }, spec });
  new StorageAccount(chart, 'first', { metadata: { name: 'Logs' }, spec: { ...account, owner: foreign } });
  new StorageAccount(chart, 'second', { spec: { ...account, owner: { armId: `${group}/providers/A.B/c/d` } } });
  const problems = (() => {
    try {
      return String(Testing.synth(chart));
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(problems).toContain('[test/first] metadata.name: expected a lower-case RFC 1123 name');
  expect(problems).toContain(
    '[test/first] spec.owner refers to foreign in the namespace `other`, and references stay within one namespace',
  );
  expect(problems).toContain(
    `[test/second] spec.owner.armId: expected the ARM id of a ResourceGroup, got \`${group}/providers/A.B/c/d\``,
  );
});
