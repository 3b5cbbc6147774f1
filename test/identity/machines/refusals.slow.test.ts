import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { RunningController } from '../in-process-controller.ts';
import { eventsType, World } from '../support.ts';

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

test('a refusal that names no identity is isolated by halving the batch', async () => {
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
        const { info } = error as { info?: object };
        if (info) Object.assign(info, { message: 'Something in the request is wrong.', details: [] });
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

test('a missing role on one identity does not affect the others, and is reported', async () => {
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

/** Items that the queue of machines took in so far. */
async function rounds({ metrics }: RunningController): Promise<number> {
  const text = await metrics.getSingleMetricAsString('workqueue_adds_total');
  return Number(/name="machines"\S* (\d+)/.exec(text)?.[1] ?? 0);
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a machine that does not exist is read as often as refusals are retried, and no more', async () => {
  const machine = world.machineId('vm', 'node-1');
  await world.node('node-1', `azure://${machine}`);
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  const controller = world.controller();
  await world.until(async () => ({ ok: (await notes('Pod')).includes('does not exist'), seen: '' }), 'event');
  const before = await rounds(controller);
  await sleep(1500);
  expect((await rounds(controller)) - before).toBeLessThan(30);

  // The next read may be ten minutes ahead; a new pod gets its event at once.
  await world.bound('id2');
  await world.pod('api', 'id2', 'node-1');
  await world.until(async () => ({ ok: (await notes('Pod')).includes('id2'), seen: await notes('Pod') }), 'event');
  await world.machine('vm', 'node-1');
  await world.untilStates(['default/web-app-id1 Assigned', 'default/api-app-id2 Assigned']);
});

test('a change that Azure accepts and does not make is reported and retried', async () => {
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
  // Soon nobody asks for the machine any more; it was read without end.
  const quiet = async () => {
    const before = await rounds(controller);
    await sleep(1500);
    const seen = (await rounds(controller)) - before;
    return { ok: seen < 5, seen };
  };
  await world.until(quiet, 'less than five reads in 1.5 s');
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

test('names that are too long for an assignment are reported on the pod, and never sent', async () => {
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

test('a node that is no machine of Azure is reported on the pod', async () => {
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
