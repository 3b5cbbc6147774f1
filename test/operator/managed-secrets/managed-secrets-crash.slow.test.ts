/** The operator killed around every write of a ManagedSecret into a vault. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestVault } from '../export/test-vault.ts';
import { RestartableOperator } from '../restartable-operator.ts';
import { startWorld, types, until, untilReady, type World } from '../support.ts';
import { numbered, SecretWorld, vaultRef } from './secret-world.ts';

let world: World;
let azm: SecretWorld;
let operator: RestartableOperator;
let west: TestVault;
let north: TestVault;

beforeAll(async () => {
  // Without the kinds of machines nobody knows which versions machines use, and none is disabled.
  const kinds = 'compute.azure.com/VirtualMachine;compute.azure.com/VirtualMachineScaleSet';
  world = await startWorld({ machineSecrets: true, kinds });
  operator = await RestartableOperator.start(world, '--machine-secrets');
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  azm = SecretWorld.of(world);
  await azm.approve();
  [west, north] = await Promise.all([azm.vault('azmkwest', 'westeurope'), azm.vault('azmknorth', 'northeurope')]);
});

afterAll(async () => {
  await operator?.close();
  await world?.close();
});

/** Kills the program while a write hangs, before or after the vault has done it, and starts it anew. */
async function killAt(vault: TestVault, method: string, path: string, connection: 'hang' | 'hangAfter') {
  const { faults } = world.azure;
  const fault = faults.add({ service: 'vault', host: `^${vault.name}\\.`, method, path, connection });
  await until(`${method} ${path} hangs at ${vault.name}`, async () =>
    faults.list().some(({ id, hits }) => id === fault && hits > 0),
  );
  await operator.kill(() => faults.clear());
}

const hold = { method: 'PUT', connection: 'hang', times: 0 } as const;

test.each([
  ['before', 'hang'],
  ['after', 'hangAfter'],
] as const)('killed %s each write, it makes each version once and ends with equal copies', async (when, connection) => {
  const name = `crash-${when}`;
  const spec = {
    kind: 'Password',
    home: { vault: vaultRef('azmkwest') },
    regions: [{ location: 'northeurope', vault: vaultRef('azmknorth') }],
    rotation: { every: '720h', overlap: '0s' },
    vaultSecretName: name,
  };
  // One write after the other: those of the round before are done, and the last one is let through with the restart.
  const places = [
    [west, `/secrets/${name}\\?`],
    [west, `/secrets/${name}-vmaccess\\?`],
    [north, `/secrets/${name}\\?`],
    [north, `/secrets/${name}-vmaccess\\?`],
  ] as const;
  const writes = async (from: number) => {
    for (const [index, [vault, path]] of [...places.entries()].slice(from)) {
      for (const [other, otherPath] of places.slice(index + 1))
        world.azure.faults.add({ ...hold, service: 'vault', host: `^${other.name}\\.`, path: otherPath });
      await killAt(vault, 'PUT', path, connection);
    }
  };
  const first = writes(0);
  await azm.secret(name, spec);
  await first;
  await azm.version(name, 1);
  for (const vault of [west, north]) expect(await numbered(vault, name)).toEqual([['1', true]]);

  const [version] = await west.versions(name);
  const second = writes(0);
  await west.send('PATCH', `/secrets/${name}/${version?.id.split('/').at(-1)}`, { attributes: { enabled: false } });
  await azm.poke(name);
  await second;
  await azm.version(name, 2);
  await until('the old version is disabled', async () => {
    await azm.poke(name);
    return JSON.stringify(await numbered(north, name)) === '[["1",false],["2",true]]';
  });
  expect((await north.secret(name))?.value).toBe((await west.secret(name))?.value);
  expect(JSON.parse((await north.secret(`${name}-vmaccess`))?.value ?? '').password).toBe(
    (await west.secret(name))?.value,
  );
});
