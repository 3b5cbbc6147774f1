import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { condition, type RunningOperator, startWorld, types, until, type World } from '../support.ts';

const names = Array.from({ length: 20 }, (_, index) => `id${index}`);
const location = 'westeurope';
let world: World;
let operator: RunningOperator;

beforeAll(async () => {
  world = await startWorld();
  operator = await world.startOperator();
  await world.apply(types.group, 'rg', { location });
  await until('the group is ready', async () => condition(await world.get(types.group, 'rg'))?.status === 'True');
});
afterAll(async () => {
  await operator.stop();
  await world.close();
});

const identities = async () => (await world.client.list(types.identity, {})).items;

/** Token requests, and the requests to Resource Manager by method, since `clear`. */
function requests() {
  const { journal } = world.azure;
  const of = (method: string) => journal.entries({ service: 'arm', method }).length;
  return { tokens: journal.entries({ service: 'aad', method: 'POST' }).length, put: of('PUT'), delete: of('DELETE') };
}

test('creates and deletes request one token each, and their reads none', async () => {
  world.azure.journal.clear();
  for (const name of names) await world.apply(types.identity, name, { location, owner: { name: 'rg' } });
  await until('all are ready', async () =>
    (await identities()).every((each) => condition(each)?.status === 'True' && condition(each)?.reason === 'Succeeded'),
  );
  expect(requests()).toEqual({ tokens: names.length, put: names.length, delete: 0 });
});

test('the reads of a restart and of checks share one token', async () => {
  await operator.stop();
  world.azure.journal.clear();
  operator = await world.startOperator({}, { syncPeriodMs: 300 });
  const reads = () => world.azure.journal.entries({ service: 'arm', method: 'GET' }).length;
  await until('each is read three times', async () => reads() > 3 * names.length);
  expect(requests()).toEqual({ tokens: 1, put: 0, delete: 0 });
});

test('deletes request one token each', async () => {
  await operator.stop();
  operator = await world.startOperator();
  world.azure.journal.clear();
  for (const name of names) await world.client.delete(types.identity, { namespace: 'default', name });
  await until('all are gone', async () => (await identities()).length === 0);
  const { tokens, ...writes } = requests();
  expect(writes).toEqual({ put: 0, delete: names.length });
  // One more where the new operator has not read anything before.
  expect([names.length, names.length + 1]).toContain(tokens);
});
