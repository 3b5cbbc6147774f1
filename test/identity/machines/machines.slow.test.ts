import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventsType, type RunningController, World } from '../support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

/** `type reason` of the events about objects of this kind. */
async function events(kind: string): Promise<string[]> {
  const { items } = await world.client.list(eventsType, { limit: 0 });
  return items.filter(({ regarding }) => regarding.kind === kind).map(({ type, reason }) => `${type} ${reason}`);
}

async function notes(kind: string): Promise<string> {
  const { items } = await world.client.list(eventsType, { limit: 0 });
  return items
    .filter(({ regarding }) => regarding.kind === kind)
    .map(({ note }) => note)
    .join('\n');
}

test('a storm of pods on one machine takes few PATCHes', async () => {
  const machine = await world.vmNode('node-1');
  const names = Array.from({ length: 30 }, (_, i) => `id${i}`);
  for (const name of names) await world.bound(name);
  for (const name of names) await world.pod(`pod-${name}`, name, 'node-1');
  world.controller();
  await world.untilStates(names.map((name) => `default/pod-${name}-app-${name} Assigned`));
  expect((await world.attached(machine)).names).toHaveLength(30);
  expect(world.patches().length).toBeLessThanOrEqual(5);
});

test('identities that do not exist are split off, and the rest goes through', async () => {
  const machine = await world.vmNode('node-1');
  const good = ['id0', 'id1', 'id2', 'id3', 'id4'];
  for (const name of good) await world.bound(name);
  for (const name of ['bad0', 'bad1']) await world.bound(name);
  world.controller();
  for (const name of [...good, 'bad0', 'bad1']) await world.untilReady(name);
  // They exist when their client ids are read, and no more when they are attached.
  for (const name of ['bad0', 'bad1']) await world.deleteAzureIdentity(name);
  for (const name of ['bad0', ...good, 'bad1']) await world.pod(name, name, 'node-1');
  await world.untilStates([
    ...good.map((name) => `default/${name}-app-${name} Assigned`),
    'default/bad0-app-bad0 Created',
    'default/bad1-app-bad1 Created',
  ]);
  expect((await world.attached(machine)).names).toEqual(good);
  await world.until(async () => {
    const seen = [...(await events('AzureIdentityBinding')), ...(await events('Pod'))];
    return {
      ok: ['Warning binding apply error', 'Warning IdentityNotAssigned'].every((each) => seen.includes(each)),
      seen,
    };
  }, 'events');
  expect(await notes('Pod')).toContain('FailedIdentityOperation');

  // Once it exists, nobody has to do anything.
  await world.azureIdentity('bad0');
  await world.untilAttached(machine, ['bad0', ...good]);
  await world.azureIdentity('bad1');
  await world.untilStates([...good, 'bad0', 'bad1'].map((name) => `default/${name}-app-${name} Assigned`));
});

test('a refusal that names nobody is narrowed down by halves', async () => {
  const machine = await world.vmNode('node-1');
  const good = Array.from({ length: 7 }, (_, i) => `id${i}`);
  for (const name of good) await world.bound(name);
  await world.bound('bad');
  // Every answer that would name the identity says something useless instead.
  const arm = world.arm();
  const blind = {
    ...arm,
    send: (async (request) => {
      try {
        return await arm.send(request);
      } catch (error) {
        const { facts } = error as { facts?: object };
        if (facts) Object.assign(facts, { message: 'Something in the request is wrong.', details: [] });
        throw error;
      }
    }) as typeof arm.send,
    operationOf: arm.operationOf.bind(arm),
    poll: arm.poll.bind(arm),
    close: arm.close.bind(arm),
  };
  world.controller({ arm: blind });
  for (const name of [...good, 'bad']) await world.untilReady(name);
  await world.deleteAzureIdentity('bad');
  for (const name of [...good, 'bad']) await world.pod(name, name, 'node-1');
  await world.untilStates([
    ...good.map((name) => `default/${name}-app-${name} Assigned`),
    'default/bad-app-bad Created',
  ]);
  expect((await world.attached(machine)).names).toEqual(good);
});

test('a missing role on one identity leaves the others alone, and is told', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('denied');
  for (const name of ['id1', 'denied']) await world.pod(name, name, 'node-1');
  const app = world.azure.registerApp({ displayName: 'controller' });
  const groups = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  world.azure.assignRole(app.objectId, 'Virtual Machine Contributor', `${groups}/nodes`);
  world.azure.assignRole(app.objectId, 'Managed Identity Operator', world.identityId('id1'));
  world.azure.assignRole(app.objectId, 'Reader', world.identityId('denied'));
  world.azure.settings.enforceRbac = true;
  world.controller({ app });
  await world.untilStates(['default/denied-app-denied Created', 'default/id1-app-id1 Assigned']);
  expect((await world.attached(machine)).names).toEqual(['id1']);
  await world.until(
    async () => ({ ok: (await notes('Pod')).includes('LinkedAuthorizationFailed'), seen: await notes('Pod') }),
    'event',
  );
  world.azure.assignRole(app.objectId, 'Managed Identity Operator', world.identityId('denied'));
  await world.untilStates(['default/denied-app-denied Assigned', 'default/id1-app-id1 Assigned']);
});

test('a throttled machine waits as long as it is told, and nothing is lost', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  world.azure.faults.add({
    service: 'arm',
    method: 'PATCH',
    status: 429,
    headers: { 'retry-after': '2' },
    body: { error: { code: 'TooManyRequests', message: 'slow down' } },
  });
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  expect((await world.attached(machine)).names).toEqual(['id1']);
  const [first, second, ...more] = world.patches();
  expect([first?.status, second?.status, more.length]).toEqual([429, 200, 0]);
  expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(1900);
});

test('one machine that is slow or broken holds up no other', async () => {
  const slow = await world.vmNode('slow');
  await world.vmNode('quick');
  await world.bound('id1');
  world.azure.faults.add({ service: 'arm', path: '/slow', times: 0, status: 500 });
  await world.pod('a', 'id1', 'slow');
  await world.pod('b', 'id1', 'quick');
  world.controller();
  await world.untilStates(['default/a-app-id1 Created', 'default/b-app-id1 Assigned']);
  world.azure.faults.clear();
  await world.untilAttached(slow, ['id1']);
});

test('forty machines that never answer hold up no other', async () => {
  await world.bound('id1');
  const stuck = Array.from({ length: 40 }, (_, i) => `stuck-${i}`);
  for (const name of stuck) await world.vmNode(name);
  await world.vmNode('good');
  world.azure.faults.add({ service: 'arm', method: 'GET', path: '/stuck-', times: 0, connection: 'hang' });
  for (const name of stuck) await world.pod(`pod-${name}`, 'id1', name);
  world.azure.journal.clear();
  world.controller({ machines: { waitAtMostMs: 100 } });
  const hung = () => world.azure.journal.entries({ service: 'arm', method: 'GET', path: '/stuck-' }).length;
  await world.until(async () => ({ ok: hung() >= 32, seen: hung() }), 'stuck');
  await world.pod('web', 'id1', 'good');
  const others = stuck.map((name) => `default/pod-${name}-app-id1 Created`);
  // Less than the time limit of a request, which is a minute.
  await world.untilStates(['default/web-app-id1 Assigned', ...others], 50_000);
  world.azure.faults.clear();
});

test('forty long operations hold up no other machine', async () => {
  await world.bound('id1');
  const stuck = Array.from({ length: 40 }, (_, i) => `stuck-${i}`);
  for (const name of stuck) await world.vmNode(name);
  await world.vmNode('good');
  world.azure.settings.operationMs = 600_000;
  for (const name of stuck) await world.pod(`pod-${name}`, 'id1', name);
  world.controller({ machines: { waitAtMostMs: 100 } });
  // An operation takes as long as is set when it begins, which is between the arrival of its PATCH and the answer.
  const answered = () => world.patches().filter(({ status }) => status >= 200 && status < 300);
  const begun = () => new Set(answered().map(({ path }) => path)).size;
  await world.until(async () => ({ ok: begun() === stuck.length, seen: begun() }), 'begun');
  world.azure.settings.operationMs = 0;
  await world.pod('web', 'id1', 'good');
  const others = stuck.map((name) => `default/pod-${name}-app-id1 Created`);
  await world.untilStates(['default/web-app-id1 Assigned', ...others]);
});

test('a long-running operation is awaited before the identity counts as attached', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  // Long enough for a look at both sides on a busy machine.
  world.azure.settings.operationMs = 8000;
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilAttached(machine, ['id1']);
  expect(await world.states()).toEqual(['default/web-app-id1 Created']);
  await world.untilStates(['default/web-app-id1 Assigned']);
});

test('a machine is read while its changes are gathered', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  world.azure.journal.clear();
  world.controller({ machines: { gatherMs: 3_600_000 } });
  const reads = () => world.azure.journal.entries({ service: 'arm', method: 'GET', path: machine });
  await world.until(async () => ({ ok: reads().length > 0, seen: 'no read' }), 'read');
  expect(world.patches()).toEqual([]);
});

test('a change takes one read of the machine and one token', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('id2');
  world.controller();
  for (const name of ['id1', 'id2']) await world.untilReady(name);
  const tokens = () => world.azure.journal.entries({ service: 'aad', method: 'POST' }).length;
  world.azure.journal.clear();
  await world.pod('web', 'id1', 'node-1');
  await world.untilStates(['default/web-app-id1 Assigned']);
  const first = tokens();
  await world.pod('api', 'id2', 'node-1');
  await world.untilStates(['default/web-app-id1 Assigned', 'default/api-app-id2 Assigned']);
  // The first read has none to reuse.
  expect([first, tokens()]).toEqual([2, 3]);
  expect(world.azure.journal.entries({ service: 'arm', method: 'GET', path: `${machine}$` })).toHaveLength(2);
});

test('what somebody detached by hand is attached again', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  world.controller({ machines: { verifyMs: 300 } });
  await world.untilStates(['default/web-app-id1 Assigned']);
  await world.rest.arm('PATCH', machine, '2019-12-01', { identity: { type: 'None' } });
  await world.untilAttached(machine, ['id1']);
  expect(await world.states()).toEqual(['default/web-app-id1 Assigned']);
});

test('a machine that is gone keeps no assignment from going', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  await world.rest.arm('DELETE', machine, '2019-12-01');
  await world.deletePod('web');
  await world.untilStates([]);
});

/** Items that the queue of machines took in so far. */
async function rounds({ metrics }: RunningController): Promise<number> {
  const text = await metrics.getSingleMetricAsString('workqueue_adds_total');
  return Number(/name="machines"\S* (\d+)/.exec(text)?.[1] ?? 0);
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a machine that does not exist is looked at as often as refusals are tried again, and no more', async () => {
  const machine = world.machineId('vm', 'node-1');
  await world.node('node-1', `azure://${machine}`);
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  const controller = world.controller();
  await world.until(async () => ({ ok: (await notes('Pod')).includes('does not exist'), seen: '' }), 'event');
  const before = await rounds(controller);
  await sleep(1500);
  expect((await rounds(controller)) - before).toBeLessThan(30);

  // Its next look may be ten minutes ahead; a pod that comes is told at once.
  await world.bound('id2');
  await world.pod('api', 'id2', 'node-1');
  await world.until(async () => ({ ok: (await notes('Pod')).includes('id2'), seen: await notes('Pod') }), 'event');
  await world.machine('vm', 'node-1');
  await world.untilStates(['default/web-app-id1 Assigned', 'default/api-app-id2 Assigned']);
});

test('a change that Azure takes and does not make is told and tried again now and then', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  const body = { id: machine, location: 'westus2', properties: { provisioningState: 'Succeeded' } };
  world.azure.faults.add({ service: 'arm', method: 'PATCH', status: 200, times: 0, body });
  world.controller();
  await world.until(async () => ({ ok: (await notes('Pod')).includes('ChangeNotMade'), seen: '' }), 'event');
  const before = world.patches().length;
  await sleep(1500);
  expect(world.patches().length - before).toBeLessThan(15);
  expect(await world.states()).toEqual(['default/web-app-id1 Created']);
  world.azure.faults.clear();
  await world.untilStates(['default/web-app-id1 Assigned']);
});

test('an identity that was refused is forgotten with the last pod that wanted it', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('bad');
  const controller = world.controller();
  await world.untilReady('bad');
  await world.deleteAzureIdentity('bad');
  await world.pod('web', 'id1', 'node-1');
  await world.pod('bad', 'bad', 'node-1');
  await world.until(async () => ({ ok: (await notes('Pod')).includes('FailedIdentityOperation'), seen: '' }), 'event');
  await world.deletePod('bad');
  await world.untilStates(['default/web-app-id1 Assigned']);
  // Soon nobody asks for the machine any more; it was looked at without end.
  const quiet = async () => {
    const before = await rounds(controller);
    await sleep(1500);
    const seen = (await rounds(controller)) - before;
    return { ok: seen < 5, seen };
  };
  await world.until(quiet, 'less than five looks in 1.5 s');
});

test.each([
  [409, 'DependentResourceBusy'],
  [412, 'PreconditionFailed'],
])('an answer %i with a code that nobody knows is about the moment, and blames no identity', async (status, code) => {
  await world.vmNode('node-1');
  const names = ['id0', 'id1', 'id2', 'id3'];
  for (const name of names) await world.bound(name);
  for (const name of names) await world.pod(name, name, 'node-1');
  world.azure.faults.add({ service: 'arm', method: 'PATCH', status, body: { error: { code, message: 'not now' } } });
  world.controller({ machines: { gatherMs: 4000 } });
  await world.untilStates(names.map((name) => `default/${name}-app-${name} Assigned`));
  expect(world.patches().map((each) => each.status)).toEqual([status, 200]);
});

test('a removal that Azure refuses has an event of the binding, and is tried until it succeeds', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Assigned']);
  const body = { error: { code: 'AuthorizationFailed', message: 'no right to write' } };
  world.azure.faults.add({ service: 'arm', method: 'PATCH', status: 403, times: 0, body });
  await world.deletePod('web');
  await world.until(async () => {
    const seen = await events('AzureIdentityBinding');
    return { ok: seen.includes('Warning binding remove error'), seen };
  }, 'event');
  await world.untilStates([]);
  expect([(await world.attached(machine)).names, await world.recorded(machine)]).toEqual([['id1'], ['id1']]);
  world.azure.faults.clear();
  await world.untilAttached(machine, []);
});

test('names that are too long for an assignment are told on the pod, in words, and not tried', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  const longNode = 'n'.repeat(64);
  await world.node(longNode, `azure://${await world.machine('vm', 'node-2')}`);
  await world.pod('p'.repeat(246), 'id1', 'node-1');
  await world.pod('q'.repeat(245), 'id1', 'node-1');
  await world.pod('web', 'id1', longNode);
  const { metrics } = world.controller();
  // The longest name that there may be.
  await world.untilStates([`default/${'q'.repeat(245)}-app-id1 Assigned`]);
  await world.until(async () => {
    const seen = await notes('Pod');
    return { ok: seen.includes('which has 254 characters') && seen.includes('the node has 64 characters'), seen };
  }, 'events');
  expect(await metrics.getSingleMetricAsString('aadpodidentity_kubernetes_api_operations_errors_count')).not.toContain(
    'assigned_identity_addition',
  );
});

test('a node that is no machine of Azure is told on the pod', async () => {
  await world.node('node-1', 'aws:///us-east-1a/i-0123');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-id1 Created']);
  await world.until(
    async () => ({ ok: (await notes('Pod')).includes('spec.providerID'), seen: await notes('Pod') }),
    'event',
  );
});

test('groups of machines and identities may have letters of any language, brackets and dots', async () => {
  const groups = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  const put = (id: string, version: string, body: object) =>
    world.rest.arm('PUT', encodeURI(id), version, { location: 'westus2', ...body });
  for (const name of ['Größe-(б)_1.x', 'идент(1)']) await put(`${groups}/${name}`, '2021-04-01', {});
  const machine = `${groups}/Größe-(б)_1.x/providers/Microsoft.Compute/virtualMachineScaleSets/pool`;
  await put(machine, '2019-12-01', { identity: { type: 'None' }, properties: {} });
  await world.node('n0', `azure://${machine}/virtualMachines/0`);
  const ids = ['good', 'bad'].map(
    (name) => `${groups}/идент(1)/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
  );
  await put(ids[0] as string, '2023-01-31', {});
  for (const [index, name] of ['good', 'bad'].entries()) {
    await world.identity(name, { resourceID: ids[index] });
    await world.binding(name, name);
    await world.pod(name, name, 'n0');
  }
  world.controller();
  await world.untilStates(['default/bad-app-bad Created', 'default/good-app-good Assigned']);
  expect((await world.attached(encodeURI(machine))).names).toEqual(['good']);
  await world.deletePod('good');
  await world.untilAttached(encodeURI(machine), []);
});
