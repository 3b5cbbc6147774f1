import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { armRequests, condition, startWorld, types, until, type World } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.startOperator();
});
afterAll(() => world?.close());

const groups = 10;
const accounts = 145;

/** A permutation that is the same in every run. */
function shuffled<T>(items: readonly T[]): T[] {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed;
  };
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

test('300 resources three levels deep, applied in any order, converge with at most one PUT each', async () => {
  const location = 'westeurope';
  const wanted = [
    ...Array.from({ length: groups }, (_, n) => ({ type: types.group, name: `rg${n}`, spec: { location } })),
    ...Array.from({ length: accounts }, (_, n) => ({
      type: types.account,
      name: `account${n}`,
      spec: { location, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: `rg${n % groups}` } },
    })),
    ...Array.from({ length: accounts }, (_, n) => ({
      type: types.blobService,
      name: `blobs${n}`,
      spec: { owner: { name: `account${n}` } },
    })),
  ];
  const start = performance.now();
  for (const { type, name, spec } of shuffled(wanted)) await world.apply(type, name, spec);
  const applied = performance.now();
  const pending = new Map(wanted.map((each) => [`${each.type.kind}/${each.name}`, each]));
  await until(
    'all are ready',
    async () => {
      for (const [id, { type, name }] of pending) {
        if (condition(await world.get(type, name))?.status !== 'True') return false;
        pending.delete(id);
      }
      return true;
    },
    600_000,
  );
  const requests = (method: string) => armRequests(world, method, /^\/subscriptions\//).length;
  const figures = {
    resources: wanted.length,
    puts: requests('PUT'),
    gets: requests('GET'),
    appliedMs: Math.round(applied - start),
    convergedMs: Math.round(performance.now() - start),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  // Azure makes the blob service of an account with it, so a read shows that there is nothing to send.
  expect(figures.puts).toBe(groups + accounts);
  expect(new Set(armRequests(world, 'PUT', /./).map(({ path }) => path)).size).toBe(figures.puts);
}, 900_000);
