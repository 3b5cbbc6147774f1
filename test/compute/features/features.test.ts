import { expect, test } from '@jest/globals';
import { featureStates } from '../../../runtime/api/machines/features.ts';
import { gateRefusal } from '../../../runtime/compute/features/feature-refusals.ts';
import { nextFeatureStep, tryFeatureState } from '../../../runtime/compute/features/features.ts';

const consent = true;
const minute = 60_000;

test.each([
  ['NotSpecified', 'RegisterFeature', 'Nobody'],
  ['NotRegistered', 'RegisterFeature', 'Nobody'],
  ['Unregistered', 'RegisterFeature', 'Nobody'],
  ['Pending', 'PollFeature', 'AzureApproval'],
  ['Registering', 'PollFeature', 'Azure'],
  ['Unregistering', 'PollFeature', 'Azure'],
  ['Registered', 'RegisterProvider', 'Nobody'],
] as const)('in state %s the next action is %s, and it waits for %s', (state, action, waitsFor) => {
  expect(nextFeatureStep({ state, consent })).toMatchObject({ action, waitsFor, dependants: 'Blocked' });
});

test('without consent nothing is sent, in no state, and dependants are blocked even if Azure has registered', () => {
  for (const state of [undefined, ...featureStates]) {
    const provider = { requested: true, registrationState: 'Registered', readyLocations: [] };
    expect(nextFeatureStep({ state, consent: false, provider })).toEqual({
      action: 'None',
      waitsFor: 'OwnerConsent',
      dependants: 'Blocked',
    });
  }
});

test("Azure's approval and the owner's consent are different waits", () => {
  expect(nextFeatureStep({ state: 'Pending', consent }).waitsFor).toBe('AzureApproval');
  expect(nextFeatureStep({ state: 'Pending', consent: false }).waitsFor).toBe('OwnerConsent');
});

test('the provider is registered once, then dependants wait for their own locations only', () => {
  const step = (provider: object, locations?: string[]) =>
    nextFeatureStep({
      state: 'Registered',
      consent,
      provider: { requested: true, registrationState: 'Registering', readyLocations: [], ...provider },
      ...(locations && { locations }),
    });
  expect(step({ requested: false, registrationState: 'Registered' }).action).toBe('RegisterProvider');
  expect(step({})).toMatchObject({ action: 'PollProvider', waitsFor: 'Azure', dependants: 'Blocked' });
  expect(step({ readyLocations: ['West Europe'] }, ['westeurope']).dependants).toBe('Released');
  expect(step({ readyLocations: ['West Europe'] }, ['westeurope', 'eastus']).dependants).toBe('Blocked');
  expect(step({ readyLocations: ['West Europe'] }).dependants).toBe('Blocked');
  expect(step({ registrationState: 'registered' }, ['mars']).dependants).toBe('Released');
});

test('reads are 30 s apart and grow to 5 minutes, or to 30 while the service team has to approve', () => {
  const delays = (state: 'Registering' | 'Pending') =>
    [0, 1, 2, 3, 4, 10, 100_000].map((polls) => nextFeatureStep({ state, consent, polls }).pollAfterMs);
  expect(delays('Registering').map((ms = 0) => ms / minute)).toEqual([0.5, 1, 2, 4, 5, 5, 5]);
  expect(delays('Pending').map((ms = 0) => ms / minute)).toEqual([0.5, 1, 2, 4, 8, 30, 30]);
});

test('states are read in any case, and unknown ones are unknown', () => {
  expect([tryFeatureState('registered'), tryFeatureState('Enabled')]).toEqual(['Registered', undefined]);
});

test.each([
  [
    'MissingSubscriptionRegistration',
    "The subscription is not registered to use namespace 'Microsoft.Compute'. See https://aka.ms/rps-not-found for how to register subscriptions.",
    { class: 'ProviderNotRegistered', names: 'Microsoft.Compute' },
  ],
  [
    'MissingRegistrationForLocation',
    'The subscription is not registered for the resource type.',
    { class: 'ProviderNotRegistered' },
  ],
  [
    'SubscriptionNotRegisteredForFeature',
    'Subscription 1 is not registered for feature Microsoft.Network/AllowX required to carry out the requested operation.',
    { class: 'FeatureGate', names: 'Microsoft.Network/AllowX' },
  ],
  [
    'InvalidParameter',
    "The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
    { class: 'FeatureGate', names: 'Microsoft.Compute/EncryptionAtHost' },
  ],
  ['InvalidParameter', 'The value of feature Microsoft.Compute/X is wrong.', undefined],
  ['OperationNotAllowed', 'Operation results in exceeding quota limits of Core.', undefined],
  ['constructor', 'nothing', undefined],
])('%s: %s', (code, message, expected) => {
  expect(gateRefusal({ status: 400, code, message })).toEqual(expected);
});
