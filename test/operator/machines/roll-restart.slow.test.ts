import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { overflows } from './buckets.ts';
import { MachineWorld, setSpec, setType } from './machine-world.ts';

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
  machines.world.azure.settings.rollingBatchMs = 30_000;
}, 120_000);
afterAll(() => machines?.close());

/** Numbers of a seed, so that a failure can be repeated. */
function* random(seed: number): Generator<number, number> {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

test.each([
  ['Manual', 20261],
  ['Rolling', 20262],
] as const)(
  'an operator that is stopped at random moments brings a set of mode %s to each new model',
  async (mode, seed) => {
    const name = mode.toLowerCase();
    const numbers = random(seed);
    const { world } = machines;
    await machines.renew(1);
    await world.apply(setType, name, setSpec({ capacity: 20, mode }));
    await machines.until('Delivered', name);
    world.azure.journal.clear();
    for (let number = 2; number < 6; number++) {
      const url = await machines.renew(number);
      for (let stops = 0; stops < 4; stops++) {
        await machines.pass(Math.ceil(numbers.next().value * 40));
        await machines.stopOperator();
        await machines.pass(Math.ceil(numbers.next().value * 20));
        await machines.startOperator();
      }
      await machines.waitFor('every instance has the model', async () => {
        const { body } = await world.portal.arm('GET', machines.setId(name), '2024-07-01');
        const instances = await machines.instances(name);
        return JSON.stringify(body).includes(url) && instances.every(({ latest }) => latest);
      });
      await machines.waitFor('this process knows that no other version is in use', async () => {
        const users = machines.secrets.usersOf('default', 'web');
        return users?.size === 1 && users.has(number);
      });
      await machines.until('Delivered', name);
    }
    const entries = machines.requests('', new RegExp(`/${name}(/|$)`, 'i'));
    expect(entries.filter(({ method, status }) => method === 'PUT' && status >= 400)).toEqual([]);
    expect(overflows(entries)).toEqual([]);
    await world.client.delete(setType, { namespace: 'default', name });
    await machines.waitFor(
      'the set is gone',
      async () => !(await world.client.tryGet(setType, { namespace: 'default', name })),
    );
  },
  300_000,
);
