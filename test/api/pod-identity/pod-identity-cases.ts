import { objectsOf, type ValidationCase } from '../validation-case.ts';

const identity = objectsOf('aadpodidentity.k8s.io/v1', 'AzureIdentity');
const binding = objectsOf('aadpodidentity.k8s.io/v1', 'AzureIdentityBinding');
const assigned = objectsOf('aadpodidentity.k8s.io/v1', 'AzureAssignedIdentity');
const exception = objectsOf('aadpodidentity.k8s.io/v1', 'AzurePodIdentityException');
const window = { schedule: '0 8 * * 1-5', duration: '1h30m' };

/** What upstream's schema takes, however odd, must still be taken. */
export const podIdentityCases: readonly ValidationCase[] = [
  { name: 'an identity without a spec', object: identity(undefined) },
  { name: 'an identity with nothing in it', object: identity({}) },
  { name: 'type 0 without a resource id', object: identity({ type: 0, clientID: 'c' }) },
  { name: 'a type that nobody knows', object: identity({ type: 42 }) },
  { name: 'workload federation', object: identity({ type: 3, clientID: 'c', tenantID: 't' }) },
  { name: 'a malformed resource id', object: identity({ type: 0, resourceID: ' /not/an/id' }) },
  { name: 'null where upstream has pointers', object: identity({ replicas: null, auxiliaryTenantIDs: null }) },
  { name: 'old capitalised names, which are dropped', object: identity({ ClientID: 'c', ResourceID: 'r' }) },
  { name: 'the empty metadata of old tools', object: identity({ metadata: { creationTimestamp: null } }) },
  {
    name: 'the longest texts',
    object: identity({ adEndpoint: 'x'.repeat(2048), resourceID: 'x'.repeat(2048), clientID: 'x'.repeat(253) }),
  },
  ...['adEndpoint', 'adResourceID', 'clientID', 'resourceID', 'tenantID'].map((member) => ({
    name: `a text in ${member} that fills the memory of node daemons`,
    object: identity({ [member]: 'x'.repeat(2049) }),
    refusedAt: `spec.${member}`,
  })),
  {
    name: 'a long name of a Secret',
    object: identity({ clientPassword: { name: 'x'.repeat(254) } }),
    refusedAt: 'spec.clientPassword.name',
  },
  {
    name: 'many further tenants',
    object: identity({ auxiliaryTenantIDs: Array.from({ length: 21 }, () => 't') }),
    refusedAt: 'spec.auxiliaryTenantIDs',
  },
  { name: 'a long selector', object: binding({ selector: 'x'.repeat(254) }), refusedAt: 'spec.selector' },
  { name: 'a type given as text', object: identity({ type: '0' }), refusedAt: 'spec.type' },
  { name: 'a type with a fraction', object: identity({ type: 0.5 }), refusedAt: 'spec.type' },
  { name: 'a secret given as text', object: identity({ clientPassword: 'name' }), refusedAt: 'spec.clientPassword' },
  { name: 'a null that nothing allows, which is dropped', object: identity({ clientID: null }) },
  {
    name: 'a null in a list',
    object: identity({ auxiliaryTenantIDs: [null] }),
    refusedAt: 'spec.auxiliaryTenantIDs[0]',
  },
  { name: 'a binding without a selector', object: binding({ azureIdentity: 'a' }) },
  { name: 'a negative weight', object: binding({ azureIdentity: 'a', selector: 's', weight: -1 }) },
  {
    name: 'a binding with windows',
    object: binding({
      availability: { timeZone: 'Europe/Paris', notBefore: '2026-01-01T00:00:00Z', windows: [window] },
    }),
  },
  {
    name: 'a date without time',
    object: binding({ availability: { notBefore: '2026-01-01' } }),
    refusedAt: 'spec.availability.notBefore',
  },
  {
    name: 'a date that no calendar has',
    object: binding({ availability: { notBefore: '2026-02-30T00:00:00Z' } }),
    refusedAt: 'spec.availability.notBefore',
  },
  {
    name: 'a duration in words',
    object: binding({ availability: { windows: [{ ...window, duration: 'one hour' }] } }),
    refusedAt: 'spec.availability.windows[0].duration',
    because: /a match of/,
  },
  {
    name: 'a window without a schedule',
    object: binding({ availability: { windows: [window, { duration: '1h' }] } }),
    refusedAt: 'spec.availability.windows[1].schedule',
  },
  {
    name: 'no windows at all',
    object: binding({ availability: { windows: [] } }),
    refusedAt: 'spec.availability.windows',
  },
  {
    name: 'an assigned identity as MIC writes it',
    object: assigned(
      {
        azureIdentityRef: { ...identity({ type: 0 }), metadata: { name: 'i', resourceVersion: '12' } },
        azureBindingRef: { ...binding({ selector: 's' }), metadata: { name: 'b', resourceVersion: '13' } },
        pod: 'p',
        podNamespace: 'default',
        nodename: 'n',
        replicas: null,
      },
      { status: { status: 'Created', availableReplicas: 1 } },
    ),
  },
  {
    name: 'an embedded identity without a kind',
    object: assigned({ azureIdentityRef: { apiVersion: 'v1', metadata: { name: 'i' } } }),
    refusedAt: 'spec.azureIdentityRef.kind',
  },
  {
    name: 'an embedded binding whose metadata is no object',
    object: assigned({ azureBindingRef: { apiVersion: 'v1', kind: 'X', metadata: 5 } }),
    refusedAt: 'spec.azureBindingRef.metadata',
  },
  { name: 'an exception', object: exception({ podLabels: { app: 'mic' } }) },
  {
    name: 'a label that is a number',
    object: exception({ podLabels: { app: 1 } }),
    refusedAt: 'spec.podLabels[app]',
  },
];
