/** What Secrets of AzureIdentities cost the controller, and what they do not cost others. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { base64, create, identity, put, reading } from './secret-objects.ts';
import { identitiesType, World } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

test('few Secrets are read at a time, and neither assignments nor other conditions wait for them', async () => {
  let [now, most, total] = [0, 0, 0];
  const released = Promise.withResolvers<void>();
  const client = reading(world, async (_, go) => {
    now++;
    total++;
    most = Math.max(most, now);
    await released.promise;
    return go().finally(() => now--);
  });
  const names = Array.from({ length: 20 }, (_, index) => `sp-${index}`);
  await Promise.all(
    names.map(async (name) => [
      await create(world, name, { clientSecret: base64('x') }),
      await identity(world, name, 1),
    ]),
  );
  await world.vmNode('node-1');
  world.controller({ client });
  await world.until(async () => ({ ok: total > 0, seen: total }), 'a reading');
  await world.bound('good');
  await world.binding('sp-7', 'good');
  await world.pod('web', 'good', 'node-1');
  await world.untilStates(['default/web-app-good Assigned', 'default/web-app-sp-7 Assigned']);
  await world.untilReady('good', 'True Accepted');
  expect(await world.ready('sp-7')).toBeUndefined();
  released.resolve();
  for (const name of names) await world.untilReady(name, 'True Accepted');
  expect(most).toBe(4);
  expect(total).toBe(20);
});

test('a Secret that changes without a pause is read once a second, and a Secret that does not change is not read again', async () => {
  let total = 0;
  const client = reading(world, (_, go) => {
    total++;
    return go();
  });
  await create(world, 'creds', { clientSecret: base64('0') });
  await create(world, 'quiet', { clientSecret: base64('0') });
  await identity(world, 'sp', 1, 'creds');
  await identity(world, 'calm', 1, 'quiet');
  world.controller({ client });
  await world.untilReady('sp', 'True Accepted');
  await world.untilReady('calm', 'True Accepted');
  const began = performance.now();
  for (let index = 0; index < 60; index++) await put(world, 'creds', { clientSecret: base64(`${index}`) });
  await put(world, 'creds', { one: '', two: '' });
  await world.untilReady('sp', 'False SecretNotUsable');
  const seconds = (performance.now() - began) / 1000;
  expect(total).toBeLessThanOrEqual(2 + seconds + 2);
});

test('few of the Secrets that identities name are watched, and the others are polled, with namespaces in rotation', async () => {
  const greedy = Array.from({ length: 40 }, (_, i) => `greedy-${i}`);
  for (const name of greedy) {
    const clientPassword = { namespace: 'app', name };
    await world.identity(name, { type: 1, tenantID: 't', clientPassword });
  }
  const neighbour = { type: 1, tenantID: 't', clientPassword: { namespace: 'other', name: 'neighbour' } };
  await world.identity('neighbour', neighbour);
  const { program } = world.controller();
  for (const name of [...greedy, 'neighbour']) await world.untilReady(name, 'SecretNotFound');
  expect([program.secrets.size, program.secrets.watching]).toEqual([41, 17]);
  for (const name of [...greedy, 'neighbour']) {
    await world.client.delete(identitiesType, { namespace: 'default', name });
  }
  await world.until(async () => ({ ok: program.secrets.size === 0, seen: program.secrets.size }), 'no Secret in use');
  expect(program.secrets.watching).toBe(0);
});
