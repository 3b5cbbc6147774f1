import { expect, test } from '@jest/globals';
import { azure, client, clock, code, provider } from './world.ts';

test('a type without a row is created, polled through a status document and deleted through a Location', async () => {
  const id = provider('Microsoft.Maps/accounts/maps1');
  const body = { location: 'westus2', properties: { sku: { name: 'Basic' }, adminPassword: 'p4ss' } };
  const created = await client.arm('PUT', id, '2024-11-01', body);
  expect([created.status, created.body.properties]).toEqual([
    201,
    { sku: { name: 'Basic' }, provisioningState: 'Creating' },
  ]);
  const status = created.headers['azure-asyncoperation'] ?? '';
  expect((await client.get(status)).body).toMatchObject({ status: 'InProgress', startTime: expect.any(String) });
  expect(await code('PUT', id, '2024-11-01', body)).toEqual([409, 'AnotherOperationInProgress']);
  await clock.advance(1000);
  expect((await client.get(status)).body).toMatchObject({ status: 'Succeeded', endTime: expect.any(String) });
  expect((await client.arm('GET', id, '2024-11-01')).body.properties.provisioningState).toBe('Succeeded');
  const patched = await client.arm('PATCH', id, '2024-11-01', { tags: { a: 'b' } });
  expect(patched.body).toMatchObject({ tags: { a: 'b' }, properties: { sku: { name: 'Basic' } } });
  await clock.advance(1000);
  const removed = await client.arm('DELETE', id, '2024-11-01');
  expect([removed.status, removed.headers['retry-after']]).toEqual([202, '1']);
  await clock.advance(1000);
  expect((await client.get(removed.headers['location'] ?? '')).status).toBe(204);
  expect(await code('GET', id, '2024-11-01')).toEqual([404, 'ResourceNotFound']);
  expect((await client.arm('DELETE', id, '2024-11-01')).status).toBe(204);
});

test('an operation that a fault dooms ends as failed, with the code in the status document', async () => {
  const id = provider('Microsoft.Maps/accounts/maps1');
  azure.faults.add({
    service: 'arm',
    method: 'PUT',
    operation: { state: 'failed', code: 'ServerIsBusy', message: 'try again' },
  });
  const created = await client.arm('PUT', id, '2024-11-01', { location: 'westus2' });
  expect(created.status).toBe(201);
  await clock.advance(1000);
  expect((await client.get(created.headers['azure-asyncoperation'] ?? '')).body).toMatchObject({
    status: 'Failed',
    error: { code: 'ServerIsBusy', message: 'try again' },
  });
  expect((await client.arm('GET', id, '2024-11-01')).body.properties.provisioningState).toBe('Failed');
  expect((await client.arm('PUT', id, '2024-11-01', { location: 'westus2' })).status).toBe(200);
});
