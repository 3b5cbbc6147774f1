/** A client secret that somebody replaces in Entra and in its Secret, one after the other, without an overlap. */
import { expect, test } from '@jest/globals';
import { type Given, startTokenWorld } from './token-world.ts';

test.each([
  ['Entra', 1000],
  ['Entra', 5000],
  ['the Secret', 1000],
  ['the Secret', 5000],
])('with %s changed first, and the other %i ms later, no uncached request fails', async (first, apartMs) => {
  await using world = await startTokenWorld();
  world.inEntra('old');
  await world.inKubernetes('old');
  const answers: Promise<Given>[] = [];
  const requests = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 200) {
      answers.push(world.request());
      await world.pass(200);
    }
  };
  await requests(1000);
  const swaps = [() => world.inEntra('new'), () => world.inKubernetes('new')];
  if (first !== 'Entra') swaps.reverse();
  await swaps[0]?.();
  await requests(apartMs);
  await swaps[1]?.();
  await requests(12_000);
  await world.pass(10_000);
  const given = await Promise.all(answers);
  expect(given.filter(({ status }) => status !== 200)).toEqual([]);
  // The daemon reads the Secret at most once a second because of a refusal, however many requests wait.
  expect(world.reads()).toBeLessThan(4 + apartMs / 900 + 3);
});

test('a Secret that stays wrong is read again once a second, then answered with a retry, and then refused', async () => {
  await using world = await startTokenWorld();
  world.inEntra('right');
  await world.inKubernetes('wrong');
  const first = await Promise.all([world.request(), world.pass(9000)]);
  expect(first[0]).toEqual({ status: 503, retryAfterSeconds: expect.any(Number) });
  expect(world.reads()).toBeLessThan(11);
  const sent = world.sent();
  // The window in which requests wait is over for all of them.
  for (let count = 0; count < 20; count++) expect(await world.request()).toMatchObject({ status: 503 });
  expect(world.sent() - sent).toBeLessThan(2);
  await world.pass(60_000);
  expect(await world.answer()).toEqual({ status: 403, retryAfterSeconds: undefined });
  await world.inKubernetes('right');
  await world.pass(11_000);
  expect(await world.answer()).toMatchObject({ status: 200 });
});

test.each([
  [401, 'AADSTS700213', 'invalid_client'],
  [400, 'AADSTS700016', 'unauthorized_client'],
  [401, 'AADSTS7000215', 'invalid_client'],
  [400, 'AADSTS700213', 'invalid_request'],
  [400, 'AADSTS90033', 'invalid_request'],
])(
  'one answer of %i %s is no refusal, and seven of them with successes between leave no pause',
  async (status, code, error) => {
    await using world = await startTokenWorld();
    world.inEntra('s');
    await world.inKubernetes('s');
    expect(await world.answer()).toMatchObject({ status: 200 });
    for (let count = 0; count < 7; count++) {
      world.fail(1, status, code, error);
      const began = world.clock.now();
      const both = [world.answer(), world.request('https://management.azure.com')];
      expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 200 }]);
      expect(world.clock.now() - began).toBeLessThan(500);
    }
  },
);

test('a code that is permanent is refused at once, without another request', async () => {
  await using world = await startTokenWorld();
  world.inEntra('s');
  await world.inKubernetes('s');
  world.fail(1, 401, 'AADSTS7000222', 'invalid_client');
  expect(await world.answer()).toEqual({ status: 403, retryAfterSeconds: undefined });
  expect(world.sent()).toBe(1);
});

test('a client that asks too often according to Entra gets a long Retry-After, and no second try within the call', async () => {
  await using world = await startTokenWorld();
  world.inEntra('s');
  await world.inKubernetes('s');
  world.fail(1, 400, 'AADSTS50196');
  expect(await world.answer()).toEqual({ status: 503, retryAfterSeconds: 30 });
  expect(world.sent()).toBe(1);
});
