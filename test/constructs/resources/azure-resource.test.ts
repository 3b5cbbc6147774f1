import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { AzureResource } from '../../../constructs/azure-resource.ts';

const metadata = { name: 'logs', namespace: 'shop' };

test('it is one object of its kind, under the stored version unless another is named', () => {
  const chart = Testing.chart();
  const group = new AzureResource(chart, 'group', {
    kind: 'resources.azure.com/ResourceGroup',
    metadata,
    spec: { location: 'westeurope' },
  });
  new AzureResource(chart, 'account', {
    kind: 'storage.azure.com/StorageAccount',
    version: 'v1api20230101',
    metadata: { ...metadata, labels: { team: 'a' } },
    spec: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: group.name } },
  });
  expect(group.reference).toEqual({ group: 'resources.azure.com', kind: 'ResourceGroup', name: 'logs' });
  expect(Testing.synth(chart)).toEqual([
    expect.objectContaining({ kind: 'ResourceGroup', metadata, spec: { location: 'westeurope' } }),
    expect.objectContaining({
      apiVersion: 'storage.azure.com/v1api20230101',
      metadata: { ...metadata, labels: { team: 'a' } },
      spec: expect.objectContaining({ owner: { name: 'logs' } }),
    }),
  ]);
});

test('what the types cannot say is checked with the schema when the app is synthesized', () => {
  const chart = Testing.chart();
  new AzureResource(chart, 'account', {
    kind: 'storage.azure.com/StorageAccount',
    metadata,
    spec: {
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      owner: { name: 'g', armId: '/subscriptions/s' },
    },
  });
  expect(() => Testing.synth(chart)).toThrow('[test/account] spec.owner: set either name, or armId');
});

test('a name that Azure refuses is a problem, unless the spec has another name', () => {
  const account = (azureName?: string) => {
    const chart = Testing.chart();
    new AzureResource(chart, 'my-account', {
      kind: 'storage.azure.com/StorageAccount',
      spec: {
        ...(azureName !== undefined && { azureName }),
        location: 'westeurope',
        kind: 'StorageV2',
        sku: { name: 'Standard_LRS' },
        owner: { armId: '/subscriptions/s/resourceGroups/g' },
      },
    });
    return () => Testing.synth(chart);
  };
  expect(account()).toThrow(
    '[test/my-account] metadata.name: expected a name in Azure of 3 to 24 characters that matches ^[a-z0-9]+$, or ' +
      'spec.azureName with such a name, got "my-account"',
  );
  expect(account('myaccount')).not.toThrow();
});

test('a spec of another kind does not compile', () => {
  const chart = Testing.chart();
  new AzureResource(chart, 'group', {
    kind: 'resources.azure.com/ResourceGroup',
    metadata,
    // @ts-expect-error: a resource group has no sku
    spec: { location: 'westeurope', sku: { name: 'Standard_LRS' } },
  });
});
