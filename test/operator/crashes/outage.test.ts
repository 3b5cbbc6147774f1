import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EmbeddedKube, startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
import { armRequests, gone, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

const dir = mkdtempSync(join(tmpdir(), 'azimuth-outage-'));
const persistFile = join(dir, 'objects');
let world: World;
let again: EmbeddedKube | undefined;

beforeAll(async () => {
  world = await startWorld({ kube: { dir, persistFile }, clock: new ScaledClock(10) });
  await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(async () => {
  await world?.close();
  await again?.close();
  rmSync(dir, { recursive: true, force: true });
});

test('when the API server goes away during an operation and comes back, the operator goes on without a second PUT', async () => {
  const path = /storageAccounts\/away$/;
  world.azure.settings.operationMs = 20_000;
  await world.apply(types.account, 'away', {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner: { name: 'rg' },
    operatorSpec: { secrets: { key1: { name: 'away', key: 'key' } } },
  });
  await until('the PUT is out', async () => armRequests(world, 'PUT', path).length === 1);
  const port = Number(new URL(world.kube.url).port);
  await world.kube.close();
  const before = world.azure.journal.entries({ service: 'arm' }).length;
  const refused = () =>
    world.log.filter((line) => line.includes('AZ_KUBE_UNREACHABLE') || line.includes('did not answer'));
  await until('the operator has found nobody there again and again', async () => refused().length >= 3, 60_000);
  // Nothing is done to Azure that could not be written down, and what was begun is not hammered upon.
  expect(world.azure.journal.entries({ service: 'arm' }).length - before).toBeLessThan(60);
  again = await startEmbeddedKube({ dir, persistFile, port });
  await untilReady(world, types.account, 'away');
  expect((await world.client.get(secrets, { namespace: 'default', name: 'away' }))['data']).toHaveProperty('key');
  expect(armRequests(world, 'PUT', path)).toHaveLength(1);
  world.azure.settings.operationMs = 50;

  // The watches are back too: what is declared now is seen without a restart.
  await world.apply(types.group, 'after', { location: 'westeurope' });
  await untilReady(world, types.group, 'after');
  await world.client.delete(types.group, { namespace: 'default', name: 'after' });
  await gone(world, types.group, 'after');
});
