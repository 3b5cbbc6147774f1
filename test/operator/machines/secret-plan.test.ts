import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../../runtime/api/kinds.ts';
import type { ManagedSecretReference } from '../../../runtime/api/machines/secret-references.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { Graph } from '../../../runtime/engine/index.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { recordDelivered } from '../../../runtime/operator/machines/delivery-memory.ts';
import { detachLater, identityOverlapMs } from '../../../runtime/operator/machines/earlier-identities.ts';
import { machineBody } from '../../../runtime/operator/machines/machine-body.ts';
import { MachineSecrets } from '../../../runtime/operator/machines/machine-secrets.ts';
import { secretReferences } from '../../../runtime/operator/machines/secret-plan.ts';
import { identityId, subscriptionId } from '../../compute/machines/support.ts';
import { certificate, FakeSecrets, idOf } from './known-secrets.ts';

const model = catalogueModel(kindOf('compute.azure.com', 'VirtualMachine') as ArmKindDefinition);
const resourceId = `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm`;
const body: JsonObject = { location: 'westeurope', properties: { osProfile: { adminUsername: 'ops' } } };
const web: ManagedSecretReference = { managedSecret: 'web', delivery: 'OsProfile' };

function machine(managedSecrets: unknown, uid = 'vm-1'): KubeObject {
  return {
    apiVersion: 'compute.azure.com/v1api20220301',
    kind: 'VirtualMachine',
    metadata: { namespace: 'default', name: 'vm', uid },
    spec: { operatorSpec: { managedSecrets } },
  } as unknown as KubeObject;
}

function setup() {
  const secrets = new FakeSecrets();
  const cached: KubeObject[] = [];
  const machines = new MachineSecrets({ secrets, machines: () => cached });
  const graph = new Graph();
  const clock = { now: 0 };
  const plan = (object: KubeObject, own: JsonObject | undefined = body, reached: string[] = []) =>
    machineBody({ machines, graph }, model, object, own, {
      references: secretReferences(model, object),
      resourceId,
      now: clock.now,
      checkReach: (armId) => void reached.push(armId),
    });
  return { secrets, machines, graph, plan, cached, clock };
}

test('a machine gets the version that its namespace has in its region', () => {
  const { secrets, plan } = setup();
  secrets.set('default', 'web', certificate(3));
  secrets.set('other', 'web', certificate(9));
  const reached: string[] = [];
  const found = plan(machine([web]), body, reached);
  expect(found.machine?.secrets).toEqual([{ name: 'web', delivery: 'OsProfile', number: 3, state: 'Current' }]);
  const url = `https://kv1.vault.azure.net/secrets/web/${idOf(3)}`;
  expect(found.declared).toMatchObject({
    properties: { osProfile: { secrets: [{ vaultCertificates: [{ certificateUrl: url }] }] } },
  });
  expect(reached).toEqual([expect.stringContaining('/vaults/kv1')]);
});

test('blanks around the name of a ManagedSecret do not count', () => {
  const { secrets, plan } = setup();
  secrets.set('default', 'web', certificate(3));
  const found = plan(machine([{ ...web, managedSecret: ' web\n' }]));
  expect(found.machine?.secrets).toMatchObject([{ name: 'web', number: 3 }]);
});

test('no entry reaches a ManagedSecret of another namespace, however it is written', () => {
  const { secrets, plan } = setup();
  secrets.set('other', 'web', certificate(9));
  for (const name of ['web', 'other/web', '../other/web', 'default/../other/web']) {
    const { declared, machineWaits } = plan(machine([{ ...web, managedSecret: name }]));
    expect(declared).toBeUndefined();
    expect(machineWaits).toMatchObject([
      { reason: 'SecretNotReady', node: `ManagedSecret.azimuth.dev default/${name}` },
    ]);
  }
});

test('a closed gate is one wait for all entries, with an edge to it', () => {
  const { secrets, plan, graph } = setup();
  secrets.set('default', 'web', certificate(3));
  secrets.gate.open = false;
  const { declared, machineWaits } = plan(machine([web, { ...web, managedSecret: 'more' }]));
  expect(declared).toBeUndefined();
  expect(machineWaits).toMatchObject([
    { reason: 'WaitingForFeature', message: expect.stringContaining('not registered') },
  ]);
  expect(graph.dependents(`feature ${subscriptionId}`)).toEqual(['VirtualMachine.compute.azure.com default/vm']);
});

test('all problems are named, and the first one is the reason', () => {
  const { secrets, plan } = setup();
  secrets.set('default', 'web', certificate(3, { enabledForDeployment: false, vaultLocation: 'eastus' }));
  const { declared, machineWaits } = plan(machine([web]));
  expect(declared).toBeUndefined();
  expect(machineWaits).toMatchObject([{ reason: 'VaultNotEnabled', needsEdit: true }]);
  expect(machineWaits[0]?.message).toMatch(/VaultNotEnabled: spec\.operatorSpec.*; VaultRegionDiffers: /s);
});

test('a password from a Secret is checked and never shown', () => {
  const { secrets, plan } = setup();
  secrets.set('default', 'web', certificate(3));
  const secret = 'onlylowercase';
  const own = { ...body, properties: { osProfile: { adminUsername: 'ops', adminPassword: new SecretValue(secret) } } };
  const { machineWaits } = plan(machine([web]), own);
  expect(machineWaits).toMatchObject([{ reason: 'AdminPasswordInvalid', needsEdit: true }]);
  expect(JSON.stringify(machineWaits)).not.toContain(secret);
});

test('a vault outside the scopes of the namespace is refused', () => {
  const { machines, graph, secrets } = setup();
  secrets.set('default', 'web', certificate(3));
  const object = machine([web]);
  const input = { references: secretReferences(model, object), resourceId, now: 0 };
  const checkReach = (armId: string) => {
    throw new Error(`${armId} may not be reached`);
  };
  expect(() => machineBody({ machines, graph }, model, object, body, { ...input, checkReach })).toThrow('/vaults/kv1');
});

test('without the flag a machine with managedSecrets is refused with how to switch the delivery on', () => {
  const object = machine([web]);
  const input = { references: secretReferences(model, object), resourceId, now: 0, checkReach: () => undefined };
  const off = () => machineBody({ graph: new Graph() }, model, object, body, input);
  expect(off).toThrow(/--machine-secrets \(AZIMUTH_MACHINE_SECRETS=true\)/);
  const plain = machineBody({ graph: new Graph() }, model, machine(undefined), body, { ...input, references: [] });
  expect(plain).toEqual({ declared: body, machineWaits: [] });
});

test('which versions machines use is unknown until each machine was planned and delivered', () => {
  const { secrets, machines, plan, cached } = setup();
  secrets.set('default', 'web', certificate(3));
  const [one, two] = [machine([web], 'vm-1'), machine([], 'vm-2')];
  expect(machines.usersIn('default')?.('web')).toEqual(new Set());
  cached.push(one, two);
  expect(machines.usersIn('default')?.('web')).toBeUndefined();
  plan(one);
  expect(machines.usersIn('default')?.('web')).toBeUndefined();
  plan(two);
  expect(machines.usersIn('default')?.('web')).toBeUndefined();
  machines.of(one).uses.set('web', { numbers: new Set([3]), complete: true });
  expect(machines.usersIn('default')?.('web')).toEqual(new Set([3]));
  secrets.set('default', 'web', certificate(4));
  plan(one);
  expect(machines.usersIn('default')?.('web')).toEqual(new Set([3, 4]));
  expect(machines.holders(subscriptionId.toUpperCase())).toBe(1);
  machines.forget('vm-1');
  cached.shift();
  expect(machines.usersIn('default')?.('web')).toEqual(new Set());
});

test('a renewed identity is attached before the old one goes, which stays an hour after every instance has the new one', () => {
  const { secrets, machines, plan, clock } = setup();
  const object = machine([
    { managedSecret: 'app', delivery: 'Identity' },
    { managedSecret: 'web', delivery: 'VaultExtension' },
  ]);
  secrets.set('default', 'web', certificate(1));
  const renew = (number: number) => {
    const identity = { id: identityId(`app-${number}`), clientId: `client-${number}` };
    secrets.set('default', 'app', { uid: 'i', kind: 'Identity', number, copies: new Map(), identity });
  };
  const attached = () => {
    const { identity } = plan(object).declared as { identity?: { userAssignedIdentities: object } };
    return Object.keys(identity?.userAssignedIdentities ?? {})
      .map((id) => id.split('/').at(-1))
      .sort();
  };
  const deliver = (number: number) => {
    const memory = machines.of(object);
    recordDelivered(memory, new Map([['app', number]]));
    return detachLater(memory, clock.now);
  };
  renew(1);
  expect(attached()).toEqual(['app-1']);
  expect(deliver(1)).toBeUndefined();
  renew(2);
  expect(attached()).toEqual(['app-1', 'app-2']);
  expect(deliver(2)).toBe(identityOverlapMs);
  expect(machines.usersIn('default')?.('app')).toEqual(new Set([1, 2]));
  clock.now = identityOverlapMs - 1;
  expect(attached()).toEqual(['app-1', 'app-2']);
  clock.now = identityOverlapMs;
  expect(attached()).toEqual(['app-2']);
  expect(deliver(2)).toBeUndefined();
  expect(machines.usersIn('default')?.('app')).toEqual(new Set([2]));
});
