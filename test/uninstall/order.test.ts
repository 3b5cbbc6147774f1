import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import type { Item } from '../../runtime/uninstall/inventory.ts';
import { deletableNow } from '../../runtime/uninstall/order.ts';
import { rowId } from '../../runtime/view/model/row.ts';
import { account, group, object } from '../view/support.ts';
import { itemOf } from './support.ts';

const names = (lists: Item[][]) => lists.map((items) => items.map(({ row }) => `${row.kind}/${row.name}`).sort());
const plan = (objects: readonly KubeObject[], mode: 'keep-azure' | 'delete' = 'delete') =>
  names(deletableNow(objects.map(itemOf), mode));
const kept = { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' } };
const podIdentity = (kind: string, name: string, spec: object = {}) =>
  object('aadpodidentity.k8s.io/v1', kind, name, { spec });

test('a deployment goes before its objects, which it would make again', () => {
  const deployment = object('azimuth.dev/v1alpha1', 'ComputeDeployment', 'shop', { spec: {} });
  expect(plan([group('rg'), deployment])).toEqual([['ComputeDeployment/shop']]);
  expect(plan([group('rg'), deployment], 'keep-azure')).toEqual([['ComputeDeployment/shop']]);
});

test('bindings go first, and identities wait until the controller has detached the last one', () => {
  const identity = podIdentity('AzureIdentity', 'id');
  const binding = podIdentity('AzureIdentityBinding', 'bound', { azureIdentity: 'id' });
  const assigned = podIdentity('AzureAssignedIdentity', 'assigned');
  expect(plan([identity, binding, assigned, group('rg')])).toEqual([['AzureIdentityBinding/bound']]);
  expect(plan([identity, assigned, group('rg')])).toEqual([]);
  expect(plan([identity, group('rg')])).toEqual([['AzureIdentity/id']]);
});

test('an owner goes with what it owns, which goes before it', () => {
  expect(plan([group('rg'), account('photos', 'rg')])).toEqual([['StorageAccount/photos'], ['ResourceGroup/rg']]);
});

test('an owner that stays in Azure waits for what it owns, unless that stays too', () => {
  const owner = { ...group('rg'), metadata: { ...group('rg').metadata, ...kept } };
  expect(plan([owner, account('photos', 'rg')])).toEqual([['StorageAccount/photos']]);
  expect(plan([owner, account('photos', 'rg')], 'keep-azure')).toEqual([
    ['StorageAccount/photos'],
    ['ResourceGroup/rg'],
  ]);
});

const network = (name: string, owner: string) =>
  object('network.azure.com/v1api20201101', 'NetworkInterface', name, {
    spec: {
      location: 'westeurope',
      owner: { name: owner },
      ipConfigurations: [
        {
          name: 'ip',
          subnet: { reference: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: 'subnet' } },
        },
      ],
    },
  });
const virtualNetwork = object('network.azure.com/v1api20201101', 'VirtualNetwork', 'net', {
  spec: { location: 'westeurope', owner: { name: 'shared' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
});
const subnet = object('network.azure.com/v1api20201101', 'VirtualNetworksSubnet', 'subnet', {
  spec: { owner: { name: 'net' }, addressPrefix: '10.0.0.0/24' },
});

test('what another group needs goes after it', () => {
  const objects = [group('shared'), virtualNetwork, subnet, group('app'), network('card', 'app')];
  expect(plan(objects)).toEqual([['NetworkInterface/card'], ['ResourceGroup/app']]);
  expect(plan(objects.slice(0, 3))).toEqual([
    ['VirtualNetworksSubnet/subnet'],
    ['VirtualNetwork/net'],
    ['ResourceGroup/shared'],
  ]);
});

test('an object that is being deleted is not deleted again, and others still wait for it', () => {
  const deleting = network('card', 'app');
  deleting.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(plan([group('shared'), virtualNetwork, subnet, deleting])).toEqual([]);
});

test('objects that need each other, and owners in a circle, all go', () => {
  const circle = (from: string, to: string): Item => {
    const item = itemOf(account(from, 'none'));
    const id = rowId('storage.azure.com', 'StorageAccount', 'demo', to);
    return { ...item, row: { ...item.row, links: [{ type: 'reference', to: id, text: to }] } };
  };
  expect(names(deletableNow([circle('a', 'b'), circle('b', 'a')], 'delete'))).toEqual([
    ['StorageAccount/a', 'StorageAccount/b'],
  ]);
  const owners = ['a', 'b'].map((name, index) => {
    const item = circle(name, index === 0 ? 'b' : 'a');
    return {
      ...item,
      row: { ...item.row, links: item.row.links.map((link) => ({ ...link, type: 'owner' as const })) },
    };
  });
  expect(names(deletableNow(owners, 'delete')).flat().sort()).toEqual(['StorageAccount/a', 'StorageAccount/b']);
});
