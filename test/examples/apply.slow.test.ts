/** The examples, applied as their pages say, until each object is Ready. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scratch } from '../fakes/scratch.ts';
import { secrets, until } from '../operator/support.ts';
import { ExampleWorld } from './example-world.ts';
import { objectsOf, synthesize } from './examples.ts';

const files = scratch();
let place: ExampleWorld;
beforeAll(async () => {
  place = await ExampleWorld.start();
});
afterAll(async () => {
  await place?.close();
  files.remove();
});

const secret = (name: string, key: string, value: string) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
  data: { [key]: Buffer.from(value).toString('base64') },
});

test('web-app: account, identity and role are Ready, and the pod identity is accepted', async () => {
  const [, , shop = ''] = await synthesize('examples/web-app/main.ts', files.path);
  const objects = objectsOf(shop);
  await place.apply('shop', objects);
  expect((await place.ready('shop', objects)).sort()).toEqual([
    'AzureIdentity web',
    expect.stringMatching(/^AzureIdentityBinding /),
    'ResourceGroup shop-web',
    expect.stringMatching(/^RoleAssignment /),
    'StorageAccount photos',
    'UserAssignedIdentity web',
  ]);
});

test('database: the user logs in with the password of its Secret', async () => {
  const objects = place.objects('database/database.yaml');
  await place.apply('database', [secret('orders-password', 'password', 'chosen-by-you'), ...objects]);
  const admin = await until('the administrator has a password', () =>
    place.world.client.tryGet(secrets, { namespace: 'database', name: 'orders-admin' }),
  );
  place.postgres.password = Buffer.from(admin['data'].password, 'base64').toString();
  await place.ready('database', objects);
  expect(await place.postgres.accepts('orders', 'chosen-by-you')).toBe(true);
});
