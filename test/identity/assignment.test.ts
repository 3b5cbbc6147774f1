import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { assignedType, bindingsType, identitiesType, podsType, World } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

test('a pod with a binding gets the identity on its machine, recorded as AAD Pod Identity records it', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  const clientID = await world.azureIdentity('id1');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  expect(await world.attached(machine)).toEqual({ type: 'UserAssigned', names: ['id1'] });
  const [object] = await world.assigned();
  expect(object).toMatchObject({
    apiVersion: 'aadpodidentity.k8s.io/v1',
    kind: 'AzureAssignedIdentity',
    metadata: {
      labels: { nodename: 'node-1' },
      annotations: { 'azimuth.dev/client-id': clientID },
      finalizers: ['azureassignedidentity.finalizers.aadpodidentity.k8s.io'],
    },
    spec: {
      pod: 'web',
      podNamespace: 'app',
      nodename: 'node-1',
      azureIdentityRef: {
        apiVersion: 'aadpodidentity.k8s.io/v1',
        kind: 'AzureIdentity',
        metadata: { name: 'id1', namespace: 'default', resourceVersion: expect.any(String) },
        spec: { type: 0, clientID },
      },
      azureBindingRef: { kind: 'AzureIdentityBinding', metadata: { name: 'id1' }, spec: { selector: 'id1' } },
    },
    status: { status: 'Assigned', availableReplicas: 1 },
  });

  await world.deletePod('web');
  await world.untilStates([]);
  await world.untilAttached(machine, []);
  expect(await world.attached(machine)).toEqual({ type: 'None', names: [] });
});

test('blanks and line feeds around ids and names change nothing, and the assignment has none of them', async () => {
  const machine = await world.vmNode('node-1');
  const clientID = await world.azureIdentity('pasted');
  const resourceID = world.identityId('pasted');
  await world.identity('pasted', { clientID: `${clientID}\n`, resourceID: ` ${resourceID}\u200b` });
  await world.binding('pasted', 'pasted ', 'pasted\n');
  await world.pod('web', 'pasted', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-pasted Assigned']);
  await world.untilReady('pasted', 'True Accepted');
  await world.untilReady('pasted', 'True Accepted', 'default', bindingsType);
  expect(await world.attached(machine)).toEqual({ type: 'UserAssigned', names: ['pasted'] });
  const [object] = await world.assigned();
  expect(object?.spec?.azureIdentityRef?.spec).toMatchObject({ clientID, resourceID });
  expect(object?.spec?.azureBindingRef?.spec).toMatchObject({ selector: 'pasted', azureIdentity: 'pasted' });
});

test('pods of one scale set share an attachment, which goes with the last of them', async () => {
  const vmss = await world.machine('vmss', 'pool', { type: 'SystemAssigned' });
  await world.node('n0', `azure://${vmss}/virtualMachines/0`);
  await world.node('n1', `azure://${vmss.toUpperCase().replace('AZURE', 'azure')}/virtualMachines/1`);
  await world.bound('id1');
  await world.pod('a', 'id1', 'n0');
  await world.pod('b', 'id1', 'n1');
  world.controller();
  await world.untilStates(['default/a-app-id1 Assigned', 'default/b-app-id1 Assigned']);
  expect(await world.attached(vmss)).toEqual({ type: 'SystemAssigned, UserAssigned', names: ['id1'] });
  expect(world.patches()).toHaveLength(1);
  await world.deletePod('a');
  await world.untilStates(['default/b-app-id1 Assigned']);
  expect(world.patches()).toHaveLength(1);
  await world.deletePod('b');
  await world.untilStates([]);
  await world.untilAttached(vmss, []);
  // The system-assigned identity is never taken away.
  expect(await world.attached(vmss)).toEqual({ type: 'SystemAssigned', names: [] });
  expect(world.patches()).toHaveLength(2);
});

test('a pod that ran to its end gives its identity back', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('job', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/job-app-id1 Assigned']);
  const key = { namespace: 'app', name: 'job' };
  await world.client.patch(
    podsType,
    key,
    { type: 'merge', body: { status: { phase: 'Succeeded' } } },
    { subresource: 'status' },
  );
  await world.untilStates([]);
  await world.untilAttached(machine, []);
});

test('an edited label or annotation of an identity or binding disturbs nothing', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  const { program } = world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  const [before] = await world.assigned();
  const computed = program.desired.computed;
  for (const type of [identitiesType, bindingsType]) {
    const body = { metadata: { labels: { team: 'blue' }, annotations: { note: 'x' } } };
    await world.client.patch(type, { namespace: 'default', name: 'id1' }, { type: 'merge', body });
  }
  // A change that counts, as a mark that the others were seen.
  await world.pod('later', 'id1', 'node-1');
  await world.untilStates(['default/later-app-id1 Assigned', 'default/web-app-id1 Assigned']);
  const after = (await world.assigned()).find(({ metadata }) => metadata.name === 'web-app-id1');
  expect(after?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  expect(program.desired.computed).toBe(computed + 1);
});

test('another resource id is attached before the old one goes, and the pod is served all along', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  const clientID = await world.azureIdentity('id2');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  const seen: string[] = [];
  const { resourceVersion } = await world.client.list(assignedType);
  const watching = new AbortController();
  const watch = (async () => {
    for await (const event of world.client.watch(assignedType, { resourceVersion, signal: watching.signal })) {
      if (event.type !== 'BOOKMARK')
        seen.push(`${event.object['status'].status} ${event.object['spec'].azureIdentityRef.spec.clientID}`);
    }
  })().catch(() => undefined);
  const body = { spec: { resourceID: world.identityId('id2'), clientID } };
  await world.client.patch(identitiesType, { namespace: 'default', name: 'id1' }, { type: 'merge', body });
  await world.untilAttached(machine, ['id2']);
  watching.abort();
  await watch;
  expect(seen.every((state) => state.startsWith('Assigned'))).toBe(true);
  expect(seen.at(-1)).toBe(`Assigned ${clientID}`);
  expect(world.patches().map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a changed label exchanges the identity of a pod', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('id2');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  const body = { metadata: { labels: { aadpodidbinding: 'id2' } } };
  await world.client.patch(podsType, { namespace: 'app', name: 'web' }, { type: 'merge', body });
  await world.untilStates(['default/web-app-id2 Assigned']);
  await world.untilAttached(machine, ['id2']);
});

test('types that no machine needs are assigned without a request to Azure', async () => {
  await world.node('node-1', 'kind://docker/kind/node-1');
  for (const type of [1, 2, 3]) {
    await world.identity(`id${type}`, { type, resourceID: '', tenantID: 't' });
    await world.binding(`id${type}`, 'web', `id${type}`);
  }
  await world.pod('web', 'web', 'node-1');
  const before = world.azure.journal.entries({ service: 'arm' }).length;
  world.controller();
  await world.untilStates([
    'default/web-app-id1 Assigned',
    'default/web-app-id2 Assigned',
    'default/web-app-id3 Assigned',
  ]);
  await world.deletePod('web');
  await world.untilStates([]);
  expect(world.azure.journal.entries({ service: 'arm' })).toHaveLength(before);
});

test('a namespaced identity, by annotation or flag, serves its own namespace only', async () => {
  await world.vmNode('node-1');
  await world.azureIdentity('id1');
  await world.identity(
    'id1',
    {},
    { namespace: 'app', annotations: { 'aadpodidentity.k8s.io/Behavior': 'namespaced' } },
  );
  await world.binding('id1', 'id1', 'id1', {}, 'app');
  await world.pod('own', 'id1', 'node-1', 'app');
  await world.pod('foreign', 'id1', 'node-1', 'other');
  const { stop } = world.controller();
  await world.untilStates(['app/own-app-id1 Assigned']);
  await stop();
  await world.client.patch(
    identitiesType,
    { namespace: 'app', name: 'id1' },
    {
      type: 'merge',
      body: { metadata: { annotations: { 'aadpodidentity.k8s.io/Behavior': null } } },
    },
  );
  const forced = world.controller({ forceNamespaced: true });
  await forced.program.desired.size;
  await world.untilStates(['app/own-app-id1 Assigned']);
  await forced.stop();
  world.controller();
  await world.untilStates(['default/foreign-other-id1 Assigned', 'default/own-app-id1 Assigned']);
});

test('a stateful pod that moves takes its identity along and leaves none behind', async () => {
  const first = await world.vmNode('node-1');
  const second = await world.vmNode('node-2');
  await world.bound('id1');
  await world.pod('db-0', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/db-0-app-id1 Assigned']);
  await world.deletePod('db-0');
  await world.pod('db-0', 'id1', 'node-2');
  await world.untilAttached(first, []);
  await world.untilAttached(second, ['id1']);
  await world.untilStates(['default/db-0-app-id1 Assigned']);
  expect((await world.assigned())[0]?.spec?.nodename).toBe('node-2');
});
