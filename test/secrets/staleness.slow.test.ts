import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EndpointSecret } from '../../runtime/secrets/secrets/managed-secrets.ts';
import { eventually } from '../fakes/eventually.ts';
import { pass } from '../fakes/kube-objects.ts';
import { EndpointWorld, type Identity, type Replica } from './endpoint-world.ts';

let world: EndpointWorld;
let machine: Identity;

beforeAll(async () => {
  world = await EndpointWorld.start();
  machine = await world.identity('machine');
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const hour = 3_600_000;

async function until(replica: Replica, path: string, status: number) {
  let last: Awaited<ReturnType<Replica['get']>> | undefined;
  await eventually(`${path} answers ${status}`, async () => {
    await pass(world.clock, 1000, 1000);
    last = await replica.get(path, { authorization: `Bearer ${await world.token(machine)}` });
    return last.status === status;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; last ${last?.status} ${last?.text}`, { cause: error });
  });
  return last as Awaited<ReturnType<Replica['get']>>;
}

/** Moves the clock without a refresh for each minute of it. */
const jump = (ms: number) => pass(world.clock, ms, ms);

test('a running replica goes on from memory until maxStaleness, and one that starts meanwhile is not ready', async () => {
  const object = await world.secret('shop', 'key', { consumers: [{ objectId: machine.objectId }], maxStaleness: '4h' });
  await world.write(object, 1, 'kept');
  const replica = await world.replica();
  await until(replica, '/v1/secrets/shop/key', 200);
  await eventually('the replica is ready', async () => (await replica.ready()).endsWith('\nok\n'));

  world.azure.faults.add({ service: 'vault', status: 503, times: 0 });
  await jump(3 * hour);
  const { body } = await until(replica, '/v1/secrets/shop/key', 200);
  expect(body).toMatchObject({ value: 'kept' });
  expect(body.staleness).toBeGreaterThanOrEqual(3 * 3600);
  const late = await world.replica();
  await eventually('the new replica says why', async () => {
    await pass(world.clock, 1000, 1000);
    return (await late.ready()).includes('[-]secrets failed: no secret of 1 of 1 namespaces can be read');
  });
  expect((await late.ready()).includes('Key Vault')).toBe(true);

  await jump(2 * hour);
  const refused = await until(replica, '/v1/secrets/shop/key', 503);
  expect(refused.body.error).toMatchObject({
    code: 'secret_stale',
    message: expect.stringMatching(/5 h ago.*Key Vault/),
  });
  expect(refused.text).not.toContain('kept');
  expect(await replica.ready()).toMatch(/\nok\n$/);

  world.azure.faults.clear();
  await until(replica, '/v1/secrets/shop/key', 200);
  await eventually('the new replica is ready', async () => {
    await pass(world.clock, 60_000, 10_000);
    return (await late.ready()).endsWith('\nok\n');
  });
  await late.stop();
  await replica.stop();
});

test('while the API server is away values grow old too, although their vaults answer', async () => {
  const consumers = [{ objectId: machine.objectId }];
  const object = await world.secret('shop', 'away', { consumers, maxStaleness: '4h' });
  await world.write(object, 1, 'kept');
  const replica = await world.replica();
  const path = '/v1/secrets/shop/away';
  await until(replica, path, 200);
  const away = new Error('connect ECONNREFUSED 192.0.2.1:443');
  for (const verb of ['list', 'watch']) world.kube.failNext(verb, away, 5000);
  world.kube.endWatches(away);
  await jump(60_000);
  await jump(3 * hour);
  const { body } = await until(replica, path, 200);
  expect(body.staleness).toBeGreaterThanOrEqual(3 * 3600);
  const metrics = await replica.metrics.metrics();
  expect(Number(/^azimuth_secrets_oldest_seconds (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(3 * 3600);
  const late = await world.replica();
  await eventually('a replica that starts meanwhile says why', async () => {
    await pass(world.clock, 1000, 1000);
    return (await late.ready()).includes('ECONNREFUSED');
  });
  expect((await until(late, path, 503)).body.error.code).toBe('keys_unavailable');
  await jump(2 * hour);
  const refused = await until(replica, path, 503);
  expect(refused.body.error).toMatchObject({
    code: 'secret_stale',
    message: expect.stringMatching(/5 h ago.*the API server does not answer.*ECONNREFUSED/),
  });
  world.kube.restore();
  await until(replica, path, 200);
  await until(late, path, 200);
  await late.stop();
  await replica.stop();
});

test('a replica of a region serves its copy, whose age counts from the version that it lacks', async () => {
  const object = await world.secret('shop', 'regional', {
    consumers: [{ objectId: machine.objectId }],
    maxStaleness: '2h',
    regions: [{ location: 'westeurope', vault: { armId: world.vaultId('kvwest') } }],
  });
  await world.write(object, 1, 'first');
  await world.write(object, 1, 'first', 'kvwest');
  const replica = await world.replica(['--location=West Europe']);
  expect((await until(replica, '/v1/secrets/shop/regional', 200)).body).toMatchObject({ version: 1, value: 'first' });
  await world.write(object, 2, 'second');
  await jump(hour);
  const { body } = await until(replica, '/v1/secrets/shop/regional', 200);
  expect(body).toMatchObject({ version: 1, value: 'first' });
  expect(body.staleness).toBeGreaterThanOrEqual(3600);
  await jump(2 * hour);
  await eventually('the answer says what is missing', async () => {
    await jump(10_000);
    const { text } = await until(replica, '/v1/secrets/shop/regional', 503);
    return text.includes('lacks a newer version');
  });
  await world.write(object, 2, 'second', 'kvwest');
  await jump(60_000);
  expect((await until(replica, '/v1/secrets/shop/regional', 200)).body).toMatchObject({ version: 2, value: 'second' });
  await replica.stop();
});

test('a value goes from memory with its object', async () => {
  const object = await world.secret('shop', 'gone', { consumers: [{ objectId: machine.objectId }] });
  await world.write(object, 1, 'x');
  const replica = await world.replica();
  await until(replica, '/v1/secrets/shop/gone', 200);
  await world.kube.delete(
    { group: 'azimuth.dev', version: 'v1alpha1', plural: 'managedsecrets', kind: 'ManagedSecret', namespaced: true },
    object.metadata,
  );
  await until(replica, '/v1/secrets/shop/gone', 403);
  await world.secret('shop', 'gone', { consumers: [{ objectId: machine.objectId }] });
  expect((await until(replica, '/v1/secrets/shop/gone', 503)).text).not.toContain('"x"');
  await replica.stop();
});

test('under the multi-tenant profile vaults and machines lie in the scopes of the namespace', async () => {
  const object = await world.secret('bounded', 'key', { consumers: [{ identity: { armId: machine.armId } }] });
  await world.write(object, 1, 'x');
  const closed = await world.replica(['--multi-tenant', '--credential-scopes=other=/']);
  await eventually('the read has failed', async () => {
    await pass(world.clock, 1000, 1000);
    const entry = closed.endpoint.held.get(object as EndpointSecret);
    return entry.problem?.includes('may not be reached from the namespace bounded') === true;
  });
  await until(closed, '/v1/secrets/bounded/key', 403);
  await closed.stop();
  const open = await world.replica(['--multi-tenant', `--credential-scopes=bounded=${world.group}`]);
  await until(open, '/v1/secrets/bounded/key', 200);
  await open.stop();
});

test('without a certificate the replica is not ready, and serves once it is there', async () => {
  const replica = await world.replica([], { certificate: false });
  await eventually('it says why', async () => (await replica.ready()).includes('[-]certificate failed: /'));
  await replica.stop();
});
