import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resourceOf } from '../../runtime/api/kinds.ts';
import {
  configMaps,
  events,
  gone,
  type RunningOperator,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from './support.ts';

let world: World;
let operator: RunningOperator;

beforeAll(async () => {
  world = await startWorld();
  operator = await world.startOperator();
});
afterAll(() => world?.close());

test('no secret is in any log line, event, object, ConfigMap or metric of a full run', async () => {
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const account = {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner: { name: 'rg' },
    operatorSpec: {
      secrets: { key1: { name: 'keys', key: 'one' }, key2: { name: 'keys', key: 'two' } },
      secretExpressions: [{ name: 'keys', key: 'connection', value: '"AccountKey=" + secret.key1' }],
    },
  };
  await world.apply(types.account, 'secretive', account);
  await untilReady(world, types.account, 'secretive');
  // An expression that fails must not quote what it was given.
  const broken = { secretExpressions: [{ name: 'broken', key: 'x', value: 'secret.key1 + 5' }] };
  await world.apply(types.account, 'broken', { ...account, operatorSpec: broken });
  await untilReady(world, types.account, 'broken', 'ReconciliationFailedPermanently');

  const exported = (await world.get(secrets, 'keys'))['data'] as Record<string, string>;
  const values = Object.values(exported).map((value) => Buffer.from(value, 'base64').toString('utf8'));
  expect(values).toHaveLength(3);
  const plain = [...values, world.azure.defaultApp.secret];
  const hidden = [...plain, ...Object.values(exported), ...plain.map(encodeURIComponent)];
  await world.client.delete(types.account, { namespace: 'default', name: 'secretive' });
  await gone(world, types.account, 'secretive');
  await until('events are written', async () => (await world.client.list(events)).items.length >= 5);

  const places: Record<string, string> = {
    log: world.log.join('\n'),
    events: JSON.stringify((await world.client.list(events)).items),
    configMaps: JSON.stringify((await world.client.list(configMaps)).items),
    metrics: await operator.metrics.metrics(),
  };
  for (const kind of world.kinds) places[kind.kind] = JSON.stringify((await world.client.list(resourceOf(kind))).items);
  for (const [place, content] of Object.entries(places)) {
    for (const [index, value] of hidden.entries()) {
      expect(`${place} has secret ${index}: ${content.includes(value)}`).toBe(`${place} has secret ${index}: false`);
    }
    expect(content).not.toMatch(/eyJ[A-Za-z0-9_-]{20,}\.eyJ/);
  }
  expect(places['log']).toMatch(/"correlationId"/);
  expect(places['metrics']).toMatch(
    /azimuth_operator_arm_requests_total\{group="storage\.azure\.com",kind="StorageAccount",request="listKeys",code="200"\}/,
  );
  expect(places['metrics']).toContain(
    'controller_runtime_active_workers{controller="storageaccounts.storage.azure.com"}',
  );
  expect(places['metrics']).toMatch(
    /azimuth_operator_time_to_ready_seconds_count\{group="storage\.azure\.com",kind="StorageAccount"\} 1/,
  );
});
