import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { condition, gone, startWorldWithGroup, types, until, untilReady, type World } from './support.ts';

const directory = mkdtempSync(join(tmpdir(), 'azimuth-restore-'));
const backup = join(directory, 'backup');
const options = { dir: directory, persistFile: join(directory, 'objects') };
let world: World;
let restored: EmbeddedKube | undefined;
beforeAll(async () => {
  world = await startWorldWithGroup({ kube: options });
});
afterAll(async () => {
  await restored?.close();
  await world?.close();
  rmSync(directory, { recursive: true, force: true });
});

const account = (name: string) => ({
  location: 'westeurope',
  owner: { name: 'rg' },
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  azureName: name,
});

test('after a restore of etcd the operator reads Azure for each object, and has what the objects declare', async () => {
  await world.apply(types.account, 'kept', account('kept0001'));
  await world.apply(types.account, 'deleted', account('deleted0001'));
  await untilReady(world, types.account, 'kept');
  const { id } = (await untilReady(world, types.account, 'deleted'))['status'] ?? {};
  copyFileSync(options.persistFile, backup);
  await world.client.delete(types.account, { namespace: 'default', name: 'deleted' });
  await gone(world, types.account, 'deleted');
  await world.apply(types.account, 'later', account('later0001'));
  await untilReady(world, types.account, 'later');
  const { status } = await world.portal.arm('GET', id, '2023-01-01');
  expect(status).toBe(404);

  const { port } = new URL(world.kube.url);
  await world.kube.close();
  copyFileSync(backup, options.persistFile);
  restored = await startEmbeddedKube({ ...options, port: Number(port) });

  await until('the storage account is back in Azure', async () => {
    const { status: now } = await world.portal.arm('GET', id, '2023-01-01');
    return now === 200;
  });
  await untilReady(world, types.account, 'deleted');
  expect(condition(await world.get(types.account, 'kept'))?.status).toBe('True');
  expect(await world.client.tryGet(types.account, { namespace: 'default', name: 'later' })).toBeUndefined();
});
