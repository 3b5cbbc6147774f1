import { expect, test } from '@jest/globals';
import { azure, client, clock, provider } from '../world.ts';

const version = '2021-07-01';
const base = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Features`;
const automatic = `${base}/providers/Microsoft.Compute/features/EncryptionAtHost`;
const manual = `${base}/providers/Microsoft.Compute/features/SharedDisksPreview`;
const registration = (name: string) =>
  `${base}/featureProviders/Microsoft.Compute/subscriptionFeatureRegistrations/${name}`;
const state = async (method: string, path: string) =>
  (await client.arm(method, path, version)).body.properties.state as string;

test('a feature that approves itself goes from Registering to Registered, and back to Unregistered', async () => {
  expect(await state('GET', automatic)).toBe('NotRegistered');
  expect(await state('POST', `${automatic}/register`)).toBe('Registering');
  await clock.advance(1000);
  expect(await state('GET', automatic)).toBe('Registered');
  expect(await state('POST', `${automatic}/register`)).toBe('Registered');
  expect(await state('POST', `${automatic}/unregister`)).toBe('Unregistering');
  await clock.advance(1000);
  expect(await state('GET', automatic)).toBe('Unregistered');
});

test('a feature that people approve stays Pending until they have decided', async () => {
  expect(await state('POST', `${manual}/register`)).toBe('Pending');
  await clock.advance(86_400_000);
  expect(await state('POST', `${manual}/register`)).toBe('Pending');
  const decision = { subscriptionId: azure.subscriptionId, feature: 'Microsoft.Compute/SharedDisksPreview' };
  azure.decideFeature({ ...decision, state: 'NotRegistered' });
  expect(await state('GET', manual)).toBe('NotRegistered');
  expect(() => azure.decideFeature({ ...decision, state: 'Registered' })).toThrow(/a feature that is Pending/);
  await state('POST', `${manual}/register`);
  azure.decideFeature({ ...decision, state: 'Registered' });
  expect(await state('GET', manual)).toBe('Registered');
});

test('registrations are the same features: PUT registers, DELETE leads to NotRegistered', async () => {
  const path = registration('EncryptionAtHost');
  const { body } = await client.arm('PUT', path, version, { properties: {} });
  expect(body).toMatchObject({
    name: 'EncryptionAtHost',
    type: 'Microsoft.Features/featureProviders/subscriptionFeatureRegistrations',
    properties: {
      providerNamespace: 'Microsoft.Compute',
      approvalType: 'AutoApproval',
      state: 'Registering',
      authorizationProfile: { requesterObjectId: azure.defaultApp.objectId },
    },
  });
  await clock.advance(1000);
  expect(await state('GET', automatic)).toBe('Registered');
  expect((await client.arm('DELETE', path, version)).status).toBe(200);
  expect(await state('GET', path)).toBe('NotRegistered');
});

test('lists hold the features of a subscription and of a provider', async () => {
  const names = async (path: string) =>
    (await client.arm('GET', `${base}/${path}`, version)).body.value.map(({ name }: { name: string }) => name);
  const both = ['Microsoft.Compute/EncryptionAtHost', 'Microsoft.Compute/SharedDisksPreview'];
  expect(await names('features')).toEqual(both);
  expect(await names('providers/microsoft.compute/features')).toEqual(both);
  expect(await names('providers/Microsoft.Storage/features')).toEqual([]);
  const plain = ['EncryptionAtHost', 'SharedDisksPreview'];
  expect(await names('subscriptionFeatureRegistrations')).toEqual(plain);
  expect(await names('featureProviders/Microsoft.Compute/subscriptionFeatureRegistrations')).toEqual(plain);
});

test('an unknown feature is not found', async () => {
  const { status, body } = await client.arm('GET', `${base}/providers/Microsoft.Compute/features/X`, version);
  expect([status, body.error.message]).toEqual([404, "The feature 'X' could not be found."]);
});

test('roles on Microsoft.Features decide where they are enforced', async () => {
  azure.settings.enforceRbac = true;
  const [owner, reader] = ['Contributor', 'Reader'].map((role) =>
    azure.registerApp({ roles: [{ role, scope: `/subscriptions/${azure.subscriptionId}` }] }),
  );
  const register = async (app: typeof owner) =>
    (await client.arm('POST', `${automatic}/register`, version, undefined, app ? { app } : {})).status;
  expect([await register(reader), await register(owner)]).toEqual([403, 200]);
});

const vm = provider('Microsoft.Compute/virtualMachines/vm');
const gate = {
  type: 'Microsoft.Compute/virtualMachines',
  path: 'properties.securityProfile.encryptionAtHost',
  feature: 'Microsoft.Compute/EncryptionAtHost',
} as const;

test.each([
  [
    'SubscriptionNotRegisteredForFeature',
    `Subscription ${azure.subscriptionId} is not registered for feature Microsoft.Compute/EncryptionAtHost required to carry out the requested operation.`,
  ],
  ['PreviewFeatureNotRegistered', 'Preview feature Microsoft.Compute/EncryptionAtHost not registered.'],
  [
    'InvalidParameter',
    "The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
  ],
] as const)('a write that needs a feature is refused with %s until it is registered', async (refusal, message) => {
  azure.settings.featureGates = [{ ...gate, refusal }];
  const write = (encryptionAtHost: boolean) =>
    client.arm('PUT', vm, '2024-07-01', { location: 'westus2', properties: { securityProfile: { encryptionAtHost } } });
  const refused = await write(true);
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([400, refusal, message]);
  await client.arm('POST', `${automatic}/register`, version);
  expect((await write(true)).status).toBe(400);
  await clock.advance(1000);
  expect((await write(true)).status).toBe(201);
});

test('a provider is registered location by location', async () => {
  azure.settings.enforceRegistration = true;
  azure.settings.registrationMs = 60_000;
  const path = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Compute`;
  const shown = async () => (await client.arm('GET', path, '2021-04-01')).body;
  const write = async (location: string) => {
    const { status, body } = await client.arm('PUT', `${vm}-${location}`, '2024-07-01', { location, properties: {} });
    return body.error?.code ?? status;
  };
  expect((await client.arm('POST', `${path}/register`, '2021-04-01')).body.registrationState).toBe('Registering');
  expect((await shown()).resourceTypes[0].locations).toEqual([]);
  expect(await write('eastus')).toBe('MissingRegistrationForLocation');
  await clock.advance(20_000);
  expect((await shown()).registrationState).toBe('Registering');
  expect([await write('eastus'), await write('austriaeast')]).toEqual([201, 'MissingRegistrationForLocation']);
  await clock.advance(40_000);
  expect((await shown()).registrationState).toBe('Registered');
  expect(await write('austriaeast')).toBe(201);
  expect((await client.arm('POST', `${path}/unregister`, '2021-04-01')).body.registrationState).toBe('NotRegistered');
});
