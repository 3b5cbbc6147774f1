/** Machines of several regions while a region, the home vault or a certificate of one region fails. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { TestVault } from '../export/test-vault.ts';
import { numbered, SecretWorld, vaultRef } from '../managed-secrets/secret-world.ts';
import { until } from '../support.ts';
import { conditionOf, machineKindPattern, machineType, setSpec, setType } from './machine-world.ts';
import { delivered, machineSpec } from './secret-machines.ts';

const hour = 3_600_000;
const locations = ['westeurope', 'northeurope', 'eastus'] as const;

let azm: SecretWorld;
let vaults: TestVault[];
beforeAll(async () => {
  azm = await SecretWorld.start({ kinds: machineKindPattern });
  vaults = await Promise.all(locations.map((location) => azm.vault(`azmr${location}`, location)));
});
afterAll(() => azm?.close());
afterEach(() => {
  azm.world.azure.faults.clear();
  azm.world.azure.vaultOutages.clear();
});

const spec = (name: string) => ({
  kind: 'Certificate',
  home: { vault: vaultRef('azmrwesteurope') },
  regions: locations.slice(1).map((location) => ({ location, vault: vaultRef(`azmr${location}`) })),
  rotation: { overlap: '0s' },
  certificate: { subject: 'CN=web.example.com', dnsNames: ['web.example.com'] },
  vaultSecretName: name,
});

const renew = async (name: string, word: string) => {
  azm.clock.advance(120_000);
  await azm.secret(name, spec(name), { annotations: { 'azimuth.dev/renew': word } });
};

const versions = () => Promise.all(vaults.map((vault) => numbered(vault, 'away')));

test('of three regions one is away for an hour of a renewal: its machine keeps the old version, which nobody disables', async () => {
  await azm.secret('away', spec('away'));
  for (const location of locations) {
    await azm.world.apply(machineType, `vm-${location}`, machineSpec('away', 'OsProfile', location));
  }
  for (const location of locations) await delivered(azm, `vm-${location}`, 1);
  azm.world.azure.vaultOutages.set({ location: 'eastus' }, 'unreachable');
  await renew('away', 'one');
  await delivered(azm, 'vm-westeurope', 2);
  await delivered(azm, 'vm-northeurope', 2);
  await delivered(azm, 'vm-eastus', 1);
  azm.clock.advance(hour);
  await azm.poke('away');
  const stale = await azm.reason('away', 'CopyStale');
  expect(stale['status']?.copies).toMatchObject([{ version: 2 }, { version: 2 }, { state: 'Stale', version: 1 }]);
  const machine = await azm.world.get(machineType, 'vm-eastus');
  expect(machine['status']?.managedSecrets.wanted).toMatchObject([{ version: 1, state: 'Stale' }]);
  azm.world.azure.vaultOutages.clear();
  expect(await versions()).toEqual([
    [
      ['1', true],
      ['2', true],
    ],
    [
      ['1', true],
      ['2', true],
    ],
    [['1', true]],
  ]);
  azm.clock.advance(10 * 60_000);
  await azm.poke('away');
  await delivered(azm, 'vm-eastus', 2);
  const retired = [
    ['1', false],
    ['2', true],
  ];
  await until('version 1 is disabled everywhere', async () =>
    (await versions()).every((each) => JSON.stringify(each) === JSON.stringify(retired)),
  );
}, 60_000);

test('a scale set of another region grows while the home vault is away', async () => {
  const set = (capacity: number) => ({
    ...setSpec({ capacity, managedSecrets: [{ managedSecret: 'grow', delivery: 'OsProfile' }] }),
    location: 'northeurope',
  });
  const instances = async () => {
    const path = `/subscriptions/${azm.world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/grow/virtualMachines`;
    return (await azm.world.portal.arm('GET', path, '2024-07-01')).body.value.length;
  };
  await azm.secret('grow', spec('grow'));
  await azm.world.apply(setType, 'grow', set(1));
  await until('the set has its certificate', async () => {
    const found = await azm.world.get(setType, 'grow');
    return conditionOf(found, 'SecretsDelivered')?.reason === 'Delivered';
  });
  azm.world.azure.vaultOutages.set({ location: 'westeurope' }, 'unreachable');
  await azm.poke('grow');
  await azm.reason('grow', 'VaultUnreachable');
  await azm.world.apply(setType, 'grow', set(4));
  await until('the set has four instances', async () => (await instances()) === 4);
  const { body } = await azm.world.portal.arm(
    'GET',
    `/subscriptions/${azm.world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/grow`,
    '2024-07-01',
  );
  const [{ sourceVault }] = body.properties.virtualMachineProfile.osProfile.secrets;
  expect(sourceVault.id).toMatch(/\/azmrnortheurope$/);
  // An operator that starts meanwhile knows the version from the copies.
  await azm.restart();
  await azm.reason('grow', 'VaultUnreachable');
  await azm.world.apply(setType, 'grow', set(6));
  await until('the set has six instances', async () => (await instances()) === 6);
}, 60_000);

test('a certificate that Compute cannot read in one region stops its machine alone, and the next version ends it', async () => {
  const names = ['good', 'bad'] as const;
  await azm.secret('bad', spec('bad'));
  for (const [index, name] of names.entries()) {
    await azm.world.apply(machineType, name, machineSpec('bad', 'OsProfile', locations[index]));
  }
  for (const name of names) await delivered(azm, name, 1);
  const operation = {
    state: 'failed',
    code: 'CertificateImproperlyFormatted',
    message: 'no properly formatted PFX',
  } as const;
  const id = azm.world.azure.faults.add({ method: 'PUT', path: '/virtualMachines/bad\\?', times: 0, operation });
  await renew('bad', 'one');
  await delivered(azm, 'good', 2);
  await until('the machine says why it has no new version', async () => {
    const found = await azm.world.get(machineType, 'bad');
    return conditionOf(found, 'Ready')?.reason === 'CertificateImproperlyFormatted';
  });
  await azm.poke('bad');
  await azm.ready('bad');
  // Its model may name either of them.
  for (const vault of vaults) {
    expect(await numbered(vault, 'bad')).toEqual([
      ['1', true],
      ['2', true],
    ]);
  }
  azm.world.azure.faults.remove(id);
  await renew('bad', 'two');
  for (const name of names) await delivered(azm, name, 3);
  await until('the older versions are disabled', async () => {
    const all = await Promise.all(vaults.map((vault) => numbered(vault, 'bad')));
    return all.every((each) => each.every(([number, enabled]) => enabled === (number === '3')));
  });
}, 60_000);
