import { expect, test } from '@jest/globals';
import { azure, client } from '../world.ts';
import { get, machine, machineId, scaleSet, setId, version, write } from './machines.ts';

const cores = async (location: string) => {
  const path = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Compute/locations/${location}/usages`;
  const { value } = await get(path);
  const found = value.find(({ name }: { name: { value: string } }) => name.value === 'cores');
  return [found.currentValue, found.limit, found.unit];
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
