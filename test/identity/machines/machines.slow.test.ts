import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { World } from '../support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

test('a storm of pods on one machine takes few PATCHes', async () => {
  const machine = await world.vmNode('node-1');
  const names = Array.from({ length: 30 }, (_, i) => `id${i}`);
  for (const name of names) await world.bound(name);
  for (const name of names) await world.pod(`pod-${name}`, name, 'node-1');
  const arm = world.arm();
  const send = arm.send.bind(arm);
  const released = Promise.withResolvers<void>();
  // The first PATCH lasts until all other changes are known, however long that takes the machine.
  const held: typeof arm.send = async (request) => {
    if (request.method === 'PATCH') await released.promise;
    return send(request);
  };
  world.controller({ arm: Object.assign(arm, { send: held }) });
  await world.untilStates(names.map((name) => `default/pod-${name}-app-${name} Created`));
  for (const name of names) await world.untilReady(name);
  released.resolve();
  await world.untilStates(names.map((name) => `default/pod-${name}-app-${name} Assigned`));
  expect((await world.attached(machine)).names).toHaveLength(30);
  expect(world.patches().length).toBeLessThanOrEqual(2);
});

test('a throttled machine waits for Retry-After, and no change is lost', async () => {
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
  // Long enough for reading both sides on a busy machine.
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
  // One for each write; the reads share that of the checks of the identities.
  expect([first, tokens()]).toEqual([1, 2]);
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
