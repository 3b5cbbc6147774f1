import { expect, test } from '@jest/globals';
import { ArmError, armErrorInfo } from '../../../runtime/azure/arm/errors.ts';
import { clouds } from '../../../runtime/azure/clouds.ts';
import type { ArmClient, ArmRequest, Authorizer } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { Registrations } from '../../../runtime/operator/references/provider-registrations.ts';

const authorizer: Authorizer = { description: 'test', getToken: () => Promise.reject(new Error('not asked')) };
const registration = {
  subscriptionId: 's',
  authorizer,
  correlationId: 'c',
  share: 'shop',
  signal: new AbortController().signal,
};
const message = "The subscription is not registered to use namespace 'Microsoft.Cache'.";
const refusal = new ArmError(
  'PUT',
  '/x',
  armErrorInfo({ status: 409, body: { error: { code: 'MissingSubscriptionRegistration', message } } }),
);

test.each(['Registered', 'NotRegistered', 'Unregistered'])(
  'a registration that is found %s holds nobody up',
  async (last) => {
    const clock = new ManualClock();
    const sent: string[] = [];
    let state = 'Registering';
    const arm = {
      send: async ({ method }: ArmRequest) => {
        sent.push(method);
        return { body: { registrationState: state } };
      },
    } as unknown as ArmClient;
    const registrations = new Registrations(arm, clock);
    expect(await registrations.begin(refusal, registration)).toBe('Microsoft.Cache');
    await expect(registrations.throwWhilePending('Microsoft.Cache', registration)).rejects.toBe(refusal);
    state = last;
    await expect(registrations.throwWhilePending('microsoft.cache', registration)).rejects.toBe(refusal);
    await clock.advance(5000);
    await registrations.throwWhilePending('Microsoft.Cache', registration);
    // Another refusal, should there be one, asks for it anew.
    await registrations.begin(refusal, registration);
    expect(sent).toEqual(['POST', 'GET', 'GET', 'POST']);
  },
);

test('a namespace waits for its own registrations, and sees no refusal of another one', async () => {
  const sent: string[] = [];
  const arm = {
    send: async ({ method, share }: ArmRequest) => {
      sent.push(`${method} for ${share}`);
      return { body: { registrationState: 'Registering' } };
    },
  } as unknown as ArmClient;
  const registrations = new Registrations(arm, new ManualClock());
  const hostile = { ...registration, share: 'hostile' };
  await registrations.begin(refusal, hostile);
  await registrations.throwWhilePending('Microsoft.Cache', registration);
  await registrations.begin(refusal, registration);
  await expect(registrations.throwWhilePending('Microsoft.Cache', hostile)).rejects.toBe(refusal);
  await expect(registrations.throwWhilePending('Microsoft.Cache', registration)).rejects.toBe(refusal);
  expect(sent).toEqual(['POST for hostile', 'POST for shop', 'GET for hostile', 'GET for shop']);
});

test('a registration in one cloud is none in another with the same subscription', async () => {
  const sent: string[] = [];
  const arm = {
    send: async ({ method }: ArmRequest) => {
      sent.push(method);
      return { body: { registrationState: 'Registering' } };
    },
  } as unknown as ArmClient;
  const registrations = new Registrations(arm, new ManualClock());
  await registrations.begin(refusal, registration);
  const cloud = clouds.AzureChinaCloud;
  await registrations.throwWhilePending('Microsoft.Cache', { ...registration, authorizer: { ...authorizer, cloud } });
  expect(sent).toEqual(['POST']);
});

test('a service that asks for ever more registrations fills no memory: the oldest is forgotten', async () => {
  const arm = { send: async () => ({ body: { registrationState: 'Registering' } }) } as unknown as ArmClient;
  const registrations = new Registrations(arm, new ManualClock());
  const at = (index: number) => ({ ...registration, subscriptionId: `s${index}` });
  for (let index = 0; index <= 1000; index++) await registrations.begin(refusal, at(index));
  await registrations.throwWhilePending('Microsoft.Cache', at(0));
  await expect(registrations.throwWhilePending('Microsoft.Cache', at(1000))).rejects.toBe(refusal);
});
