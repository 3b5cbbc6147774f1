/** What somebody who may write objects of one namespace cannot make the controller do in Azure. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { tryParseScopeRules } from '../../runtime/azure/arm/scopes.ts';
import { configMapsType } from '../../runtime/kube/client/core-types.ts';
import { assignedType, bindingsType, eventsType, identitiesType, World } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const group = () => world.identityId('x').split('/providers/')[0];

async function ready(type: typeof identitiesType, namespace: string, name: string): Promise<{ message: string }> {
  const object = await world.client.get(type, { namespace, name });
  return object['status']?.conditions?.find((each: { type: string }) => each.type === 'Ready');
}

/** An object as the controller would write it, and as an attacker does. */
async function forge(name: string, machine: string, identity: string, status: string): Promise<void> {
  const binding = { metadata: { namespace: 'default', name: 'b' }, spec: { azureIdentity: 'x', selector: 'x' } };
  const claims = [{ machine, identity: world.identityId(identity), clientId: '' }];
  await world.client.create(assignedType, {
    apiVersion: 'aadpodidentity.k8s.io/v1',
    kind: 'AzureAssignedIdentity',
    metadata: {
      namespace: 'default',
      name,
      finalizers: ['azureassignedidentity.finalizers.aadpodidentity.k8s.io'],
      annotations: { 'azimuth.dev/machine': machine, 'azimuth.dev/claims': JSON.stringify(claims) },
      labels: { nodename: 'node-1' },
    },
    spec: {
      azureIdentityRef: {
        apiVersion: 'aadpodidentity.k8s.io/v1',
        kind: 'AzureIdentity',
        metadata: { namespace: 'default', name: identity },
        spec: { type: 0, resourceID: world.identityId(identity) },
      },
      azureBindingRef: { apiVersion: 'aadpodidentity.k8s.io/v1', kind: 'AzureIdentityBinding', ...binding },
      pod: name,
      podNamespace: 'app',
      nodename: 'node-1',
    },
    status: { status, availableReplicas: 1 },
  });
}

test('forged assignments, with any annotation and state, attach and detach nothing', async () => {
  await world.azureIdentity('foreign');
  const machine = await world.machine('vm', 'node-1', {
    type: 'UserAssigned',
    userAssignedIdentities: { [world.identityId('foreign')]: {} },
  });
  await world.node('node-1', `azure://${machine}`);
  const elsewhere = await world.vmNode('node-2');
  await world.azureIdentity('wanted');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  await forge('one', machine, 'foreign', 'Assigned');
  await forge('two', elsewhere, 'wanted', 'Created');
  // For a pod that has another identity.
  await forge('web-app-id1', elsewhere, 'wanted', 'Assigned');
  const controller = world.controller({ machines: { verifyMs: 200 } });
  await world.untilStates(['default/web-app-id1 Assigned']);
  await forge('three', machine, 'id1', 'Assigned');
  await forge('four', machine, 'foreign', 'Unassigned');
  await world.untilStates(['default/web-app-id1 Assigned']);
  expect((await world.attached(machine)).names).toEqual(['foreign', 'id1']);
  expect((await world.attached(elsewhere)).names).toEqual([]);
  expect(world.patches()).toHaveLength(1);
  expect(controller.program.desired.index.size).toBe(1);
  // Only this test has read the machine that forged objects name.
  expect(world.azure.journal.entries({ service: 'arm', method: 'GET', path: `${elsewhere}$` }).length).toBe(1);
});

/** A machine with kubelet's identity, which an AzureIdentity names beside one of its own; gives its ARM id. */
async function machineWithKubelet(): Promise<string> {
  const kubelet = await world.azureIdentity('kubelet');
  const machine = await world.machine('vm', 'node-1', {
    type: 'UserAssigned',
    userAssignedIdentities: { [world.identityId('kubelet')]: {} },
  });
  await world.node('node-1', `azure://${machine}`);
  await world.identity('mine', { resourceID: world.identityId('kubelet'), clientID: kubelet });
  await world.binding('mine', 'mine', 'mine');
  await world.bound('id1');
  return machine;
}

test('an identity that was on the machine before is never detached, whoever names it', async () => {
  const machine = await machineWithKubelet();
  await world.pod('web', 'mine', 'node-1');
  await world.pod('other', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/other-app-id1 Assigned', 'default/web-app-mine Assigned']);
  expect(await world.recorded(machine)).toEqual(['id1']);
  await world.deletePod('web');
  await world.deletePod('other');
  await world.untilStates([]);
  await world.untilAttached(machine, ['kubelet']);
  await world.until(async () => ({ ok: (await world.recorded(machine)).length === 0, seen: '' }), 'no record');
});

test.each([
  ['is not the machine', { status: 200, body: { id: '/subscriptions/s' } }],
  ['is empty', { status: 200, body: {} }],
  ['does not find the subscription', { status: 404, body: { error: { code: 'SubscriptionNotFound', message: '' } } }],
])('an answer that %s makes no identity the controller’s own, and none of others', async (_, fault) => {
  const machine = await machineWithKubelet();
  const odd = { service: 'arm', method: 'GET', path: `${machine}\\?`, times: 0, ...fault } as const;
  const asked = () => world.azure.faults.list().some(({ hits }) => hits > 0);
  const whileOdd = async (work: () => Promise<void>) => {
    world.azure.faults.add(odd);
    await work();
    await world.until(async () => ({ ok: asked(), seen: '' }), 'the odd answer');
    world.azure.faults.clear();
  };
  // The identity that was on the machine before does not count as attached.
  world.controller({ machines: { verifyMs: 100 } });
  await whileOdd(() => world.pod('web', 'mine', 'node-1'));
  await world.untilStates(['default/web-app-mine Assigned']);
  await world.pod('other', 'id1', 'node-1');
  await world.untilStates(['default/other-app-id1 Assigned', 'default/web-app-mine Assigned']);
  // The identity that was attached still does.
  await whileOdd(async () => undefined);
  expect(await world.recorded(machine)).toEqual(['id1']);
  await world.deletePod('web');
  await world.deletePod('other');
  await world.untilStates([]);
  await world.untilAttached(machine, ['kubelet']);
});

test('a client id of the flag that Azure does not know protects every identity', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  let immutable = ['00000000-0000-0000-0000-00000000dead'];
  world.controller({ immutableClientIds: () => immutable, machines: { verifyMs: 200 } });
  await world.untilStates(['default/web-app-id1 Assigned']);
  await world.deletePod('web');
  await world.untilStates([]);
  const listed = () =>
    world.azure.journal.entries({ service: 'arm', method: 'GET', path: 'userAssignedIdentities$' }).length;
  await world.until(async () => ({ ok: listed() > 0, seen: listed() }), 'identities listed');
  expect(await world.attached(machine)).toMatchObject({ names: ['id1'] });
  expect(world.patches()).toHaveLength(1);
  immutable = [];
  await world.untilAttached(machine, []);
});

test('a foreign client id beside an own identity is refused, and nothing is assigned', async () => {
  const machine = await world.vmNode('node-1');
  const foreign = await world.azureIdentity('foreign');
  const own = await world.azureIdentity('own');
  await world.identity('own', { clientID: foreign });
  await world.binding('own', 'own');
  await world.pod('web', 'own', 'node-1');
  world.controller();
  const message = await world.untilReady('own', 'ClientIDMismatch');
  expect(message).toContain('correct spec.clientID');
  expect(message).not.toContain(own);
  expect([await world.states(), (await world.attached(machine)).names]).toEqual([[], []]);
  const body = { spec: { clientID: own.toUpperCase() } };
  await world.client.patch(identitiesType, { namespace: 'default', name: 'own' }, { type: 'merge', body });
  await world.untilStates(['default/web-app-own Assigned']);
});

test('a running pod loses the identity with a client id of another one, and has it again after the correction', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('edited');
  const clientID = await world.azureIdentity('edited');
  await world.pod('web', 'edited', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-edited Assigned']);
  const edit = (spec: object) =>
    world.client.patch(identitiesType, { namespace: 'default', name: 'edited' }, { type: 'merge', body: { spec } });
  await edit({ clientID: 'ffffffff-0000-4000-8000-000000000001' });
  await world.untilReady('edited', 'False ClientIDMismatch');
  await world.untilStates([]);
  await world.untilAttached(machine, []);
  await edit({ clientID });
  await world.untilStates(['default/web-app-edited Assigned']);
  expect((await world.attached(machine)).names).toEqual(['edited']);
});

test('a namespace uses the identities of its scopes only, and loses one that is taken from them', async () => {
  const machine = await world.vmNode('node-1');
  for (const namespace of ['app', 'other']) {
    await world.azureIdentity(`id-${namespace}`);
    await world.identity(`id-${namespace}`, {}, { namespace });
    await world.binding('b', 'web', `id-${namespace}`, {}, namespace);
    await world.pod('web', 'web', 'node-1', namespace);
  }
  const policy = (text: string) => ({ multiTenant: true, scopes: tryParseScopeRules(text) });
  const first = world.controller({ forceNamespaced: true, policy: policy(`app=${group()}`) });
  await world.untilStates(['app/web-app-id-app Assigned']);
  expect(await world.untilReady('id-other', 'IdentityNotAllowed', 'other')).toContain('--identity-scopes');
  await world.until(async () => {
    const seen = (await ready(bindingsType, 'other', 'b'))?.message ?? '';
    return { ok: seen.includes('the namespace other may not use'), seen };
  }, 'binding');
  expect((await world.attached(machine)).names).toEqual(['id-app']);
  // Azure is not asked for what the policy refuses.
  const asked = world.azure.journal.entries({ service: 'arm', method: 'GET', path: '/id-other$' });
  expect(asked).toEqual([]);
  await first.stop();
  world.controller({ forceNamespaced: true, policy: policy(`other=${world.identityId('id-other')}`) });
  await world.untilStates(['other/web-other-id-other Assigned']);
  await world.untilAttached(machine, ['id-other']);
  const { items } = await world.client.list(eventsType, { namespace: 'other' });
  expect(JSON.stringify(items)).not.toContain('id-app');
});

test('a restart while Azure shows no identity takes nothing from pods, and gives nothing new', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('id2');
  await world.pod('web', 'id1', 'node-1');
  const { stop } = world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  await stop();
  const fault = { service: 'arm', method: 'GET', path: '/userAssignedIdentities/', times: 0, status: 503 } as const;
  world.azure.faults.add(fault);
  await world.pod('late', 'id2', 'node-1');
  world.controller({ machines: { verifyMs: 100 } });
  await world.untilStates(['default/late-app-id2 Created', 'default/web-app-id1 Assigned']);
  await world.untilReady('id2', 'IdentityNotVerified');
  expect([(await world.attached(machine)).names, world.patches().length]).toEqual([['id1'], 1]);
  world.azure.faults.clear();
  await world.untilStates(['default/late-app-id2 Assigned', 'default/web-app-id1 Assigned']);
});

test('a record that somebody deleted leaves the identity on the machine, and the next one is recorded again', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('id2');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  const { items } = await world.client.list(configMapsType, { namespace: 'azimuth-system' });
  const record = items.find(({ data }) => data?.machine === machine.toLowerCase());
  await world.client.delete(configMapsType, record?.metadata as { name: string });
  await world.pod('api', 'id2', 'node-1');
  await world.untilStates(['default/api-app-id2 Assigned', 'default/web-app-id1 Assigned']);
  expect(await world.recorded(machine)).toEqual(['id2']);
  await world.deletePod('web');
  await world.deletePod('api');
  await world.untilAttached(machine, ['id1']);
});

test('bindings of another namespace with the label of a pod cost the pod nothing, with --forceNamespaced', async () => {
  await world.vmNode('node-1');
  await world.azureIdentity('id1');
  await world.identity('id1', {}, { namespace: 'app' });
  await world.binding('own', 'web', 'id1', {}, 'app');
  await world.pod('web-1', 'web', 'node-1');
  const controller = world.controller({ forceNamespaced: true });
  await world.untilStates(['app/web-1-app-id1 Assigned']);
  const before = controller.program.desired.computed;
  for (let count = 0; count < 20; count++) await world.binding(`b${count}`, 'web', `none${count}`, {}, 'other');
  // The controller sees the change of the own pod after the bindings of the other namespace.
  await world.pod('web-2', 'web', 'node-1');
  await world.untilStates(['app/web-1-app-id1 Assigned', 'app/web-2-app-id1 Assigned']);
  expect(controller.program.desired.computed - before).toBeLessThan(4);
});
