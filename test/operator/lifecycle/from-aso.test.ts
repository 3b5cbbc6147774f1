/** Objects as ASO v2 leaves them, with resources that it made: taken over as they are. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations, eventReasons, finalizer } from '../../../runtime/arm-kinds/names.ts';
import { events, startWorld, types, until, untilReady, type World } from '../support.ts';

const limitMs = 60_000;
let world: World;
let group: string;

/** What ASO v2 writes besides the ARM id (facts/azure-service-operator.md 2). */
const left = (id: string) => ({
  finalizers: [finalizer],
  annotations: {
    [annotations.resourceId]: id,
    'serviceoperator.azure.com/operator-namespace': 'azureserviceoperator-system',
    'serviceoperator.azure.com/latest-reconciled-generation': '1',
  },
});

beforeAll(async () => {
  world = await startWorld({ versions: 'all' });
  group = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/kept`;
  await world.portal.arm('PUT', group, '2020-06-01', { location: 'westcentralus' });
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/keptstore`;
  const body = {
    location: 'westcentralus',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: { accessTier: 'Hot' },
  };
  await until('the account is made', async () => {
    const { status } = await world.portal.arm('PUT', account, '2023-01-01', body);
    return status < 300;
  });
  const { location, kind, sku } = body;
  const old = (type: typeof types.group, version: string) => ({ ...type, version });
  await world.apply(old(types.group, 'v1api20200601'), 'kept', { azureName: 'kept', location }, left(group));
  const spec = { azureName: 'keptstore', location, kind, sku, accessTier: 'Hot', owner: { name: 'kept' } };
  await world.apply(old(types.account, 'v1api20230101'), 'keptstore', spec, left(account));
}, limitMs);
afterAll(() => world?.close());

test(
  'they become ready with the id they had, and Azure gets nothing but GETs',
  async () => {
    const mark = world.azure.journal.entries({}).at(-1)?.seq ?? 0;
    await world.startOperator();
    const objects = [await untilReady(world, types.group, 'kept'), await untilReady(world, types.account, 'keptstore')];
    expect(objects.map(({ status }) => status.id)).toEqual([
      group,
      expect.stringMatching(/storageAccounts\/keptstore$/),
    ]);
    const methods = world.azure.journal
      .entries({ service: 'arm' })
      .filter(({ seq }) => seq > mark)
      .map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(['GET']));
    await until('the events say so', async () => {
      const { items } = await world.client.list(events, { namespace: 'default' });
      return items.filter(({ reason }) => reason === eventReasons.adopted).length === objects.length;
    });
  },
  limitMs,
);
