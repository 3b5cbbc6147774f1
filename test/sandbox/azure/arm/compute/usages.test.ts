import { expect, test } from '@jest/globals';
import { machineSize } from '../../../../../sandbox/azure/arm/compute/sizes.ts';
import { azure, client } from '../world.ts';
import { get, machine, machineId, scaleSet, setId, version, write } from './machines.ts';

const cores = async (location: string, usage = 'cores') => {
  const path = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Compute/locations/${location}/usages`;
  const { value } = await get(path);
  const found = value.find(({ name }: { name: { value: string } }) => name.value === usage);
  return found && [found.currentValue, found.limit, found.unit];
};

test('usages count the cores of machines and instances in a region, and a write beyond the quota is refused', async () => {
  azure.settings.coreQuota = 8;
  await write('PUT', machineId(), machine());
  await write('PUT', setId(), scaleSet(2));
  expect([await cores('westus2'), await cores('eastus')]).toEqual([
    [6, 8, 'Count'],
    [0, 8, 'Count'],
  ]);
  for (const [method, id, body, more] of [
    ['PATCH', setId(), { sku: { capacity: 4 } }, 4],
    ['PUT', machineId('big'), machine({}, { hardwareProfile: { vmSize: 'Standard_D4s_v5' } }), 4],
  ] as const) {
    const answer = await client.arm(method, id, version, body);
    expect([answer.status, answer.body.error]).toEqual([
      409,
      {
        code: 'OperationNotAllowed',
        message: `Operation results in exceeding quota limits of Core. Maximum allowed: 8, Current in use: 6, Additional requested: ${more}.`,
      },
    ]);
  }
  await write('POST', `${machineId()}/deallocate`);
  expect(await write('PATCH', setId(), { sku: { capacity: 4 } })).toBeUndefined();
  expect(await cores('WestUS2')).toEqual([8, 8, 'Count']);
});

test.each([
  ['Standard_D3_v2', 4, 'standardDv2Family'],
  ['Standard_DS14_v2', 16, 'standardDSv2Family'],
  ['Standard_D4', 8, 'standardDFamily'],
  ['Standard_A5', 2, 'standardA0_A7Family'],
  ['Standard_A9', 16, 'standardA8_A11Family'],
  ['Basic_A1', 1, 'basicAFamily'],
  ['Standard_A4_v2', 4, 'standardAv2Family'],
  ['Standard_GS3', 8, 'standardGSFamily'],
  ['Standard_D2s_v3', 2, 'standardDSv3Family'],
  ['Standard_E4-2s_v5', 2, 'standardESv5Family'],
  ['Standard_F8s_v2', 8, 'standardFSv2Family'],
])('the size %s has %i cores of %s', (name, count, family) => {
  expect(machineSize(name)).toEqual({ cores: count, family });
});

test('usages count the cores of each family, and a write beyond the quota of its family is refused', async () => {
  azure.settings.coreQuota = 100;
  azure.settings.familyQuota = { standardDv2Family: 8, standardEv3Family: 4 };
  const sized = (vmSize: string) => machine({}, { hardwareProfile: { vmSize } });
  for (const name of ['first', 'second', 'second']) await write('PUT', machineId(name), sized('Standard_D3_v2'));
  const refused = await client.arm('PUT', machineId('third'), version, sized('Standard_D1_v2'));
  expect(refused.body.error).toEqual({
    code: 'OperationNotAllowed',
    message: expect.stringContaining(
      'exceeding approved standardDv2Family Cores quota. Additional details - Deployment Model: Resource Manager, ' +
        'Location: westus2, Current Limit: 8, Current Usage: 8, Additional Required: 1, (Minimum) New Limit Required: 9.',
    ),
  });
  await write('PUT', machineId('third'), sized('Standard_D2s_v3'));
  expect(await cores('westus2', 'standardDv2Family')).toEqual([8, 8, 'Count']);
  expect(await cores('westus2', 'standardDSv3Family')).toEqual([2, 100, 'Count']);
  expect(await cores('westus2', 'standardEv3Family')).toEqual([0, 4, 'Count']);
  expect(await cores('westus2')).toEqual([10, 100, 'Count']);
});

test('spot machines use cores of their own', async () => {
  const body = machine({}, { hardwareProfile: { vmSize: 'Standard_D2s_v3' }, priority: 'Spot' });
  await write('PUT', machineId('spot'), body);
  expect((await cores('westus2', 'lowPriorityCores'))[0]).toBe(2);
  expect((await cores('westus2'))[0]).toBe(0);
});
