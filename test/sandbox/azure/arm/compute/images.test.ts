import { expect, test } from '@jest/globals';
import { azure, client } from '../world.ts';
import { machine, machineId, scaleSet, setId, version, write } from './machines.ts';

test('a machine and a scale set with a platform image that is not there are refused, other images are taken', async () => {
  azure.settings.missingImages = ['Canonical:ubuntu:22_04-lts:9.9.9'];
  const storage = (version: string) => ({
    storageProfile: { imageReference: { publisher: 'canonical', offer: 'ubuntu', sku: '22_04-lts', version } },
  });
  const set = (version: string) => {
    const body = scaleSet(1);
    const profile = { ...body.properties.virtualMachineProfile, ...storage(version) };
    return { ...body, properties: { ...body.properties, virtualMachineProfile: profile } };
  };
  const error = {
    code: 'PlatformImageNotFound',
    message: expect.stringContaining("'canonical:ubuntu:22_04-lts:9.9.9'"),
  };
  for (const [id, body] of [
    [machineId(), machine({}, storage('9.9.9'))],
    [setId(), set('9.9.9')],
  ] as const) {
    const answer = await client.arm('PUT', id, version, body);
    expect([answer.status, answer.body.error]).toMatchObject([404, error]);
  }
  await write('PUT', machineId(), machine({}, storage('latest')));
  await write('PUT', setId(), set('1.0.0'));
});
