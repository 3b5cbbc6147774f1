import { expect, test } from '@jest/globals';
import { createArmClient } from '../../../runtime/azure/arm/client.ts';
import { armErrorInfo } from '../../../runtime/azure/arm/errors.ts';
import { missingProvider, registerProvider } from '../../../runtime/azure/arm/provider-registration.ts';
import type { Clock } from '../../../runtime/base/clock.ts';
import { FakeAzure } from '../../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from '../support.ts';

const message =
  "The subscription is not registered to use namespace 'Microsoft.KeyVault'. See https://aka.ms/rps-not-found";

test('the provider to register stands in the target of the first detail, or in the message', () => {
  const code = 'MissingSubscriptionRegistration';
  const details = [{ code, target: 'Microsoft.KeyVault', message }];
  expect(missingProvider(armErrorInfo({ status: 409, body: { error: { code, message, details } } }))).toBe(
    'Microsoft.KeyVault',
  );
  expect(missingProvider(armErrorInfo({ status: 409, body: { error: { code, message } } }))).toBe('Microsoft.KeyVault');
  expect(
    missingProvider(armErrorInfo({ status: 409, body: { error: { code, details: [{ code, target: '../x' }] } } })),
  ).toBeUndefined();
  expect(
    missingProvider(armErrorInfo({ status: 409, body: { error: { code: 'Conflict', message } } })),
  ).toBeUndefined();
});

test('registration is requested once and awaited, with fresh tokens for each write', async () => {
  const states = ['Registering', 'Registering', 'Registered'];
  await using server = await FakeAzure.start(() => ({ body: { registrationState: states.shift() } }));
  const client = createArmClient({ cloud: cloudAt(server.url), dispatcher: dispatcherFor(server.ca) });
  const slept: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void slept.push(ms) } as unknown as Clock;
  const request = { client, authorizer: countingAuthorizer(), subscriptionId: 's1', provider: 'Microsoft.KeyVault' };
  await registerProvider(request, { clock, random: () => 0 });
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /subscriptions/s1/providers/Microsoft.KeyVault/register?api-version=2021-04-01',
    'GET /subscriptions/s1/providers/Microsoft.KeyVault?api-version=2021-04-01',
    'GET /subscriptions/s1/providers/Microsoft.KeyVault?api-version=2021-04-01',
  ]);
  expect(slept).toEqual([2000, 4000]);
  await client.close();
});

test('a registration that takes too long is an error that may be tried again', async () => {
  await using server = await FakeAzure.start(() => ({ body: { registrationState: 'Registering' } }));
  const client = createArmClient({ cloud: cloudAt(server.url), dispatcher: dispatcherFor(server.ca) });
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const clock = { now: () => now, sleep } as unknown as Clock;
  const request = { client, authorizer: countingAuthorizer(), subscriptionId: 's1', provider: 'Microsoft.KeyVault' };
  await expect(registerProvider(request, { clock, timeoutMs: 20_000 })).rejects.toMatchObject({
    code: 'AZ_OPERATION_FAILED',
    retryable: true,
    message: expect.stringContaining('Microsoft.KeyVault is still Registering'),
  });
  await client.close();
});
