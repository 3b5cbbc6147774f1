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

test('lists of images are arrays, and a version says its system', async () => {
  const place = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Compute/locations/westus2`;
  const get = async (path: string) => (await client.arm('GET', `${place}/${path}`, '2024-07-01')).body;
  const names = async (path: string) => (await get(path)).map(({ name }: { name: string }) => name);
  expect(await names('publishers')).toContain('Canonical');
  const offers = 'publishers/canonical/artifacttypes/vmimage/offers';
  expect(await names(offers)).toContain('ubuntu-24_04-lts');
  expect(await names(`${offers}/ubuntu-24_04-lts/skus`)).toEqual(['server']);
  const [version] = await names(`${offers}/ubuntu-24_04-lts/skus/server/versions`);
  expect((await get(`${offers}/ubuntu-24_04-lts/skus/server/versions/${version}`)).properties).toMatchObject({
    osDiskImage: { operatingSystem: 'Linux' },
    hyperVGeneration: 'V2',
  });
  expect((await get(`${offers}/ubuntu-24_04-lts/skus/server/versions/9.9.9`)).error.code).toBe('NotFound');
  expect(await names('publishers/other/artifacttypes/vmimage/offers/a/skus/b/versions')).toEqual(['1.0.0']);
});

test('run commands are listed and shown', async () => {
  const place = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Compute/locations/westus2/runCommands`;
  const { body } = await client.arm('GET', place, '2024-07-01');
  expect(body.value[0]).toMatchObject({ id: 'RunShellScript', osType: 'Linux' });
  const shown = await client.arm('GET', `${place}/runshellscript`, '2024-07-01');
  expect(shown.body).toMatchObject({ id: 'RunShellScript', parameters: [] });
  expect((await client.arm('GET', `${place}/none`, '2024-07-01')).status).toBe(404);
});
