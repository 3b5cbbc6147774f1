import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeRollout, rolloutSecretName } from '../../runtime/compute/managed-secrets/rollout-state.ts';
import { ownerTag, tagsOf, vaultSecretName } from '../../runtime/compute/managed-secrets/vault-tags.ts';
import { managedSecretType } from '../../runtime/secrets/secrets/managed-secrets.ts';
import { serverCertificate } from '../fakes/certificates.ts';
import { eventually } from '../fakes/eventually.ts';
import { pass } from '../fakes/kube-objects.ts';
import { EndpointWorld, type Identity, type Replica } from './endpoint-world.ts';

let world: EndpointWorld;
let replica: Replica;
let machine: Identity;
let stranger: Identity;

beforeAll(async () => {
  world = await EndpointWorld.start();
  machine = await world.identity('machine');
  stranger = await world.identity('stranger');
  replica = await world.replica();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const bearer = async (identity: Identity) => ({ authorization: `Bearer ${await world.token(identity)}` });

/** Asks until the answer has this status. */
async function answerOf(path: string, headers: Record<string, string>, status: number, on = replica) {
  let last: Awaited<ReturnType<Replica['get']>> | undefined;
  await eventually(`${path} answers ${status}`, async () => {
    last = await on.get(path, headers);
    await pass(world.clock, 20_000, 20_000);
    return last.status === status;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; last ${last?.status} ${last?.text}`);
  });
  return last as Awaited<ReturnType<Replica['get']>>;
}

test('a consumer by object id, and one by its identity, get the value, with 304 for who has it', async () => {
  const consumers = [{ objectId: machine.objectId }];
  const object = await world.secret('shop', 'key', { consumers });
  await world.write(object, 1, 'first-value');
  const headers = await bearer(machine);
  const { body, headers: sent } = await answerOf('/v1/secrets/shop/key', headers, 200);
  expect(body).toMatchObject({ name: 'key', namespace: 'shop', version: 1, value: 'first-value' });
  expect(body).toMatchObject({ contentType: 'text/plain', expires: null, staleness: expect.any(Number) });
  expect(sent).toMatchObject({ 'cache-control': 'no-store' });
  const again = await replica.get('/v1/secrets/shop/key', { ...headers, 'if-none-match': String(sent['etag']) });
  expect(again).toMatchObject({ status: 304, text: '' });
  const plain = await replica.get('/v1/secrets/shop/key', { ...headers, accept: 'text/plain' });
  expect(plain).toMatchObject({ text: 'first-value', headers: { 'content-type': 'text/plain; charset=utf-8' } });

  await world.write(
    await world.secret('shop', 'by-identity', { consumers: [{ identity: { armId: machine.armId } }] }),
    1,
    'x',
  );
  expect((await answerOf('/v1/secrets/shop/by-identity', headers, 200)).body).toMatchObject({ value: 'x' });
});

test('everybody else gets the same answer, whether the secret exists or not', async () => {
  const headers = await bearer(stranger);
  const there = await replica.get('/v1/secrets/shop/key', headers);
  const absent = await replica.get('/v1/secrets/shop/absent', headers);
  expect([there.status, absent.status]).toEqual([403, 403]);
  expect(there.text.replace('shop/key', '')).toBe(absent.text.replace('shop/absent', ''));
  expect(there.body.error).toMatchObject({ code: 'not_a_consumer' });
});

test('tokens for another audience, of no one, and forged ones are refused', async () => {
  const other = await world.token(machine, 'https://management.azure.com/');
  const path = '/v1/secrets/shop/key';
  expect((await replica.get(path, { authorization: `Bearer ${other}` })).body.error.code).toBe('token_audience');
  expect(await replica.get(path)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  const good = await world.token(machine);
  const forged = `${good.slice(0, good.lastIndexOf('.') - 2)}xx${good.slice(good.lastIndexOf('.'))}`;
  expect(await replica.get(path, { authorization: `Bearer ${forged}` })).toMatchObject({ status: 401 });
});

test('a request with another method, path, parameter or a body is refused', async () => {
  const headers = await bearer(machine);
  expect((await replica.get('/v1/secrets/shop/key', headers, 'POST')).status).toBe(405);
  expect((await replica.get('/v1/secrets/shop/../key', headers)).status).toBe(404);
  expect((await replica.get('/v1/secrets/shop/key?wait=61', headers)).status).toBe(400);
  expect((await replica.get('/v1/secrets/shop/key?wait=1&wait=2', headers)).status).toBe(400);
  expect((await replica.get('/v1/secrets/shop/key', headers, 'GET', 'abc')).status).toBe(400);
});

test('a machine of the consumers is found by its identities', async () => {
  const armId = `${world.group}/providers/Microsoft.Compute/virtualMachines/vm1`;
  const body = {
    location: 'westus2',
    identity: { type: 'UserAssigned', userAssignedIdentities: { [machine.armId]: {} } },
    properties: {},
  };
  await world.rest.arm('PUT', armId, '2024-07-01', body);
  await world.write(await world.secret('shop', 'by-machine', { consumers: [{ machine: { armId } }] }), 1, 'm');
  expect((await answerOf('/v1/secrets/shop/by-machine', await bearer(machine), 200)).body).toMatchObject({
    value: 'm',
  });
  const refused = await replica.get('/v1/secrets/shop/by-machine', await bearer(stranger));
  expect(refused.status).toBe(403);
});

test('a tenant who names the vault secret of another namespace gets nothing', async () => {
  const victim = await world.secret('victim', 'key', {
    consumers: [{ objectId: stranger.objectId }],
    vaultSecretName: 'shared',
  });
  await world.write(victim, 1, 'not-yours', 'kvhome', 'shared');
  await answerOf('/v1/secrets/victim/key', await bearer(stranger), 200);
  await world.secret('thief', 'key', { consumers: [{ objectId: machine.objectId }], vaultSecretName: 'shared' });
  const refused = await answerOf('/v1/secrets/thief/key', await bearer(machine), 503);
  expect(refused.text).not.toContain('not-yours');
  // Nor does the answer reveal which names a vault has.
  await world.secret('thief', 'none', { consumers: [{ objectId: machine.objectId }], vaultSecretName: 'absent' });
  const answers: string[] = [];
  for (const [name, vaultName] of [
    ['key', 'shared'],
    ['none', 'absent'],
  ] as const) {
    await eventually(`${name} was read`, async () => {
      await pass(world.clock, 20_000, 20_000);
      const { text } = await replica.get(`/v1/secrets/thief/${name}`, await bearer(machine));
      answers.push(text.replace(`thief/${name}`, '').replace(vaultName, ''));
      return text.includes('the vault has no secret');
    });
  }
  expect(answers.at(-1)).toBe(answers.find((text) => text.includes('the vault has no secret')));
});

test('a long poll ends with the new version, and with 304 when there is none', async () => {
  const object = await world.secret('shop', 'polled', { consumers: [{ objectId: machine.objectId }] });
  await world.write(object, 1, 'one');
  const headers = await bearer(machine);
  const { headers: sent } = await answerOf('/v1/secrets/shop/polled', headers, 200);
  const known = { ...headers, 'if-none-match': String(sent['etag']) };
  const waits = async () =>
    (await replica.metrics.getSingleMetricAsString('azimuth_secrets_waiting_requests')).trim().split(' ').at(-1);
  const silent = replica.get('/v1/secrets/shop/polled?wait=5', known);
  await eventually('it waits', async () => (await waits()) === '1');
  await pass(world.clock, 6000, 1000);
  expect((await silent).status).toBe(304);

  const polled = replica.get('/v1/secrets/shop/polled?wait=60', known);
  await eventually('it waits again', async () => (await waits()) === '1');
  await world.write(object, 2, 'two');
  const ends = world.clock.now() + 58_000;
  await pass(world.clock, 50_000, 1000);
  let done = false;
  void polled.then(() => {
    done = true;
  });
  // The vault may take its time to answer, but the poll's own end never comes.
  await eventually('the poll ends', async () => {
    if (world.clock.now() < ends) await pass(world.clock, 500, 500);
    return done;
  });
  expect((await polled).status).toBe(200);
  expect((await polled).body).toMatchObject({ version: 2, value: 'two' });
  const previous = await replica.get('/v1/secrets/shop/polled?version=previous', headers);
  expect(previous.body).toMatchObject({ version: 1, value: 'one' });
});

test('a pinned version takes the place of the newest, and a pin to one that is gone changes nothing', async () => {
  const consumers = [{ objectId: machine.objectId }];
  const object = await world.secret('shop', 'pinned', { consumers });
  for (const [number, value] of ['one', 'two', 'three'].entries()) await world.write(object, number + 1, value);
  const headers = await bearer(machine);
  const path = '/v1/secrets/shop/pinned';
  const pin = async (pinnedVersion: number) => {
    const body = { spec: { pinnedVersion } };
    await world.kube.patch(managedSecretType, { namespace: 'shop', name: 'pinned' }, { type: 'merge', body });
  };
  const serves = (version: number) =>
    eventually(`it serves version ${version}`, async () => {
      await pass(world.clock, 20_000, 20_000);
      return (await replica.get(path, headers)).body?.version === version;
    });
  await serves(3);
  await pin(2);
  await serves(2);
  expect((await replica.get(`${path}?version=previous`, headers)).body).toMatchObject({ version: 1, value: 'one' });
  await pin(9);
  await pass(world.clock, 120_000, 20_000);
  await eventually('the value grows old', async () => {
    await pass(world.clock, 20_000, 20_000);
    return (await replica.get(path, headers)).body?.staleness > 60;
  });
  await serves(2);
  await pin(3);
  await serves(3);
});

test('a caller gets the version that a rollout has brought to its region', async () => {
  const consumers = [{ objectId: machine.objectId }];
  const west = { location: 'westus3', vault: { armId: world.vaultId('kvwest') } };
  const object = await world.secret('shop', 'rolled', { consumers, regions: [west], rollout: {} });
  for (const vault of ['kvhome', 'kvwest']) {
    for (const [number, value] of ['one', 'two'].entries()) await world.write(object, number + 1, value, vault);
  }
  const owner = { namespace: 'shop', name: 'rolled', uid: object.metadata.uid ?? '' };
  const tags = { 'azimuth-object': ownerTag(owner) };
  const record = async (regions: Record<string, number>, of = tags) => {
    const value = encodeRollout({ home: 'westus2', regions, at: world.clock.now() });
    await world.vault('kvhome').setSecret(rolloutSecretName(vaultSecretName(owner)), { value, tags: of });
  };
  await record({ westus2: 2, westus3: 1 });
  const headers = await bearer(machine);
  const serves = (version: number, on: Replica) =>
    eventually(`it serves version ${version}`, async () => {
      await pass(world.clock, 20_000, 20_000);
      return (await on.get('/v1/secrets/shop/rolled', headers)).body?.version === version;
    });
  const regional = await world.replica(['--location=westus3']);
  await serves(1, regional);
  await serves(2, replica);
  expect((await regional.get('/v1/secrets/shop/rolled', headers)).body.staleness).toBeLessThan(60);
  await record({ westus2: 2, westus3: 2 });
  await serves(2, regional);
  // Nobody else's record counts.
  await record({ westus2: 1, westus3: 1 }, { 'azimuth-object': 'other/rolled/1' });
  await pass(world.clock, 180_000, 20_000);
  await serves(2, regional);
  await regional.stop();
});

test('blanks and line feeds around the ids of vault and consumer do not count, as the operator reads them', async () => {
  const object = await world.secret('shop', 'pasted', {
    home: { vault: { armId: `${world.vaultId('kvhome')}\n` } },
    consumers: [{ identity: { armId: ` ${machine.armId}\n` } }],
  });
  await world.write(object, 1, 'pasted-value');
  const { body } = await answerOf('/v1/secrets/shop/pasted', await bearer(machine), 200);
  expect(body).toMatchObject({ value: 'pasted-value' });
});

test('a certificate is served as its vault keeps it, with its key', async () => {
  const object = await world.secret('shop', 'tls', {
    kind: 'Certificate',
    consumers: [{ objectId: machine.objectId }],
  });
  const owner = { namespace: 'shop', name: 'tls', uid: object.metadata.uid ?? '' };
  const { cert, key } = serverCertificate();
  const tags = tagsOf(owner, { number: 1, hash: '0123456789abcdef', created: world.clock.now() });
  await world.vault('kvhome').importCertificate(vaultSecretName(owner), { value: `${key}${cert}`, tags });
  const { body } = await answerOf('/v1/secrets/shop/tls', await bearer(machine), 200);
  expect(body).toMatchObject({ version: 1, contentType: expect.stringMatching(/^application\/x-(pkcs12|pem-file)$/) });
  expect(body.value.length).toBeGreaterThan(1000);
  expect(body.expires).not.toBeNull();
});

test('a certificate is served in PEM with its leaf before the issuers, whatever the vault stores', async () => {
  const consumers = [{ objectId: machine.objectId }];
  const object = await world.secret('shop', 'chain', { kind: 'Certificate', consumers });
  const { cert, key, ca } = serverCertificate();
  await world.write(object, 1, `${ca}${cert}${key}`);
  const headers = await bearer(machine);
  const path = '/v1/secrets/shop/chain';
  const stored = await answerOf(path, headers, 200);
  const { body, headers: sent } = await answerOf(`${path}?format=pem`, headers, 200);
  const labels = [...body.value.matchAll(/-----BEGIN ([A-Z ]+)-----/g)].map(([, label]) => label);
  expect(labels).toEqual(['PRIVATE KEY', 'CERTIFICATE', 'CERTIFICATE']);
  expect(body.value.indexOf(cert.trim())).toBeLessThan(body.value.indexOf(ca.trim()));
  expect(body).toMatchObject({ version: 1, contentType: 'application/x-pem-file' });
  expect(sent['etag']).not.toBe(stored.headers['etag']);
  const again = { ...headers, 'if-none-match': String(sent['etag']), accept: 'text/plain' };
  expect((await replica.get(`${path}?format=pem`, again)).status).toBe(304);
  const text = await replica.get(`${path}?format=pem`, { ...headers, accept: 'text/plain' });
  expect(text.text).toBe(body.value);

  const broken = await world.secret('shop', 'broken', { kind: 'Certificate', consumers });
  await world.write(broken, 1, `no certificate ${key.slice(0, 100)}`);
  const refused = await answerOf('/v1/secrets/shop/broken?format=pem', headers, 503);
  expect(refused.text).not.toContain(key.slice(40, 80));
  expect((await replica.get('/v1/secrets/shop/key?format=pem', headers)).status).toBe(400);
  expect((await replica.get(`${path}?format=der`, headers)).status).toBe(400);
});

test('a certificate of PKCS#12 is served in PEM', async () => {
  const consumers = [{ objectId: machine.objectId }];
  const object = await world.secret('shop', 'made', { kind: 'Certificate', consumers });
  const owner = { namespace: 'shop', name: 'made', uid: object.metadata.uid ?? '' };
  const tags = tagsOf(owner, { number: 1, hash: '0123456789abcdef', created: world.clock.now() });
  const policy = {
    issuer: { name: 'Self' },
    key_props: { exportable: true, kty: 'EC', key_size: 256, crv: 'P-256', reuse_key: false },
    secret_props: { contentType: 'application/x-pkcs12' },
    x509_props: { subject: 'CN=made.example.com' },
  };
  const { certificates } = world.vault('kvhome');
  const name = vaultSecretName(owner);
  const signal = AbortSignal.timeout(30_000);
  await certificates.create(name, { policy, tags }, signal);
  await eventually('the certificate is issued', async () => {
    await pass(world.clock, 1000, 1000);
    return (await certificates.tryGetPending(name, signal))?.status === 'completed';
  });
  const headers = await bearer(machine);
  const { body: stored } = await answerOf('/v1/secrets/shop/made', headers, 200);
  expect(stored.contentType).toBe('application/x-pkcs12');
  const { body } = await answerOf('/v1/secrets/shop/made?format=pem', headers, 200);
  const leaf = new X509Certificate(body.value.slice(body.value.indexOf('-----BEGIN CERTIFICATE')));
  expect(leaf.checkPrivateKey(createPrivateKey(body.value))).toBe(true);
});

test('a secret that never expires within any calendar is served', async () => {
  const object = await world.secret('shop', 'far', { consumers: [{ objectId: machine.objectId }] });
  const owner = { namespace: 'shop', name: 'far', uid: object.metadata.uid ?? '' };
  const tags = tagsOf(owner, { number: 1, hash: '0123456789abcdef', created: world.clock.now() });
  const content = { value: 'lasting', contentType: 'text/plain', tags, expires: 9e18 };
  await world.vault('kvhome').setSecret(vaultSecretName(owner), content);
  const { body } = await answerOf('/v1/secrets/shop/far', await bearer(machine), 200);
  expect(body).toMatchObject({ value: 'lasting', expires: '9999-12-31T23:59:59.000Z' });
});

test('each value and each refusal leaves an audit line without a token or a value', async () => {
  const text = replica.lines.join('\n');
  expect(text).toContain('"msg":"secret served"');
  expect(text).toContain(`"objectId":"${machine.objectId}"`);
  expect(text).toContain('"reason":"not_a_consumer"');
  expect(text).toContain('"reason":"token_audience"');
  for (const value of ['first-value', 'not-yours', 'eyJ']) expect(text).not.toContain(value);
  const metrics = await replica.metrics.metrics();
  expect(metrics).toMatch(/azimuth_secrets_requests_total\{status_code="304"\} [1-9]/);
  expect(metrics).toMatch(/azimuth_secrets_refusals_total\{reason="not_a_consumer"\} [1-9]/);
  for (const value of ['first-value', 'not-yours', 'eyJ']) expect(metrics).not.toContain(value);
});

test('whoever invents tokens behind the address of machines has new tokens refused, and none that is verified', async () => {
  const path = '/v1/secrets/shop/key';
  const known = await bearer(machine);
  await answerOf(path, known, 200);
  const [header, claims] = (await world.token(stranger)).split('.');
  const invent = (index: number) => {
    const signature = Buffer.from(`${index}`.padStart(256, '0')).toString('base64url');
    return replica.get(path, { authorization: `Bearer ${header}.${claims}.${signature}` });
  };
  for (let sent = 0; sent < 220; sent += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => invent(sent + i)));
  expect(await invent(1000)).toMatchObject({ status: 429, body: { error: { code: 'caller_limit' } } });
  expect(await replica.get(path, known)).toMatchObject({ status: 200 });
});
