/** The operator killed around every write into a vault. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { gone, startWorld, types, until, untilReady, type World } from '../support.ts';
import { TestVault } from './test-vault.ts';

let world: World;
let vault: TestVault;
let operator: RestartableOperator;

beforeAll(async () => {
  world = await startWorld();
  operator = await RestartableOperator.start(world);
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  vault = await TestVault.create(world, 'azmcrash');
});

afterAll(async () => {
  await operator?.close();
  await world?.close();
});

/** Kills the program while a request to the vault hangs, before or after the vault has done it, and starts it anew. */
async function killAt(method: string, path: string, skip: number, connection: 'hang' | 'hangAfter'): Promise<void> {
  const fault = world.azure.faults.add({ service: 'vault', method, path, skip, connection });
  await until(`${method} ${path} hangs`, async () =>
    world.azure.faults.list().some(({ id, hits }) => id === fault && hits > 0),
  );
  await operator.kill(() => world.azure.faults.clear());
}

const keys = ['StorageAccountName', 'key0', 'key1'];
const account = {
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: 'rg' },
};

test.each([
  ['before', 'hang'],
  ['after', 'hangAfter'],
] as const)(
  'killed %s each write of a secret, it leaves every secret with one version and remembers them all',
  async (when, connection) => {
    const name = `crash${when}`;
    const keyVault = { vault: vault.name, flatten: true, keys };
    const secret = (key: string) => `storageaccount-default-${name}-${key}`;
    await world.apply(types.account, name, { ...account, operatorSpec: { keyVault } });
    for (const key of keys) await killAt('PUT', `/secrets/${secret(key)}`, 0, connection);
    const ready = await untilReady(world, types.account, name);
    for (const key of keys) expect(await vault.versions(secret(key))).toHaveLength(1);
    const noted = ready.metadata.annotations?.['azimuth.dev/key-vault-secrets']?.split(' ') ?? [];
    expect(noted.map((url) => url.split('/').at(-1))).toEqual(keys.map(secret).sort());

    await world.client.delete(types.account, { namespace: 'default', name });
    for (const key of keys) await killAt('DELETE', `/secrets/${secret(key)}`, 0, connection);
    await gone(world, types.account, name);
    for (const key of keys) expect(await vault.secret(secret(key))).toBeUndefined();
  },
);
