import { expect, test } from '@jest/globals';
import { azure, client, clock, code, provider } from './world.ts';

const account = provider('Microsoft.Storage/storageAccounts/account1');

async function log(filter: string, more = '') {
  const path = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values`;
  const url = `${azure.endpoints.arm}${path}?api-version=2015-04-01&$filter=${encodeURIComponent(filter)}${more}`;
  const { status, body } = await client.send('GET', url, { token: await client.token() });
  return status === 200 ? body.value : [status, body.error.code];
}

test('the activity log has the writes and actions of clients, the newest first, and no reads', async () => {
  const content = { location: 'westus2', sku: { name: 'Standard_LRS' }, kind: 'StorageV2', properties: {} };
  await client.arm('PUT', account, '2023-01-01', content);
  await clock.advance(60_000);
  await client.arm('POST', `${account}/listKeys`, '2023-01-01');
  await client.arm('GET', account, '2023-01-01');
  expect(await code('PUT', provider('Microsoft.Storage/storageAccounts/X'), '2023-01-01', content)).toEqual([
    400,
    'AccountNameInvalid',
  ]);
  const events = await log("resourceGroupName eq 'RG' and resourceProvider eq 'Microsoft.Storage'");
  const shown = events.map(({ operationName, status }: Record<string, { value: string }>) => [
    operationName?.value,
    status?.value,
  ]);
  expect(shown).toEqual([
    ['Microsoft.Storage/storageAccounts/write', 'Failed'],
    ['Microsoft.Storage/storageAccounts/listKeys/action', 'Succeeded'],
    ['Microsoft.Storage/storageAccounts/write', 'Accepted'],
  ]);
  expect(events[0]).toMatchObject({ level: 'Error', subStatus: { value: 'AccountNameInvalid' } });
  const since = new Date(clock.now() - 1000).toISOString();
  expect(await log(`eventTimestamp ge ${since} and resourceUri eq '${account}'`)).toHaveLength(1);
  const [selected] = await log(`resourceId eq '${account}'`, '&$select=resourceId');
  expect(selected).toEqual({ resourceId: account });
  expect(await log("colour eq 'blue'")).toEqual([400, 'BadRequest']);
});
