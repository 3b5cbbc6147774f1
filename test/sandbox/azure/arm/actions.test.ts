import { expect, test } from '@jest/globals';
import { azure, client, clock, code, provider } from './world.ts';

const steering = ({ status, headers }: Awaited<ReturnType<typeof client.arm>>) => [
  status,
  ...['azure-asyncoperation', 'location', 'retry-after'].filter((name) => headers[name] !== undefined),
];

/** Makes a resource, and waits until its operation has ended. */
async function make(rest: string, version: string, body: object = {}): Promise<string> {
  const made = await client.arm('PUT', provider(rest), version, { location: 'westus2', ...body });
  expect([200, 201, 202]).toContain(made.status);
  await clock.advance(2000);
  return provider(rest);
}

test('an action takes its argument from the path', async () => {
  const search = await make('Microsoft.Search/searchServices/one', '2020-08-01', { sku: { name: 'free' } });
  const keys = async () => (await client.arm('POST', `${search}/listAdminKeys`, '2020-08-01')).body;
  const before = await keys();
  const renewed = await client.arm('POST', `${search}/regenerateAdminKey/secondary`, '2020-08-01');
  expect(renewed.status).toBe(200);
  expect(renewed.body).toEqual(await keys());
  expect(renewed.body.primaryKey).toBe(before.primaryKey);
  expect(renewed.body.secondaryKey).not.toBe(before.secondaryKey);
  expect(await code('POST', `${search}/regenerateAdminKey/third`, '2020-08-01')).toEqual([400, 'BadRequest']);
  const made = await client.arm('POST', `${search}/createQueryKey/mine`, '2020-08-01');
  const listed = await client.arm('POST', `${search}/listQueryKeys`, '2020-08-01');
  expect(listed.body.value).toEqual([{ name: null, key: expect.any(String) }, made.body]);
  expect(await code('POST', `${search}/noAction/mine`, '2020-08-01')).toEqual([405, 'HttpMethodNotSupported']);
});

test('an action of a part that is no resource of its own is answered for the resource', async () => {
  const cluster = await make('Microsoft.ContainerService/managedClusters/one', '2024-09-01');
  const path = `${cluster}/accessProfiles/clusterUser/listCredential`;
  expect((await client.arm('POST', path, '2024-09-01')).body).toMatchObject({
    name: 'clusterUser',
    properties: { kubeConfig: expect.any(String) },
  });
});

test('a command on a machine is an operation with what the command wrote', async () => {
  const machine = await make('Microsoft.Compute/virtualMachines/one', '2023-03-01');
  const run = await client.arm('POST', `${machine}/runCommand`, '2023-03-01', { commandId: 'RunShellScript' });
  expect(steering(run)).toEqual([202, 'azure-asyncoperation', 'location']);
  await clock.advance(2000);
  const token = await client.token();
  const result = await client.send('GET', run.headers['location'] ?? '', { token });
  expect(result.body.value[0]).toMatchObject({ code: 'ProvisioningState/succeeded' });
});

test('a stopped app is shown as stopped, also after somebody writes it, until it is started', async () => {
  const app = await make('Microsoft.Web/sites/one', '2022-03-01');
  const state = async () => (await client.arm('GET', app, '2022-03-01')).body.properties.state;
  expect(await state()).toBe('Running');
  expect(steering(await client.arm('POST', `${app}/stop`, '2022-03-01'))).toEqual([200]);
  await client.arm('PUT', app, '2022-03-01', { location: 'westus2', tags: { a: 'b' } });
  expect(await state()).toBe('Stopped');
  await client.arm('POST', `${app}/start`, '2022-03-01');
  expect(await state()).toBe('Running');
});

test('a stopped gateway comes to its state at the end of the operation', async () => {
  const gateway = await make('Microsoft.Network/applicationGateways/one', '2023-09-01');
  const state = async () => (await client.arm('GET', gateway, '2023-09-01')).body.properties.operationalState;
  const stop = await client.arm('POST', `${gateway}/stop`, '2023-09-01');
  expect(steering(stop)).toEqual([202, 'azure-asyncoperation', 'location', 'retry-after']);
  expect(await state()).toBe('Running');
  await clock.advance(2000);
  expect(await state()).toBe('Stopped');
});

test('each provider says whether a name is free, with the type in its own form', async () => {
  await make('Microsoft.Search/searchServices/one', '2020-08-01', { sku: { name: 'free' } });
  const check = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Search/checkNameAvailability`;
  const free = async (name: string) =>
    (await client.arm('POST', check, '2020-08-01', { name, type: 'searchServices' })).body.nameAvailable;
  expect([await free('one'), await free('two')]).toEqual([false, true]);
});
