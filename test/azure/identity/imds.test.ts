import { expect, test } from '@jest/globals';
import { managedIdentityAuthorizer } from '../../../runtime/azure/identity/authorizers/managed-identity.ts';
import { createImds, imdsEndpointOf } from '../../../runtime/azure/identity/imds.ts';
import type { Clock } from '../../../runtime/base/clock.ts';
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { type FakeAnswer, FakeAzure } from '../../fakes/azure-server.ts';

const issued = {
  body: { access_token: 'issued', expires_on: '1900000000', expires_in: '86399', resource: 'r', token_type: 'Bearer' },
};

/** Answers in order, the last for ever; the clock only notes how long it was to sleep. */
async function setup(...answers: FakeAnswer[]) {
  const server = await FakeAzure.start(() => (answers.length > 1 ? answers.shift() : answers[0]) as FakeAnswer, {
    plain: true,
  });
  const dispatcher = createDispatcher({ proxy: 'none' });
  afterwards(
    () => server[Symbol.asyncDispose](),
    () => dispatcher.close(),
  );
  const slept: number[] = [];
  const clock: Clock = { ...baseClock, sleep: async (ms) => void slept.push(ms) };
  return { server, slept, imds: createImds({ dispatcher, endpoint: `${server.url}/`, clock }) };
}
const baseClock = { now: () => 1_800_000_000_000, monotonic: () => 0 } as unknown as Clock;

test('a token is one GET with the Metadata header, and another GET for the next one', async () => {
  const { server, imds } = await setup(issued);
  const authorizer = managedIdentityAuthorizer({}, imds);
  expect(await authorizer.getToken({ audience: 'https://vault.azure.net' })).toEqual({
    token: 'issued',
    expiresOn: 1_900_000_000_000,
  });
  await authorizer.getToken({ audience: 'https://vault.azure.net' });
  expect(server.requests.map(({ method, url, headers }) => [method, url, headers['metadata']])).toEqual(
    Array(2).fill([
      'GET',
      '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net',
      'true',
    ]),
  );
});

test.each([
  [{ clientId: 'c' }, 'client_id=c', 'managed identity of client c'],
  [{ objectId: 'o' }, 'object_id=o', 'managed identity of object o'],
  [{ resourceId: '/subscriptions/s' }, 'msi_res_id=%2Fsubscriptions%2Fs', 'managed identity of /subscriptions/s'],
])('the identity %p is requested by %s', async (selector, query, description) => {
  const { server, imds } = await setup(issued);
  const authorizer = managedIdentityAuthorizer(selector, imds);
  await authorizer.getToken({ audience: 'a' });
  expect(server.requests[0]?.url).toContain(`&${query}`);
  expect(authorizer.description).toBe(description);
});

test.each([404, 408, 429, 500, 503])('HTTP %d is tried three times more after 1, 2 and 4 s', async (status) => {
  const { server, slept, imds } = await setup({ status, body: { error: 'x' } });
  const expected =
    status === 404 ? { code: 'AZ_AUTH_FAILED', info: { status } } : { code: 'AZ_AUTH_UNREACHABLE', status };
  await expect(imds.token('a', {}, 'd')).rejects.toMatchObject(expected);
  expect(slept).toEqual([1000, 2000, 4000]);
  expect(server.requests).toHaveLength(4);
});

test('410 is waited out for 70 s, apart from the other retries', async () => {
  const { slept, imds } = await setup({ status: 410 });
  await expect(imds.token('a', {}, 'd')).rejects.toMatchObject({ status: 410 });
  expect(slept).toEqual(Array(7).fill(10_000));
  const mixed = await setup({ status: 410 }, { status: 500 }, { status: 410 }, issued);
  expect(await mixed.imds.token('a', {}, 'd')).toMatchObject({ token: 'issued' });
  expect(mixed.slept).toEqual([10_000, 1000, 10_000]);
});

test('Retry-After replaces the own delay', async () => {
  const { slept, imds } = await setup({ status: 429, headers: { 'retry-after': '3' } }, issued);
  await imds.token('a', {}, 'd');
  expect(slept).toEqual([3000]);
});

test('a failed request is not repeated, and its error has the reason', async () => {
  const { server, imds } = await setup({
    status: 400,
    body: { error: 'invalid_request', error_description: 'Identity not found' },
  });
  await expect(managedIdentityAuthorizer({ clientId: 'c' }, imds).getToken({ audience: 'a' })).rejects.toThrow(
    /metadata endpoint .* refused a token to the managed identity of client c: invalid_request: Identity not found/,
  );
  expect(server.requests).toHaveLength(1);
});

test('silence is AZ_AUTH_UNREACHABLE after the retries', async () => {
  const { slept, imds } = await setup({ destroy: true });
  await expect(imds.token('a', {}, 'd')).rejects.toMatchObject({ code: 'AZ_AUTH_UNREACHABLE' });
  expect(slept).toHaveLength(3);
});

test('expires_in does where expires_on is missing, dates are understood', async () => {
  const byLifetime = await setup({ body: { access_token: 't', expires_in: '3600' } });
  expect(await byLifetime.imds.token('a', {}, 'd')).toEqual({ token: 't', expiresOn: 1_800_003_600_000 });
  const byDate = await setup({ body: { access_token: 't', expires_on: '2030-01-01T00:00:00Z' } });
  expect(await byDate.imds.token('a', {}, 'd')).toEqual({ token: 't', expiresOn: Date.UTC(2030, 0, 1) });
});

test('instance metadata comes as JSON', async () => {
  const { server, imds } = await setup({ body: { name: 'vm-1' } });
  expect(await imds.instance('compute')).toEqual({ name: 'vm-1' });
  expect(server.requests[0]).toMatchObject({ url: '/metadata/instance/compute?api-version=2021-02-01&format=json' });
});

test('the endpoint can be set by the variable that Azure clients read', () => {
  expect(imdsEndpointOf({})).toBeUndefined();
  expect(imdsEndpointOf({ AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:1' })).toBe('http://127.0.0.1:1');
  expect(() => imdsEndpointOf({ AZURE_POD_IDENTITY_AUTHORITY_HOST: 'here' })).toThrow(/a URL/);
});
