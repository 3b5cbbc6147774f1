/**
 * The pure rules against the known behaviour of AAD Pod Identity 1.8.17, by suite. Where it was at fault the row says so
 * and expects the opposite.
 */
import { expect, test } from '@jest/globals';
import type { Desired } from '../../runtime/identity/assignments/desired.ts';
import { attachmentReference } from '../../runtime/identity/attachments/attachment-reference.ts';
import { machineOf, machineOfNode } from '../../runtime/identity/attachments/machine.ts';
import { clusterIdentityOf, parseCloudConfig } from '../../runtime/identity/cloud-config.ts';
import {
  batches,
  effective,
  identitiesNamedIn,
  identityPatch,
} from '../../runtime/identity/machines/machine-identity.ts';
import { refusalText } from '../../runtime/identity/machines/machine-writer.ts';
import { Reports } from '../../runtime/identity/reports.ts';
import {
  bindingProblem,
  credentialProblem,
  identityProblem,
  isIdentityId,
} from '../../runtime/identity/verification/validity.ts';
import type { EventRecorder } from '../../runtime/kube/events/recorder.ts';

const id = (name: string) =>
  `/subscriptions/s/resourcegroups/r/providers/microsoft.managedidentity/userassignedidentities/${name}`;

test.each([
  ['invalidresid', false],
  ['/subscriptions/x/resourcegroups/0000/providers/Microsoft.ManagedIdentity/keyvault-identity-0', false],
  ['/SUBSCRIPTIONS/s/RESOURCEGROUPS/rg/PROVIDERS/MICROSOFT.MANAGEDIDENTITY/USERASSIGNEDIDENTITIES/n', true],
  // Resource groups may have letters of any language.
  ['/subscriptions/s/resourceGroups/grün-é(1)/providers/Microsoft.ManagedIdentity/userAssignedIdentities/n', true],
  ['/subscriptions//resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/n', false],
  // Upstream's expression is not anchored and takes these two.
  ['junk/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/n/extra', false],
  ['/subscriptions/s/resourcegroups/rg/providers/MicrosoftXManagedIdentity/userAssignedIdentities/n', false],
  ['/subscriptions/s/resourcegroups/rg/providers/Microsoft.ManagedIdentity/systemAssigned/n', false],
  ['/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/n ', false],
  ['/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/n/../x', false],
])('resource_id_validation: %s', (input, valid) => {
  expect(isIdentityId(input)).toBe(valid);
});

test('each problem names its fix', () => {
  expect(identityProblem({ type: 0, resourceID: 'nonsense' })?.message).toContain(
    '"nonsense"; set it to /subscriptions/',
  );
  expect(identityProblem({ type: 9 })).toMatchObject({ reason: 'UnsupportedType' });
  expect(identityProblem({ type: 1 })).toBeUndefined();
  expect(credentialProblem({ type: 1 })?.message).toContain(
    'spec.clientID, spec.tenantID, spec.clientPassword.name, spec.clientPassword.namespace',
  );
  expect(credentialProblem({ type: 3, clientID: 'c', tenantID: 't' })).toBeUndefined();
  expect(bindingProblem({ selector: 'x' })?.message).toContain('spec.azureIdentity');
});

test.each([
  ['', undefined],
  ['/subscriptions/asdf/resourceGroups/qwery', undefined],
  ['azure:///subscriptions/s/resourceGroups/rg/providers/testCompute/myComputeObjectType/x', undefined],
  [
    'azure:///subscriptions/fakeSub/resourceGroups/fakeGroup/providers/Microsoft.Compute/virtualMachineScaleSets/node4/virtualMachines/0',
    [
      'vmss',
      '/subscriptions/fakeSub/resourceGroups/fakeGroup/providers/Microsoft.Compute/virtualMachineScaleSets/node4',
    ],
  ],
  // Upstream compares the type with regard to case and takes this scale set for a virtual machine.
  [
    'azure:///subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachinescalesets/node4/virtualmachines/0',
    ['vmss', '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/node4'],
  ],
  ['aws:///us-east-1a/i-0123', undefined],
  ['kind://docker/kind/kind-control-plane', undefined],
  [
    'azure:///subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm1/extensions/x',
    ['vm', '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm1'],
  ],
  ['azure:///subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/../../x', undefined],
])('parse_provider_id: %s', (providerId, expected) => {
  const machine = machineOf(providerId);
  expect(machine && [machine.kind, machine.id]).toEqual(expected);
});

test('a node without a providerID is the virtual machine of its name in the configured resource group', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
  expect(machineOfNode(node)).toBeUndefined();
  expect(machineOfNode(node, { subscriptionId: 's', resourceGroup: 'rg' })?.id).toBe(
    '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/n1',
  );
});

test('attachment references differ by machine and identity, whatever the case of either', () => {
  const machine = '/subscriptions/s/resourceGroups/A/providers/Microsoft.Compute/virtualMachines/m';
  const lower = attachmentReference(machine, id('i'));
  expect(attachmentReference(machine.toUpperCase(), id('i').toUpperCase())).toEqual(lower);
  // Two scale sets of one name in two groups, which upstream takes for one.
  expect(attachmentReference(machine.replace('/A/', '/b/'), id('i'))).not.toEqual(lower);
});

test('the reason of a refusal names no identity of another namespace', () => {
  const code = 'FailedIdentityOperation';
  expect(refusalText(id('a'), { code, message: `'${id('a')}' is missing` })).toBe(`${code}: '${id('a')}' is missing`);
  expect(refusalText(id('a'), { code, message: `'${id('a')}','${id('b')}' are missing` })).not.toContain(id('b'));
});

test('the event about two assignments of one name names no pod of another namespace', () => {
  const notes: string[] = [];
  const events = { record: ({ note }: { note: string }) => void notes.push(note) };
  const need = (namespace: string, name: string) => {
    const metadata = { namespace, name };
    return { binding: { metadata }, identity: { metadata }, pod: { metadata }, node: 'n' } as unknown as Desired;
  };
  const reports = new Reports(events as unknown as EventRecorder);
  reports.collision(need('c', 'a-b'), need('b-c', 'a'));
  expect(notes).toHaveLength(2);
  for (const note of notes) expect(note).toContain(': a pod of another namespace has');
  expect(notes.join()).not.toContain('b-c');
  reports.collision(need('c', 'a-b'), need('c', 'a'));
  expect(notes.at(-1)).toContain(': the pod a has an assignment of the same name; rename');
});

test.each([
  [`on the linked scope(s) '${id('user-id-1')}' or the linked scope(s) are invalid`, [id('user-id-1')]],
  [`scope(s) '${id('a')},${id('b')}'`, [id('a'), id('b')]],
  ['error message', []],
  // Upstream reads the first quoted list only, and nothing without quotes.
  [`two '${id('a')}' and '${id('b')}'`, [id('a'), id('b')]],
  [`noquote ${id('a')}`, [id('a')]],
  [`Resource '${id('with.dot')}' was not found.`, [id('with.dot')]],
])('extract_ids_from_arm_error: %s', (message, ids) => {
  expect(identitiesNamedIn(message)).toEqual(ids);
});

const patchRows: [string, string, string[], Record<string, boolean>, object | undefined][] = [
  ['adds to none', '', [], { id1: true }, { type: 'UserAssigned', userAssignedIdentities: { id1: {} } }],
  ['adds what is there', 'UserAssigned', ['ID1'], { id1: true }, undefined],
  ['takes the last', 'SystemAssigned, UserAssigned', ['id1'], { id1: false }, { type: 'SystemAssigned' }],
  ['takes the last of all', 'UserAssigned', ['id1'], { ID1: false }, { type: 'None' }],
  // Upstream answers None here and strips the system-assigned identity.
  ['takes what is not there', 'SystemAssigned', [], { idx: false }, undefined],
  [
    'names the difference only',
    'UserAssigned',
    ['id1', 'id2'],
    { id1: false, id3: true },
    { type: 'UserAssigned', userAssignedIdentities: { id1: null, id3: {} } },
  ],
  [
    'keeps a system identity',
    'SystemAssigned',
    [],
    { id1: true },
    { type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { id1: {} } },
  ],
  ['adds to None', 'None', [], { id1: true }, { type: 'UserAssigned', userAssignedIdentities: { id1: {} } }],
];
test.each(patchRows)('set_user_identities: %s', (_, type, ids, changes, identity) => {
  const current = { type, ids: new Set(ids.map((each) => each.toLowerCase())) };
  expect(identityPatch(current, new Map(Object.entries(changes)))?.body).toEqual(identity && { identity });
});

test.each([
  [2, [2]],
  [150, [150]],
  [200, [150, 50]],
  // Upstream sends a PATCH even so.
  [0, []],
])('patch_batching: %i', (count, sizes) => {
  const changes = new Map(Array.from({ length: count }, (_, i) => [`id${i}`, true]));
  const made = batches(changes);
  expect(made.map(({ size }) => size)).toEqual(sizes);
  expect(new Set(made.flatMap((batch) => [...batch.keys()])).size).toBe(count);
});

test('what is attached goes before what is detached, and what changes nothing is left out', () => {
  const changes = new Map([
    ['a', false],
    ['b', true],
    ['c', true],
  ]);
  expect([...(batches(changes, 2)[0]?.keys() ?? [])]).toEqual(['b', 'c']);
  expect([...effective({ type: '', ids: new Set(['b']) }, changes).keys()]).toEqual(['c']);
});

test.each([
  ['clientid', 'clientsecret', '', ''],
  ['msi', 'msi', '', ''],
  ['msi', 'msi', 'userAssignedIdentityID', 'userAssignedIdentityID'],
])('cluster_identity: %s %s %s', (aadClientId, aadClientSecret, userAssignedIdentityID, expected) => {
  const config = parseCloudConfig(JSON.stringify({ aadClientId, aadClientSecret, userAssignedIdentityID }), 'test');
  expect(clusterIdentityOf(config)).toBe(expected);
});
