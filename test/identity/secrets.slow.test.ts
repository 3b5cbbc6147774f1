/** What the controller reports of the content of Secrets, and what it does not. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import forge from 'node-forge';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { KubeStatusError } from '../../runtime/kube/client/status-error.ts';
import { issueCertificate } from '../fakes/certificates.ts';
import { base64, create, type Data, identity, put, reading } from './secret-objects.ts';
import { eventsType, identitiesType, secretsType, World } from './support.ts';

/** Made by OpenSSL. */
const fixtures = JSON.parse(readFileSync('test/azure/fixtures/client-certificates.json', 'utf8')) as Record<
  string,
  string
>;
const fixture = (name: string) => fixtures[name] as string;
const password = base64(fixture('password'));
const good = { certificate: fixture('modern'), password };
const key = { namespace: 'app', name: 'creds' };

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

/** PKCS#12 that lacks a part, with the password of the fixtures. */
function half(part: 'key' | 'certificate'): string {
  const pem = Buffer.from(part === 'key' ? fixture('plainKey') : fixture('certificate'), 'base64').toString();
  const file =
    part === 'key'
      ? forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(pem), null as never, fixture('password'))
      : forge.pkcs12.toPkcs12Asn1(null as never, [forge.pki.certificateFromPem(pem)], fixture('password'));
  return forge.util.encode64(forge.asn1.toDer(file).getBytes());
}

const secretive = 'VERY-secret-value';
const bad: readonly [string, 1 | 2, Data, RegExp][] = [
  [
    'a client secret among others',
    1,
    { one: base64(secretive), two: base64(`${secretive}2`) },
    /the key `clientSecret`/,
  ],
  ['a client secret that is empty', 1, { clientSecret: '' }, /with a value/],
  ['no key at all', 1, {}, /the key `clientSecret`/],
  [
    'a certificate under another key',
    2,
    { 'tls.crt': fixture('modern'), password },
    /a PKCS#12 file under `certificate`/,
  ],
  ['an empty certificate', 2, { certificate: '', password }, /a PKCS#12 file under `certificate`/],
  ['a certificate that is text', 2, { certificate: base64(secretive), password }, /neither PEM nor PKCS#12/],
  ['a PKCS#12 with a wrong password', 2, { ...good, password: base64(secretive) }, /is the password right\?/],
  ['a PKCS#12 without its password', 2, { certificate: fixture('modern') }, /is the password right\?/],
  [
    'a PKCS#12 that is cut off',
    2,
    { ...good, certificate: fixture('modern').slice(0, 2000) },
    /PKCS#12 .*cannot be opened/,
  ],
  ['a PKCS#12 without a key', 2, { certificate: half('certificate'), password }, /no private key/],
  ['a PKCS#12 without a certificate', 2, { certificate: half('key'), password }, /no certificate/],
  [
    'a key that Microsoft Entra ID does not accept',
    2,
    { certificate: fixture('ec'), password },
    /expected an RSA key, got ec/,
  ],
  ['a key derivation without end', 2, { certificate: fixture('manyRounds'), password }, /1200000 rounds/],
];

test('a Secret that gives no token has a condition and an event with the fix, without any of its content', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const running = world.controller({ log: createLogger('identity', { level: 'debug', destination }) });
  for (const [index, [, type, data]] of bad.entries()) {
    await create(world, `bad-${index}`, data);
    await identity(world, `bad-${index}`, type);
  }
  const texts: string[] = [];
  for (const [index, [what, , , message]] of bad.entries()) {
    const seen = await world.untilReady(`bad-${index}`, 'False SecretNotUsable');
    expect({ what, seen }).toEqual({ what, seen: expect.stringMatching(message) });
    expect(seen).toMatch(
      new RegExp(`^correct the Secret of spec.clientPassword, or name .* the Secret app/bad-${index} `),
    );
    texts.push(seen);
  }
  await world.until(async () => {
    const { items } = await world.client.list(eventsType, { limit: 0 });
    const seen = items.filter(({ reason, type }) => reason === 'SecretNotUsable' && type === 'Warning');
    texts.push(JSON.stringify(items));
    return { ok: new Set(seen.map(({ regarding }) => regarding.name)).size === bad.length, seen };
  }, 'events');

  const { items } = await world.client.list(identitiesType, { limit: 0 });
  texts.push(JSON.stringify(items.map(({ status }) => status)), await running.metrics.metrics(), ...lines);
  const everything = texts.join('\n');
  expect(lines.length).toBeGreaterThan(5);
  const values = bad.flatMap(([, , data]) => Object.values(data)).filter((value) => value !== '');
  for (const value of values) {
    expect(everything).not.toContain(value.slice(0, 12));
    expect(everything).not.toContain(Buffer.from(value, 'base64').toString('latin1').slice(0, 12));
  }
  expect(everything).not.toMatch(/VERY|-secret-|BEGIN|PRIVATE/);

  for (const [index, [, type]] of bad.entries()) {
    await put(world, `bad-${index}`, type === 1 ? { anything: base64(secretive) } : good);
    await world.untilReady(`bad-${index}`, 'True Accepted');
  }
}, 300_000);

test('the condition follows a Secret from one version to the next, and the type of its identity', async () => {
  await create(world, 'creds', good);
  await identity(world, 'sp', 2, 'creds');
  world.controller();
  await world.untilReady('sp', 'True Accepted');
  await put(world, 'creds', { ...good, password: base64('wrong') });
  await world.untilReady('sp', 'False SecretNotUsable');
  await put(world, 'creds', good);
  await world.untilReady('sp', 'True Accepted');
  await put(world, 'creds', { clientSecret: base64('x') });
  await world.untilReady('sp', 'False SecretNotUsable');
  const body = { spec: { type: 1 } };
  await world.client.patch(identitiesType, { namespace: 'default', name: 'sp' }, { type: 'merge', body });
  await world.untilReady('sp', 'True Accepted');
  await world.client.delete(secretsType, key);
  await world.untilReady('sp', 'False SecretNotFound');
  await create(world, 'creds', { one: '', two: '' });
  await world.untilReady('sp', 'False SecretNotUsable');
});

test('one Secret serves identities of two types, each with a condition of its own', async () => {
  await create(world, 'creds', { clientSecret: base64('x') });
  await identity(world, 'by-secret', 1, 'creds');
  await identity(world, 'by-certificate', 2, 'creds');
  world.controller();
  await world.untilReady('by-secret', 'True Accepted');
  await world.untilReady('by-certificate', 'False SecretNotUsable');
});

test.each([403, 503])('content that is answered with %d is not known, and never called unusable', async (status) => {
  let refused = true;
  const client = reading(world, async (_, go) => {
    if (!refused) return go();
    throw new KubeStatusError({ verb: 'list', resource: 'secrets', object: 'app' }, status, { message: 'not now' });
  });
  await create(world, 'creds', { one: '', two: '' });
  await identity(world, 'sp', 1, 'creds');
  world.controller({ client });
  expect(await world.untilReady('sp', 'Unknown SecretNotReadable')).toMatch(
    /could not check the Secret app\/creds: .*not now/,
  );
  refused = false;
  await world.untilReady('sp', 'False SecretNotUsable');
});

test('an unexpected error is reported without its message, which may quote the content', async () => {
  const metadata = { namespace: 'app', name: 'creds', resourceVersion: '1' };
  const client = reading(world, async () => ({ items: [{ metadata, data: { clientSecret: 1234567890 } }] }) as never);
  await create(world, 'creds', { clientSecret: base64('x') });
  await identity(world, 'sp', 1, 'creds');
  world.controller({ client });
  const message = await world.untilReady('sp', 'Unknown SecretNotReadable');
  expect(message).toMatch(/could not check the Secret app\/creds: its content could not be checked \(TypeError\)$/);
  expect(message).not.toContain('123');
});

test('a moment without an answer changes nothing', async () => {
  let failures = 0;
  const client = reading(world, async (_, go) => {
    if (failures-- <= 0) return go();
    throw new KubeStatusError({ verb: 'list', resource: 'secrets', object: 'app' }, 500, {});
  });
  await create(world, 'creds', good);
  await identity(world, 'sp', 2, 'creds');
  world.controller({ client });
  await world.untilReady('sp', 'True Accepted');
  const before = await world.client.get(identitiesType, { namespace: 'default', name: 'sp' });
  failures = 1;
  await put(world, 'creds', { ...good, password: base64('wrong') });
  await world.untilReady('sp', 'False SecretNotUsable');
  const after = await world.client.get(identitiesType, { namespace: 'default', name: 'sp' });
  expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  expect(failures).toBe(-1);
  const { items } = await world.client.list(eventsType, { limit: 0 });
  expect(items.map(({ reason }) => reason)).not.toContain('SecretNotReadable');
});

test('condition and event warn of a certificate 30 days before its end, and after its end the Secret is not usable', async () => {
  const { cert, key: privateKey } = issueCertificate({ commonName: 'nine more days' });
  const requeued: ((value?: undefined) => void)[] = [];
  let later = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => Date.now() + later,
    monotonic: () => performance.now() + later,
    // The timers of half a day end when the test says so; one that is set again is a little shorter.
    sleep: (ms, signal) =>
      ms < 11 * 3_600_000
        ? systemClock.sleep(ms, signal)
        : new Promise((resolve, reject) => {
            requeued.push(resolve as () => void);
            signal?.addEventListener('abort', () => reject(signal.reason));
          }),
  };
  const running = world.controller({ clock });
  const series = async () =>
    [...(await running.metrics.metrics()).matchAll(/expiry_timestamp_seconds\{namespace="default",name="(\w+)"\}/g)]
      .map(([, name]) => name)
      .sort();
  await create(world, 'ends', { certificate: base64(`${cert}${privateKey}`) });
  await identity(world, 'ends', 2);
  await create(world, 'lasts', good);
  await identity(world, 'lasts', 2);
  const soon = await world.untilReady('ends', 'True CertificateExpiresSoon');
  expect(soon).toMatch(/until its certificate expires on \d{4}-.*Z: put a new certificate into the Secret app\/ends/);
  await world.untilReady('lasts', 'True Accepted');
  expect(await series()).toEqual(['ends', 'lasts']);
  await world.until(async () => {
    const { items } = await world.client.list(eventsType, { limit: 0 });
    const seen = items.map(({ regarding, reason, type }) => `${regarding.name} ${type} ${reason}`);
    return { ok: seen.includes('ends Warning CertificateExpiresSoon'), seen };
  }, 'the event');

  // Both identities with a certificate wait for the next check.
  await world.until(async () => ({ ok: requeued.length > 0, seen: requeued.length }), 'a timer of half a day');
  later = 10 * 86_400_000;
  for (const resolve of requeued.splice(0)) resolve();
  expect(await world.untilReady('ends', 'False SecretNotUsable')).toMatch(/its certificate expired on .*app\/ends/);
  await put(world, 'ends', good);
  await world.untilReady('ends', 'True Accepted');
  await world.client.delete(identitiesType, { namespace: 'default', name: 'lasts' });
  await world.until(async () => ({ ok: (await series()).join() === 'ends', seen: await series() }), 'one series');
});
