import { expect, test } from '@jest/globals';
import { templateWithIdentity } from '../deployments/arm-templates.ts';
import { identityModule, roleModule, textOf } from '../deployments/rounds/azd-template.ts';
import { changeOf, cluster, owned, plan, storedDeployment } from './support.ts';

const json = templateWithIdentity({
  type: 'Microsoft.Network/virtualNetworks',
  apiVersion: '2020-11-01',
  name: 'net',
  location: '[resourceGroup().location]',
  tags: { principal: "[reference('shop').principalId]" },
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
});
const spec = { locations: [{ name: 'westeurope' }], template: { arm: { json, owner: { name: 'rg' } } } };
const documents = [
  { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment', metadata: { name: 'shop' }, spec },
  {
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name: 'rg' },
    spec: { location: 'westeurope' },
  },
];
const note = "spec.tags.principal: known after apply, reference('shop').principalId";

test('a value that Azure decides is known after apply', () => {
  const found = plan(documents);
  expect(found.problems).toEqual([]);
  expect(changeOf(found, 'westeurope-net')).toMatchObject({
    action: 'Create',
    notes: [note],
    after: ['UserAssignedIdentity.managedidentity.azure.com/westeurope-shop'],
  });
});

test('the value that the cluster has for it is no change', () => {
  const network = {
    apiVersion: 'network.azure.com/v1api20201101',
    kind: 'VirtualNetwork',
    metadata: { name: 'westeurope-net' },
    spec: {
      azureName: 'net',
      location: 'westeurope',
      owner: { name: 'rg' },
      tags: { principal: 'some-id' },
      addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
    },
  };
  const found = plan(documents, cluster(storedDeployment(spec), owned(network, 'westeurope')));
  expect(changeOf(found, 'westeurope-net')).toMatchObject({ action: 'None', paths: [], notes: [note] });
});

test('the object whose resource another object of the goal takes over is detached', () => {
  const former = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ArmResource',
    metadata: { name: 'westeurope-former' },
    spec: { type: 'Microsoft.Network/virtualNetworks@2020-11-01', owner: { name: 'rg' } },
  };
  const zeros = '00000000-0000-0000-0000-000000000000';
  const id = `/subscriptions/${zeros}/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/net`;
  const annotations = { 'serviceoperator.azure.com/resource-id': id };
  const found = plan(documents, cluster(storedDeployment(spec), owned(former, 'westeurope', { annotations })));
  expect(changeOf(found, 'westeurope-former')).toMatchObject({
    action: 'Delete',
    notes: ['the resource stays in Azure, as that of VirtualNetwork.network.azure.com/westeurope-net'],
  });
});

test('an object is not deleted while names are not decided, as it may be one of these', () => {
  const text = textOf([roleModule('app'), identityModule('app')]);
  const template = { arm: { json: text, owner: { name: 'rg' } } };
  const [first, group] = documents;
  const former = {
    apiVersion: 'authorization.azure.com/v1api20220401',
    kind: 'RoleAssignment',
    metadata: { name: 'westeurope-former' },
    spec: {},
  };
  const observed = cluster(storedDeployment({ ...spec, template }), owned(former, 'westeurope'));
  const found = plan([{ ...first, spec: { ...spec, template } }, group], observed);
  expect(found.changes.filter(({ action }) => action === 'Delete')).toEqual([]);
  expect(found.notes).toContainEqual(
    expect.stringMatching(/RoleAssignment.*\/westeurope-former may be deleted or kept, as Azure decides about names/),
  );
});

const deployerPlan = (network: object) => {
  const own = {
    type: 'Microsoft.Network/virtualNetworks',
    apiVersion: '2020-11-01',
    location: 'westeurope',
    ...network,
  };
  const properties = { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
  const arm = { json: textOf([{ ...own, properties }]), owner: { name: 'rg' } };
  return plan([{ ...documents[0], spec: { ...spec, template: { arm } } }, documents[1]]);
};

test('deployer() is known after apply, since only the operator has the credential', () => {
  const found = deployerPlan({ name: 'net', tags: { by: '[deployer().objectId]', of: '[deployer().tenantId]' } });
  expect(found.problems).toEqual([]);
  expect(changeOf(found, 'westeurope-net')).toMatchObject({
    action: 'Create',
    notes: [
      'spec.tags.by: known after apply, deployer().objectId',
      'spec.tags.of: known after apply, deployer().tenantId',
    ],
  });
});

test('a name that contains deployer() is a note', () => {
  const found = deployerPlan({ name: "[concat('net-', deployer().objectId)]" });
  expect(found.problems).toEqual([]);
  expect(found.notes.join()).toContain(
    "the name of a resource is decided when deployer() answers: [concat('net-', deployer().objectId)]",
  );
});
