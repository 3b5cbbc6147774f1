import { expect, test } from '@jest/globals';
import { azure, client, provider } from './world.ts';

test('lists come in pages whose links lead to the next one', async () => {
  azure.settings.pageSize = 2;
  for (const name of ['a', 'b', 'c']) {
    await client.arm('PUT', `/subscriptions/${azure.subscriptionId}/resourceGroups/${name}`, '2021-04-01', {
      location: 'eastus',
    });
  }
  const first = await client.arm('GET', `/subscriptions/${azure.subscriptionId}/resourcegroups`, '2021-04-01');
  const second = await client.get(first.body.nextLink);
  const names = [...first.body.value, ...second.body.value].map(({ name }: { name: string }) => name);
  expect([names, second.body.nextLink]).toEqual([['rg', 'a', 'b', 'c'], undefined]);
});

test('the list of resources is filtered by type, group, name and tag together, and refuses other filters', async () => {
  const identity = (name: string, tags: object) =>
    client.arm('PUT', provider(`Microsoft.ManagedIdentity/userAssignedIdentities/${name}`), '2023-01-31', {
      location: 'westus2',
      tags,
    });
  await identity('one', { team: 'blue' });
  await identity('two', { team: 'red' });
  const list = async (filter: string) => {
    const path = `/subscriptions/${azure.subscriptionId}/resources?$filter=${encodeURIComponent(filter)}`;
    const { status, body } = await client.arm('GET', path, '2021-04-01');
    return status === 200 ? body.value.map(({ name }: { name: string }) => name) : body.error.code;
  };
  expect(await list("tagName eq 'team' and tagValue eq 'red'")).toEqual(['two']);
  expect(await list("resourceGroup eq 'RG' and name eq 'one'")).toEqual(['one']);
  expect(await list("resourceGroup eq 'other'")).toEqual([]);
  expect(await list("resourceType eq 'Microsoft.Storage/storageAccounts' and name eq 'one'")).toEqual([]);
  expect(await list("substringof('one', name)")).toBe('InvalidFilterInQueryString');
});
