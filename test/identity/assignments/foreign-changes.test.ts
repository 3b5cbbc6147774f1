import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Assigned } from '../../../runtime/identity/objects.ts';
import { assignedType, bindingsType, eventsType, identitiesType, nodesType, World } from '../support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

test('identities that are not ours stay on a machine, and so do immutable ones', async () => {
  await world.azureIdentity('foreign');
  const kept = await world.azureIdentity('kept');
  const machine = await world.machine('vm', 'node-1', {
    type: 'UserAssigned',
    userAssignedIdentities: { [world.identityId('foreign')]: {} },
  });
  await world.node('node-1', `azure://${machine}`);
  await world.bound('id1');
  await world.identity('kept', { clientID: kept.toUpperCase() });
  await world.binding('kept', 'id1', 'kept');
  await world.pod('web', 'id1', 'node-1');
  world.controller({ immutableClientIds: () => [kept] });
  await world.untilStates(['default/web-app-id1 Assigned', 'default/web-app-kept Assigned']);
  await world.deletePod('web');
  await world.untilStates([]);
  await world.untilAttached(machine, ['foreign', 'kept']);
});

test('an assignment that somebody deleted comes back without its identity being detached', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  const uid = (await world.assigned())[0]?.metadata.uid;
  await world.client.delete(assignedType, { namespace: 'default', name: 'web-app-id1' });
  const isNew = ({ metadata, status }: Assigned) => metadata.uid !== uid && status?.status === 'Assigned';
  await world.untilAssigned(isNew, 'a new object');
  expect((await world.attached(machine)).names).toEqual(['id1']);
  expect(world.patches()).toHaveLength(1);
});

test('an assignment that was left Unassigned or Created is corrected', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  const { stop } = world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  await stop();
  for (const status of ['Unassigned', 'Created', '']) {
    const body = { metadata: { finalizers: [] }, status: { status } };
    await world.client.patch(assignedType, { namespace: 'default', name: 'web-app-id1' }, { type: 'merge', body });
    const again = world.controller();
    await world.untilStates(['default/web-app-id1 Assigned']);
    expect((await world.assigned())[0]?.metadata.finalizers).toHaveLength(1);
    await again.stop();
  }
});

test('what AAD Pod Identity left is taken over, and what it attached stays on the machine', async () => {
  await world.bound('id1');
  const machine = await world.machine('vm', 'node-1', {
    type: 'UserAssigned',
    userAssignedIdentities: { [world.identityId('id1')]: {} },
  });
  await world.node('node-1', `azure://${machine}`);
  const metadata = { namespace: 'default', name: 'web-app-id1', labels: { nodename: 'node-1' } };
  const finalizers = ['azureassignedidentity.finalizers.aadpodidentity.k8s.io'];
  const [identity] = (await world.client.list(identitiesType)).items;
  const [binding] = (await world.client.list(bindingsType)).items;
  await world.client.create(assignedType, {
    apiVersion: 'aadpodidentity.k8s.io/v1',
    kind: 'AzureAssignedIdentity',
    metadata: { ...metadata, finalizers },
    spec: {
      azureIdentityRef: identity,
      azureBindingRef: binding,
      pod: 'web',
      podNamespace: 'app',
      nodename: 'node-1',
    },
    status: { status: 'Assigned', availableReplicas: 1 },
  });
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  const hasClientId = ({ metadata }: Assigned) => metadata.annotations?.['azimuth.dev/client-id'] !== undefined;
  await world.untilAssigned(hasClientId, 'taken over');
  await world.deletePod('web');
  await world.untilStates([]);
  expect([(await world.attached(machine)).names, world.patches()]).toEqual([['id1'], []]);
});

test('an assignment on a node that is gone goes with an event', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  const { stop } = world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  await stop();
  const key = { namespace: 'default', name: 'web-app-id1' };
  await world.client.patch(assignedType, key, { type: 'merge', body: { metadata: { annotations: null } } });
  await world.deletePod('web');
  await world.client.delete(nodesType, { name: 'node-1' });
  world.controller();
  await world.untilStates([]);
  await world.until(async () => {
    const events = (await world.client.list(eventsType)).items.map(
      ({ reason, regarding }) => `${regarding.kind} ${reason}`,
    );
    return { ok: events.includes('AzureIdentityBinding binding removed'), seen: events };
  }, 'event');
});

test('a scale set keeps no identity of pods whose node went first', async () => {
  const vmss = await world.machine('vmss', 'pool');
  await world.node('n0', `azure://${vmss}/virtualMachines/0`);
  await world.bound('id1');
  await world.pod('a', 'id1', 'n0');
  world.controller();
  await world.untilStates(['default/a-app-id1 Assigned']);
  await world.client.delete(nodesType, { name: 'n0' });
  await world.deletePod('a');
  await world.untilStates([]);
  await world.untilAttached(vmss, []);
});
