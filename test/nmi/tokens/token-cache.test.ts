import { expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { anyIdentity, simple, startNmi } from '../harness.ts';

test('callers who wait for the same token share one request, and the cache answers the next', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using nmi = await startNmi({
    imds: async (request) => {
      await held;
      return anyIdentity(request);
    },
  });
  await simple(nmi);
  const waiting = Array.from({ length: 20 }, () => nmi.token('127.0.0.5'));
  await eventually('asked', () => nmi.imds.requests.length > 0);
  release();
  const tokens = (await Promise.all(waiting)).map(({ json }) => json.access_token);
  expect(new Set(tokens).size).toBe(1);
  await nmi.token('127.0.0.5');
  expect(nmi.imds.requests).toHaveLength(1);
  await nmi.token('127.0.0.5', { resource: 'https://management.azure.com/' });
  expect(nmi.imds.requests).toHaveLength(2);
});

test.each([
  [240, 2],
  [600, 1],
])(
  'of a token that lives %i s, two requests in a row make %i upstream: none near its end is given twice',
  async (lives, asked) => {
    await using nmi = await startNmi({
      imds: (request) => {
        const answer = anyIdentity(request);
        const expires_on = String(Math.floor(Date.now() / 1000) + lives);
        return { ...answer, body: { ...(answer.body as object), expires_in: String(lives), expires_on } };
      },
    });
    await simple(nmi);
    for (let i = 0; i < 2; i++) expect((await nmi.token('127.0.0.5')).status).toBe(200);
    expect(nmi.imds.requests).toHaveLength(asked);
  },
);

test('with the cache off every request requests a new token', async () => {
  await using nmi = await startNmi({ args: ['--token-cache=off'] });
  await simple(nmi);
  for (let i = 0; i < 3; i++) expect((await nmi.token('127.0.0.5')).status).toBe(200);
  expect(nmi.imds.requests).toHaveLength(3);
});
