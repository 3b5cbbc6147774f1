import { expect, test } from '@jest/globals';
import { azure, client } from '../world.ts';
import { data, get, group, instances, machineId, scaleSet, setId, vault, version, write } from './machines.ts';

const osProfile = (word: string) => ({ customData: Buffer.from(word).toString('base64') });

test('capacity makes and removes instances, whose ids never come again', async () => {
  await write('PUT', setId(), scaleSet(3));
  expect(await instances()).toEqual([
    ['0', true],
    ['1', true],
    ['2', true],
  ]);
  await write('PATCH', setId(), { sku: { capacity: 1 } });
  await write('PATCH', setId(), { sku: { capacity: 2 } });
  expect(await instances()).toEqual([
    ['0', true],
    ['3', true],
  ]);
  await write('DELETE', `${setId()}/virtualMachines/0`);
  expect(await instances()).toEqual([['3', true]]);
  expect((await get(setId())).sku.capacity).toBe(1);
  const { value } = await get(`/subscriptions/${azure.subscriptionId}/resources`);
  expect(value.map(({ type }: { type: string }) => type)).toEqual(['Microsoft.Compute/virtualMachineScaleSets']);
});

test('in mode Manual a new model reaches the instances that manualupgrade names', async () => {
  await write('PUT', setId(), scaleSet(3));
  await write('PUT', setId(), scaleSet(3, { osProfile: osProfile('new') }));
  expect((await get(setId())).properties.provisioningState).toBe('Succeeded');
  expect(await instances()).toEqual([
    ['0', false],
    ['1', false],
    ['2', false],
  ]);
  await write('POST', `${setId()}/manualupgrade`, { instanceIds: ['1'] });
  expect(await instances()).toEqual([
    ['0', false],
    ['1', true],
    ['2', false],
  ]);
  await write('PATCH', setId(), { sku: { capacity: 4 } });
  expect((await instances()).at(-1)).toEqual(['3', true]);
  await write('POST', `${setId()}/virtualMachines/0/reimage`);
  await write('POST', `${setId()}/manualupgrade`, { instanceIds: ['*'] });
  expect((await instances()).every(([, latest]) => latest)).toBe(true);
  const refused = await client.arm('POST', `${setId()}/manualupgrade`, version, { instanceIds: ['9'] });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    'The provided instanceId 9 is not an active Virtual Machine Scale Set VM instanceId.',
  ]);
  expect((await client.arm('POST', `${setId()}/manualupgrade`, version, {})).status).toBe(400);
});

test('a tag, the capacity and an admin password make no new model; an extension does', async () => {
  await write('PUT', setId(), scaleSet(1));
  await write('PATCH', setId(), { tags: { a: 'b' } });
  await write('PUT', setId(), scaleSet(1, { osProfile: { adminPassword: 'other' } }));
  expect(await instances()).toEqual([['0', true]]);
  await write('PUT', `${setId()}/extensions/more`, { properties: { publisher: 'a', type: 'b' } });
  expect(await instances()).toEqual([['0', false]]);
});

test('a PUT without a profile, as az sends it to scale, leaves the profile and its extensions', async () => {
  await write('PUT', setId(), scaleSet(1, { osProfile: osProfile('a') }));
  await write('PUT', setId(), { location: 'westus2', sku: { name: 'Standard_D2s_v3', capacity: 2 } });
  const { virtualMachineProfile } = (await get(setId())).properties;
  expect(virtualMachineProfile.osProfile.computerNamePrefix).toBe('web');
  expect(Object.keys(virtualMachineProfile.extensionProfile.extensions[0])).toEqual(['name', 'properties']);
  expect((await instances()).map(([, latest]) => latest)).toEqual([true, true]);
});

test('mode Automatic brings a new model to every instance', async () => {
  await write('PUT', setId(), scaleSet(2, { mode: 'Automatic' }));
  await write('PUT', setId(), scaleSet(2, { mode: 'Automatic', osProfile: osProfile('new') }));
  expect(await instances()).toEqual([
    ['0', true],
    ['1', true],
  ]);
});

test('instances show their views, and the set counts them', async () => {
  await write('PUT', setId(), scaleSet(3));
  azure.setInstanceHealth({ id: `${setId()}/virtualMachines/1`, health: 'unhealthy' });
  await write('POST', `${setId()}/deallocate`, { instanceIds: ['2'] });
  const { value } = await get(`${setId()}/virtualMachines?$expand=instanceView`);
  const codes = value.map(({ properties: { instanceView: view } }: never) => {
    const { vmHealth, statuses } = view as { vmHealth: { status: { code: string } }; statuses: { code: string }[] };
    return [vmHealth.status.code, ...statuses.map(({ code }) => code)];
  });
  expect(codes).toEqual([
    ['HealthState/healthy', 'ProvisioningState/succeeded', 'PowerState/running'],
    ['HealthState/unhealthy', 'ProvisioningState/succeeded', 'PowerState/running'],
    ['HealthState/healthy', 'ProvisioningState/succeeded', 'PowerState/deallocated'],
  ]);
  expect((await get(`${setId()}/instanceView`)).virtualMachine.statusesSummary).toEqual([
    { code: 'ProvisioningState/succeeded', count: 3 },
    { code: 'PowerState/running', count: 2 },
    { code: 'PowerState/deallocated', count: 1 },
  ]);
  const single = await get(`${setId()}/virtualMachines/1`);
  expect(single).toMatchObject({ name: 'web_1', instanceId: '1', properties: { latestModelApplied: true } });
  expect(single.properties.instanceView).toBeUndefined();
  expect((await get(`${setId()}/virtualMachines/1/instanceView`)).vmHealth.status.code).toBe('HealthState/unhealthy');
});

test('scale-out reads no vault for secrets that a running instance has; without one it does', async () => {
  const { id: vaultId, url } = await vault('cached');
  const policy = { issuer: { name: 'Self' }, x509_props: { subject: 'CN=web' } };
  await data('POST', `${url}certificates/own/create`, { policy });
  await write('PUT', setId('clock'), scaleSet(0));
  const { sid } = (await data('GET', `${url}certificates/own`)).body;
  await write('PUT', setId(), scaleSet(1, { osProfile: { secrets: [group(vaultId, sid)] } }));
  await data('DELETE', `${url}certificates/own`);
  expect(await write('PATCH', setId(), { sku: { capacity: 2 } })).toBeUndefined();
  expect(await instances()).toHaveLength(2);
  await write('POST', `${setId()}/deallocate`);
  const gone = { code: 'KeyVaultSecretDoesNotExist', message: expect.stringContaining(sid) };
  expect(await write('PATCH', setId(), { sku: { capacity: 3 } })).toEqual(gone);
  expect(await instances()).toHaveLength(2);
  expect(await write('POST', `${setId()}/start`)).toEqual(gone);
});

test('instances of a Flexible set are virtual machines that the set lists by name', async () => {
  const flexible = (word: string) =>
    scaleSet(2, { osProfile: osProfile(word), more: { orchestrationMode: 'Flexible', platformFaultDomainCount: '1' } });
  await write('PUT', setId(), flexible('a'));
  await write('PUT', setId(), flexible('b'));
  const names = (await instances()).map(([name]) => name);
  expect(names).toEqual([expect.stringMatching(/^web_[0-9a-f]{8}$/), expect.stringMatching(/^web_[0-9a-f]{8}$/)]);
  const vm = await get(machineId(names[0]));
  expect(vm.properties).toMatchObject({ virtualMachineScaleSet: { id: setId() }, provisioningState: 'Succeeded' });
  await write('POST', `${setId()}/manualupgrade`, { instanceIds: [names[0]] });
  expect(await instances()).toEqual([
    [names[0], true],
    [names[1], false],
  ]);
  const filter = encodeURIComponent(`'virtualMachineScaleSet/id' eq '${setId()}'`);
  const listed = await get(`${machineId('').replace(/\/$/, '')}?$filter=${filter}`);
  expect(listed.value.map(({ name }: { name: string }) => name)).toEqual(names);
  await write('DELETE', machineId(names[1]));
  expect(await instances()).toEqual([[names[0], true]]);
  await write('DELETE', setId());
  expect((await client.arm('GET', machineId(names[0]), version)).status).toBe(404);
});

test('POST delete removes the instances that it names, and lowers the capacity', async () => {
  await write('PUT', setId(), scaleSet(3));
  await write('POST', `${setId()}/delete`, { instanceIds: ['0', '2'] });
  expect(await instances()).toEqual([['1', true]]);
  expect((await get(setId())).sku.capacity).toBe(1);
  expect((await client.arm('PUT', setId(), version, scaleSet(1001))).status).toBe(400);
});

test('the mode of upgrades is taken in any case of letters, as az writes it', async () => {
  const body = scaleSet(1);
  const mode = (word: string) => ({ ...body, properties: { ...body.properties, upgradePolicy: { mode: word } } });
  expect((await client.arm('PUT', setId('lower'), version, mode('manual'))).status).toBe(201);
  expect((await client.arm('PUT', setId('wrong'), version, mode('other'))).status).toBe(400);
});
