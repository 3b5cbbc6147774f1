import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { approvalWatch, registrationWatch } from '../../runtime/secrets/secrets/feature-gates.ts';
import { eventually } from '../fakes/eventually.ts';
import { pass } from '../fakes/kube-objects.ts';
import { EndpointWorld, type Identity, type Replica } from './endpoint-world.ts';

let world: EndpointWorld;
let replica: Replica;
let machine: Identity;
const path = '/v1/secrets/shop/gated';

beforeAll(async () => {
  world = await EndpointWorld.start();
  machine = await world.identity('machine');
  replica = await world.replica();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function until(status: number, known?: string, on = replica, at = path) {
  let last: Awaited<ReturnType<Replica['get']>> | undefined;
  await eventually(`${at} answers ${status}`, async () => {
    await pass(world.clock, 1000, 1000);
    const headers = { authorization: `Bearer ${await world.token(machine)}` };
    last = await on.get(at, known === undefined ? headers : { ...headers, 'if-none-match': known });
    return last.status === status;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; last ${last?.status} ${last?.text}`, { cause: error });
  });
  return last as Awaited<ReturnType<Replica['get']>>;
}

const withdraw = (name: string) => world.kube.delete(approvalWatch.type, { name });

test('a withdrawn approval stops new use, leaves callers what they have, and a new one opens the gate again', async () => {
  const object = await world.secret('shop', 'gated', { consumers: [{ objectId: machine.objectId }] });
  await world.write(object, 1, 'first');
  const tag = String((await until(200)).headers['etag']);

  await withdraw('approved-0');
  const refused = await until(403);
  expect(refused.body.error).toMatchObject({
    code: 'feature_not_approved',
    message: expect.stringMatching(/FeatureRegistration approved-0 of azimuth\.dev\/ManagedSecrets/),
  });
  expect(refused.headers['retry-after']).toBe('60');
  expect(refused.text).not.toContain('first');
  expect((await until(304, tag)).text).toBe('');

  // A version that came meanwhile reaches nobody.
  await world.write(object, 2, 'second');
  const newer = await until(403, tag);
  expect(newer.text).not.toContain('second');
  expect(replica.lines.some((line) => line.includes('"reason":"feature_not_approved"'))).toBe(true);

  await world.consent('again', { for: { name: 'approved-0' } });
  expect((await until(200, tag)).body).toMatchObject({ version: 2, value: 'second' });
});

test('an approval ends with its `until`, also while the API server is away', async () => {
  await withdraw('again');
  const end = new Date(world.clock.now() + 600_000).toISOString();
  await world.consent('for-ten-minutes', { for: { name: 'approved-0' }, until: end });
  await until(200);
  const away = new Error('connect ECONNREFUSED');
  for (const verb of ['list', 'watch']) world.kube.failNext(verb, away, 1000);
  world.kube.endWatches(away);
  await pass(world.clock, 300_000, 300_000);
  await until(200);
  await pass(world.clock, 300_000, 300_000);
  await until(403);
  world.kube.restore();
});

test('the subscription of an identity or machine that a consumer names must be approved too', async () => {
  await world.consent('for-good', { for: { name: 'approved-0' } });
  const foreign = await world.identity('elsewhere', await world.otherGroup());
  const at = '/v1/secrets/shop/foreign';
  const consumers = [{ identity: { armId: foreign.armId } }];
  await world.write(await world.secret('shop', 'foreign', { consumers }), 1, 'x');
  const headers = { authorization: `Bearer ${await world.token(foreign)}` };
  const [, subscription = ''] = /subscriptions\/([^/]+)/.exec(foreign.armId) ?? [];
  let text = '';
  // Until the consent has arrived, the gate of the vault's own subscription is closed.
  await eventually('the gate of that subscription is closed', async () => {
    await pass(world.clock, 1000, 1000);
    text = (await replica.get(at, headers)).text;
    return text.includes('feature_not_approved') && text.includes(subscription);
  });
  await world.approve(subscription.toUpperCase());
  await eventually('it is served', async () => {
    await pass(world.clock, 1000, 1000);
    return (await replica.get(at, headers)).status === 200;
  });
});

test('a feature of Azure opens once it is approved and the operator reports it as registered', async () => {
  const elsewhere = await EndpointWorld.start();
  const identity = await elsewhere.identity('machine');
  const consumers = [{ identity: { armId: identity.armId } }];
  const object = await elsewhere.secret('shop', 'gated', { consumers });
  await elsewhere.write(object, 1, 'x');
  const feature = 'Microsoft.Compute/EncryptionAtHost';
  const named = await elsewhere.replica([`--managed-secrets-feature=${feature}`]);
  const headers = { authorization: `Bearer ${await elsewhere.token(identity)}` };
  const code = async (wanted: string) =>
    await eventually(wanted, async () => {
      await pass(elsewhere.clock, 1000, 1000);
      const { status, body } = await named.get(path, headers);
      return (status === 200 ? 'served' : body.error.code) === wanted;
    });
  // A feature of Azure: the approval is there, and the operator has not reported the feature as registered.
  await code('feature_not_approved');
  const name = await elsewhere.approve(elsewhere.azure.subscriptionId, feature.toUpperCase());
  await code('feature_not_approved');
  const ready: Partial<KubeObject> = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  await elsewhere.kube.patch(registrationWatch.type, { name }, { type: 'merge', body: ready });
  await code('served');
  await named.stop();
  await elsewhere[Symbol.asyncDispose]();
});
