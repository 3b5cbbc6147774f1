import { beforeEach, expect, test } from '@jest/globals';
import { runQuery } from '../../../../sandbox/azure/arm/resource-graph/query.ts';
import { azure, client, provider } from './world.ts';

async function query(text: string, more = {}) {
  const url = `${azure.endpoints.arm}/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01`;
  const body = { query: text, subscriptions: [azure.subscriptionId], ...more };
  return await client.send('POST', url, { body, token: await client.token() });
}
const rows = async (text: string) => {
  const { status, body } = await query(text);
  return status === 200 ? body.data : body.error.details[0].message;
};

beforeEach(async () => {
  for (const [name, sku, tags] of [
    ['accounta', 'Standard_LRS', { team: 'blue' }],
    ['accountb', 'Standard_GRS', { team: 'red' }],
    ['accountc', 'Standard_LRS', undefined],
  ] as const) {
    const body = { location: 'westus2', kind: 'StorageV2', sku: { name: sku }, tags };
    await client.arm('PUT', provider(`Microsoft.Storage/storageAccounts/${name}`), '2023-01-01', body);
  }
  const identity = provider('Microsoft.ManagedIdentity/userAssignedIdentities/someone');
  await client.arm('PUT', identity, '2023-01-31', { location: 'westus2' });
});

test('where, project, extend and order select and shape resources', async () => {
  const accounts = "Resources | where type =~ 'Microsoft.Storage/storageAccounts'";
  expect(await rows(`${accounts} | project name, sku.name, team = tags.team | order by name asc`)).toEqual([
    { name: 'accounta', sku_name: 'Standard_LRS', team: 'blue' },
    { name: 'accountb', sku_name: 'Standard_GRS', team: 'red' },
    { name: 'accountc', sku_name: 'Standard_LRS', team: null },
  ]);
  const both = `${accounts} and (tags['team'] in~ ('BLUE') or isnull(tags.team)) | extend long = strcat(name, '-', toupper(location))`;
  expect(await rows(`${both} | project long | order by long`)).toEqual([
    { long: 'accountc-WESTUS2' },
    { long: 'accounta-WESTUS2' },
  ]);
  expect(await rows("where name !contains 'account' | project name, n = 1 + 2 * 3")).toEqual([
    { name: 'someone', n: 7 },
  ]);
});

test('summarize counts by columns, and join adds the columns of another table', async () => {
  expect(await rows('Resources | summarize count(), names = make_set(name) by type | order by type asc')).toEqual([
    { type: 'microsoft.managedidentity/userassignedidentities', count_: 1, names: ['someone'] },
    { type: 'microsoft.storage/storageaccounts', count_: 3, names: ['accounta', 'accountb', 'accountc'] },
  ]);
  expect(await rows("Resources | where name == 'none' | summarize count()")).toEqual([{ count_: 0 }]);
  const groups =
    "ResourceContainers | where type == 'microsoft.resources/subscriptions/resourcegroups' | project resourceGroup, place = location, name";
  const joined = `Resources | where name == 'someone' | project name, resourceGroup | join kind=leftouter (${groups}) on resourceGroup`;
  expect(await rows(joined)).toEqual([
    { name: 'someone', resourceGroup: 'rg', resourceGroup1: 'rg', place: 'westus2', name1: 'rg' },
  ]);
});

test('what the sandbox does not know is refused by its name, and a page says where the next begins', async () => {
  expect(await rows('Resources | mv-expand tags')).toContain("the operator 'mv-expand' is not supported");
  expect(await rows('Resources | parse name')).toContain("the operator 'parse' is not supported");
  expect(await rows('Others | take 1')).toContain("the table 'Others' is not supported");
  expect(await rows('Resources | extend a = hash(name)')).toContain("the function 'hash' is not supported");
  expect(await rows('Resources | summarize percentile(name)')).toContain("the aggregate 'percentile' is not supported");
  expect(await rows('Resources | where name ==')).toContain('begins no expression');
  const { body } = await query('Resources | order by name asc | project name', { options: { $top: 3 } });
  expect(body).toMatchObject({ totalRecords: 4, count: 3 });
  const next = await query('Resources | order by name asc | project name', {
    options: { $skipToken: body.$skipToken, resultFormat: 'table' },
  });
  expect(next.body.data).toEqual({ columns: [{ name: 'name', type: 'string' }], rows: [['someone']] });
});

test('the work of a query is bounded', () => {
  const table = Array.from({ length: 5000 }, (_, index) => ({ name: `n${index}`, one: 1 }));
  const run = (text: string) => () => runQuery(text, () => table);
  const refused = (text: string) => {
    try {
      return run(text)();
    } catch (error) {
      return (error as { reply: { body: { error: { message: string } } } }).reply.body.error.message;
    }
  };
  expect(refused('resources | join kind=inner (resources) on one | count')).toContain('more work');
  const doubled = ' | extend name = strcat(name, name)'.repeat(30);
  expect(refused(`resources${doubled}`)).toMatch(/more work|longer than/);
  expect(refused(`resources | where ${'('.repeat(200)}true${')'.repeat(200)}`)).toContain('levels');
  expect(refused(`resources | where name == '${'a'.repeat(30_000)}'`)).toContain('longer than');
});
