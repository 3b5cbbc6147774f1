/** Identities that somebody deletes in Azure, and creates again under the same id. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ArmClient, ArmRequest, ArmResponse } from '../../runtime/azure/types.ts';
import { ManualClock } from '../../runtime/base/clock.ts';
import { clientIdAnnotation } from '../../runtime/identity/assignments/assigned-object.ts';
import type { ControllerOptions } from './in-process-controller.ts';
import { identitiesType, World } from './support.ts';

let world: World;
let clock: ManualClock;
let patches: string[];
beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  clock = new ManualClock();
  patches = [];
  await world.reset();
});
afterAll(() => world.close());

const assigned = ['default/web-app-id1 Assigned'];

/** Advances the clock until the check holds. */
async function until<T>(check: () => Promise<T>, expected: T): Promise<void> {
  await world.until(async () => {
    for (let turn = 0; turn < 10; turn++) await pass(5);
    const seen = await check();
    return { ok: JSON.stringify(seen) === JSON.stringify(expected), seen };
  }, expected);
}

/** Advances the clock in steps, and lets requests end between them. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 5) {
    await clock.advance(5000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A machine with an identity that somebody attached, and a pod there with an identity that the controller attached. */
async function begin(options: ControllerOptions = {}, spec: object = {}): Promise<string> {
  await world.azureIdentity('foreign');
  const machine = await world.machine('vm', 'node-1', {
    type: 'UserAssigned',
    userAssignedIdentities: { [world.identityId('foreign')]: {} },
  });
  await world.node('node-1', `azure://${machine}`);
  await world.azureIdentity('id1');
  await world.identity('id1', spec);
  await world.binding('id1', 'id1');
  await world.pod('web', 'id1', 'node-1');
  start(options);
  await until(() => world.states(), assigned);
  // The first read of the machine that shows the client id.
  await pass(200);
  return machine;
}

function start(options: ControllerOptions = {}): void {
  world.controller({ clock, arm: arm(), ...options });
}

async function recreate(name: string): Promise<string> {
  await world.deleteAzureIdentity(name);
  return world.azureIdentity(name);
}

/** Client ids on the machine by name; null: Azure shows none. */
async function shown(machine: string): Promise<Record<string, string | null>> {
  const { body } = await world.rest.arm('GET', machine, '2019-12-01');
  const entries = Object.entries(body.identity.userAssignedIdentities as Record<string, { clientId: string | null }>);
  return Object.fromEntries(entries.map(([id, { clientId }]) => [id.split('/').at(-1), clientId]).sort());
}

type Send = () => Promise<ArmResponse>;

/** An ARM client that notes the identities of each PATCH; `change` may change its answers. */
function arm(change: (request: ArmRequest, send: Send) => Promise<ArmResponse> = (_, send) => send()): ArmClient {
  const client = world.arm(clock);
  return {
    admit: (request) => client.admit(request),
    send: (request) => {
      const { identity } = (request.body ?? {}) as { identity?: { userAssignedIdentities?: object } };
      const ids = Object.entries(identity?.userAssignedIdentities ?? {});
      if (ids.length > 0) {
        patches.push(ids.map(([id, value]) => `${value === null ? '-' : '+'}${id.split('/').at(-1)}`).join(' '));
      }
      return change(request, () => client.send(request));
    },
    operationOf: (...args) => client.operationOf(...args),
    poll: (...args) => client.poll(...args),
    close: () => client.close(),
  };
}

test('a recreated identity replaces the entry of the former one on the machine, where the controller attached that', async () => {
  const machine = await begin();
  const foreign = await recreate('foreign');
  const clientId = await recreate('id1');
  expect(await shown(machine)).toEqual({ foreign: null, id1: null });
  await until(() => shown(machine), { foreign: null, id1: clientId });
  expect(patches).toEqual(['+id1', '-id1', '+id1']);
  expect(await world.recorded(machine)).toEqual(['id1']);
  const annotation = async () => (await world.assigned())[0]?.metadata.annotations?.[clientIdAnnotation];
  await until(annotation, clientId);
  expect(await world.states()).toEqual(assigned);
  expect(foreign).not.toBe(clientId);
});

test('the former client id in spec.clientID is reported, and the entry is replaced once it is corrected', async () => {
  const former = await world.azureIdentity('id1');
  const machine = await begin({}, { clientID: former });
  const clientID = await recreate('id1');
  const reason = async () => {
    const { status } = await world.client.get(identitiesType, { namespace: 'default', name: 'id1' });
    return status?.conditions?.find((each: { type: string }) => each.type === 'Ready')?.reason;
  };
  await until(reason, 'ClientIDMismatch');
  const key = { namespace: 'default', name: 'id1' };
  await world.client.patch(identitiesType, key, { type: 'merge', body: { spec: { clientID } } });
  await until(async () => (await shown(machine))['id1'], clientID);
  await until(() => world.states(), assigned);
});

test('the entry of an identity that stays deleted goes, so that the machine takes the identities of others', async () => {
  const machine = await begin();
  await world.deleteAzureIdentity('id1');
  await world.bound('other');
  await world.pod('neighbour', 'other', 'node-1');
  await until(async () => (await world.attached(machine)).names, ['foreign', 'other']);
  await until(() => world.states(), ['default/neighbour-app-other Assigned', ...assigned]);
  await world.azureIdentity('id1');
  await until(async () => (await world.attached(machine)).names, ['foreign', 'id1', 'other']);
});

test('a controller that ends between removal and attachment leaves them to the next one', async () => {
  let crashed = false;
  const spoiled = arm(async ({ method, body }, send) => {
    if (crashed) throw new Error('the process has ended');
    const answer = await send();
    crashed ||= method === 'PATCH' && JSON.stringify(body).includes('null');
    if (crashed) throw new Error('the process has ended');
    return answer;
  });
  const machine = await begin({ arm: spoiled });
  const clientId = await recreate('id1');
  await recreate('foreign');
  await until(async () => crashed, true);
  expect((await world.attached(machine)).names).toEqual(['foreign']);
  start();
  await until(async () => (await shown(machine))['id1'], clientId);
  expect(await world.recorded(machine)).toEqual(['id1']);
});

test.each(['former', 'new'])(
  'an entry of --immutable-user-msis stays, the flag having the %s client id',
  async (which) => {
    const former = await world.azureIdentity('id1');
    const immutable = [former];
    const machine = await begin({ immutableClientIds: () => immutable });
    await recreate('foreign');
    const clientId = await recreate('id1');
    if (which === 'new') immutable.splice(0, 1, clientId);
    await pass(1200);
    expect((await shown(machine))['id1']).toBeNull();
    expect(patches).toEqual(['+id1']);
  },
);

test.each([
  ['shows none once', 1],
  ['shows none at all, though the identity is the same', Number.POSITIVE_INFINITY],
])('an entry stays where Azure %s', async (_, times) => {
  let left = 0;
  let shownWithout = 0;
  const spoiled = arm(async ({ method, path }, send) => {
    const answer = await send();
    if (method !== 'GET' || !path.toLowerCase().includes('/virtualmachines/') || left-- <= 0) return answer;
    shownWithout++;
    const body = structuredClone(answer.body) as { identity: { userAssignedIdentities: Record<string, object> } };
    for (const entry of Object.values(body.identity.userAssignedIdentities)) Object.assign(entry, { clientId: null });
    return { ...answer, body };
  });
  await begin({ arm: spoiled });
  left = times;
  await pass(1200);
  expect(shownWithout).toBeGreaterThanOrEqual(Math.min(times, 2));
  expect(patches).toEqual(['+id1']);
});
