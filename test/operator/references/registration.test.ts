import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ArmError, armErrorInfo } from '../../../runtime/azure/arm/errors.ts';
import type { ArmClient } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { Registrations } from '../../../runtime/operator/references/provider-registrations.ts';
import { countingAuthorizer } from '../../azure/support.ts';
import { armRequests, events, startWorld, types, until, untilReady, type World } from '../support.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.azure.settings.enforceRegistration = true;
  await world.startOperator();
});
afterAll(() => world?.close());

test('the first resources of a provider register it once, and are created then', async () => {
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const names = ['regone', 'regtwo', 'regthree'];
  const spec = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
  await Promise.all(names.map((name) => world.apply(types.account, name, spec)));
  for (const name of names) await untilReady(world, types.account, name);
  expect(armRequests(world, 'POST', /Microsoft\.Storage\/register$/)).toHaveLength(1);
  await until('an event says so', async () =>
    (await world.client.list(events)).items.some((event) => event['reason'] === 'RegisteringProvider'),
  );
});

const missing = 'MissingSubscriptionRegistration';
const refusal = new ArmError(
  'PUT',
  '/x',
  armErrorInfo({
    status: 409,
    body: {
      error: { code: missing, message: 'm', details: [{ code: missing, target: 'Microsoft.Cache', message: 'm' }] },
    },
  }),
);

test('while a provider is registering nothing else is sent, and one GET serves all objects', async () => {
  const sent: string[] = [];
  let state = 'Registering';
  const arm = {
    send: async ({ method, path }: { method: string; path: string }) => {
      sent.push(`${method} ${path.split('/providers/')[1]}`);
      return { body: { registrationState: state } };
    },
  } as unknown as ArmClient;
  const clock = new ManualClock(0);
  const ended: string[] = [];
  const registrations = new Registrations(arm, clock, (...which) => void ended.push(which.join(' ')));
  const { signal } = new AbortController();
  const registration = {
    subscriptionId: 's',
    authorizer: countingAuthorizer(),
    correlationId: 'c',
    share: 'shop',
    signal,
  };
  const check = () => registrations.throwWhilePending('Microsoft.Cache', registration);
  await check();
  expect(await registrations.begin(new Error('another'), registration)).toBeUndefined();
  expect(await registrations.begin(refusal, registration)).toBe('Microsoft.Cache');
  await registrations.begin(refusal, registration);
  for (let waiting = 0; waiting < 20; waiting++) await expect(check()).rejects.toBe(refusal);
  expect(sent).toEqual(['POST Microsoft.Cache/register', 'GET Microsoft.Cache']);
  state = 'Registered';
  await expect(check()).rejects.toBe(refusal);
  await clock.advance(6000);
  expect(ended).toEqual([]);
  await check();
  await check();
  expect(ended).toEqual(['s Microsoft.Cache']);
  expect(sent).toEqual(['POST Microsoft.Cache/register', 'GET Microsoft.Cache', 'GET Microsoft.Cache']);
});

test('a refused registration is reported as that, and the next object that needs it requests it again', async () => {
  let tries = 0;
  const denied = new ArmError(
    'POST',
    '/register',
    armErrorInfo({ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no' } } }),
  );
  const arm = {
    send: async () => {
      tries++;
      throw denied;
    },
  } as unknown as ArmClient;
  const registrations = new Registrations(arm, new ManualClock(0));
  const { signal } = new AbortController();
  const registration = {
    subscriptionId: 's',
    authorizer: countingAuthorizer(),
    correlationId: 'c',
    share: 'shop',
    signal,
  };
  await expect(registrations.begin(refusal, registration)).rejects.toBe(denied);
  await expect(registrations.begin(refusal, registration)).rejects.toBe(denied);
  expect(tries).toBe(2);
});
