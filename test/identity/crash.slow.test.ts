/** Ended at any write, before it is sent or after it is done, the controller resumes without a duplicate or an orphan. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ArmClient } from '../../runtime/azure/types.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';
import { identitiesType, podsType, World } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const counts = new Set(['azureassignedidentities', 'configmaps']);

/** Counts writes of assignments, records and machines, and dies at one of them: nothing it sends later arrives anywhere. */
class Doomed {
  readonly client: KubeClient;
  readonly arm: ArmClient;
  writes = 0;
  dead = false;

  readonly at: number;
  readonly when: 'before' | 'after';

  constructor(at: number, when: 'before' | 'after') {
    this.at = at;
    this.when = when;
    const client = world.newClient();
    const counted = (name: 'create' | 'replace' | 'patch' | 'delete') =>
      // biome-ignore lint/suspicious/noExplicitAny: any of the four signatures
      ((type: { plural: string }, ...rest: any[]) => {
        // biome-ignore lint/suspicious/noExplicitAny: as above
        const send = () => (client[name] as any)(type, ...rest);
        return counts.has(type.plural) ? this.#write(send) : this.#alive(send);
        // biome-ignore lint/suspicious/noExplicitAny: as above
      }) as any;
    this.client = {
      get: (...args) => this.#alive(() => client.get(...args)) as never,
      tryGet: (...args) => this.#alive(() => client.tryGet(...args)) as never,
      list: (...args) => this.#alive(() => client.list(...args)) as never,
      create: counted('create'),
      replace: counted('replace'),
      patch: counted('patch'),
      delete: counted('delete'),
      apply: (...args) => client.apply(...args) as never,
      createSubresource: (...args) => client.createSubresource(...args) as never,
      watch: (...args) => client.watch(...args) as never,
      raw: (...args) => client.raw(...args) as never,
      close: () => client.close(),
    };
    const arm = world.arm();
    this.arm = {
      admit: (request) => arm.admit(request),
      send: (request) =>
        request.method === 'PATCH' ? this.#write(() => arm.send(request)) : this.#alive(() => arm.send(request)),
      operationOf: (...args) => arm.operationOf(...args),
      poll: (...args) => this.#alive(() => arm.poll(...args)),
      close: () => arm.close(),
    };
  }

  async #alive<T>(send: () => Promise<T>): Promise<T> {
    if (this.dead) throw new Error('dead');
    return send();
  }

  async #write<T>(send: () => Promise<T>): Promise<T> {
    if (this.dead) throw new Error('dead');
    this.writes++;
    if (this.writes !== this.at) return send();
    this.dead = true;
    if (this.when === 'after') await send();
    throw new Error('dead');
  }
}

const first = ['default/db-0-app-shared Assigned', 'default/web-app-own Assigned', 'default/api-app-shared Assigned'];
const last = ['default/db-0-app-shared Assigned', 'default/web-app-own Assigned', 'default/api-app-other Assigned'];

async function begin(): Promise<{ vm: string; second: string; vmss: string }> {
  const vm = await world.vmNode('node-1');
  const second = await world.vmNode('node-2');
  const vmss = await world.machine('vmss', 'pool', { type: 'SystemAssigned' });
  await world.node('n0', `azure://${vmss}/virtualMachines/0`);
  for (const name of ['shared', 'own', 'other']) await world.bound(name);
  await world.azureIdentity('successor');
  await world.pod('db-0', 'shared', 'node-1');
  await world.pod('web', 'own', 'node-1');
  await world.pod('api', 'shared', 'n0');
  await world.pod('job', 'other', 'node-2');
  return { vm, second, vmss };
}

/** A pod moves, one ends, one gets another label, one another identity. */
async function change(): Promise<void> {
  await world.deletePod('db-0');
  await world.pod('db-0', 'shared', 'node-2');
  await world.deletePod('job');
  const label = { metadata: { labels: { aadpodidbinding: 'other' } } };
  await world.client.patch(podsType, { namespace: 'app', name: 'api' }, { type: 'merge', body: label });
  const clientID = await world.azureIdentity('successor');
  const spec = { spec: { resourceID: world.identityId('successor'), clientID } };
  await world.client.patch(identitiesType, { namespace: 'default', name: 'own' }, { type: 'merge', body: spec });
}

async function untilDead(doomed: Doomed, reached: () => Promise<boolean>): Promise<void> {
  await world.until(async () => ({ ok: doomed.dead || (await reached()), seen: doomed.writes }), 'death or rest');
}

/** Whether assignments, machines and records are as they shall be. */
async function isInSync(machines: readonly string[], attached: readonly (readonly string[])[]): Promise<boolean> {
  if (JSON.stringify(await world.states()) !== JSON.stringify([...last].sort())) return false;
  for (const [index, machine] of machines.entries()) {
    const wanted = JSON.stringify(attached[index]);
    if (JSON.stringify((await world.attached(machine)).names) !== wanted) return false;
    if (JSON.stringify(await world.recorded(machine)) !== wanted) return false;
  }
  return true;
}

test.each(['before', 'after'] as const)(
  'dying %s any write leaves no duplicate and no orphan',
  async (when) => {
    let deaths = 0;
    for (let at = 1; ; at++) {
      await world.reset();
      const { vm, second, vmss } = await begin();
      const doomed = new Doomed(at, when);
      const victim = world.controller({ client: doomed.client, arm: doomed.arm });
      const start = JSON.stringify([...first, 'default/job-app-other Assigned'].sort());
      await untilDead(doomed, async () => JSON.stringify(await world.states()) === start);
      await change();
      const isAtRest = () => isInSync([vm, second, vmss], [['successor'], ['shared'], ['other']]);
      await untilDead(doomed, isAtRest);
      await victim.stop();
      if (!doomed.dead) break;
      deaths++;
      world.controller();
      await world.until(async () => ({ ok: await isAtRest(), seen: [await world.states(), at] }), last);
      const found = [await world.attached(vm), await world.attached(second), await world.attached(vmss)];
      expect({ at, found }).toEqual({
        at,
        found: [
          { type: 'UserAssigned', names: ['successor'] },
          { type: 'UserAssigned', names: ['shared'] },
          { type: 'SystemAssigned, UserAssigned', names: ['other'] },
        ],
      });
      const useless = world.patches().filter(({ status, effective }) => status < 300 && !effective);
      expect({ at, useless }).toEqual({ at, useless: [] });
    }
    expect(deaths).toBeGreaterThan(15);
  },
  600_000,
);
