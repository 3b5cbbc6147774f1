/** What the controller says about the content of Secrets, what it does not say, and what it costs others. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import forge from 'node-forge';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { KubeStatusError } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient, ListOptions, ResourceType } from '../../runtime/kube/client/types.ts';
import { issueCertificate } from '../fakes/certificates.ts';
import { eventsType, identitiesType, secretsType, World } from './support.ts';

/** Made by OpenSSL. */
const fixtures = JSON.parse(readFileSync('test/azure/fixtures/client-certificates.json', 'utf8')) as Record<
  string,
  string
>;
const fixture = (name: string) => fixtures[name] as string;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const password = base64(fixture('password'));
const good = { certificate: fixture('modern'), password };
const key = { namespace: 'app', name: 'creds' };

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

type Data = Readonly<Record<string, string>>;

async function identity(name: string, type: 1 | 2, secret = name): Promise<void> {
  await world.identity(name, { type, tenantID: 't', clientPassword: { namespace: 'app', name: secret } });
}

async function create(name: string, data: Data): Promise<void> {
  const metadata = { namespace: 'app', name };
  await world.client.create(secretsType, { apiVersion: 'v1', kind: 'Secret', metadata, data });
}

async function put(name: string, data: Data): Promise<void> {
  const operations = [{ op: 'add', path: '/data', value: data }] as const;
  await world.client.patch(secretsType, { namespace: 'app', name }, { type: 'json', operations });
}

interface Ready {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

async function readyOf(name: string): Promise<Ready | undefined> {
  const object = await world.client.get(identitiesType, { namespace: 'default', name });
  return object['status']?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
}

async function untilReady(name: string, expected: string): Promise<string> {
  let message = '';
  await world.until(async () => {
    const seen = await readyOf(name);
    message = seen?.message ?? '';
    return { ok: `${seen?.status} ${seen?.reason}` === expected, seen };
  }, `${name} ${expected}`);
  return message;
}

/** A client whose LISTs of whole Secrets, by which contents come, go through `list`. */
function reading(list: (options: ListOptions, go: () => Promise<never>) => Promise<never>): KubeClient {
  return new Proxy(world.newClient(), {
    get: (client, name) => {
      const member = Reflect.get(client, name);
      if (typeof member !== 'function') return member;
      if (name !== 'list') return member.bind(client);
      return (type: ResourceType, options: ListOptions = {}) => {
        const go = () => client.list(type, options) as Promise<never>;
        return type.plural === 'secrets' && !options.metadataOnly ? list(options, go) : go();
      };
    },
  });
}

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
    await create(`bad-${index}`, data);
    await identity(`bad-${index}`, type);
  }
  const texts: string[] = [];
  for (const [index, [what, , , message]] of bad.entries()) {
    const seen = await untilReady(`bad-${index}`, 'False SecretNotUsable');
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
    await put(`bad-${index}`, type === 1 ? { anything: base64(secretive) } : good);
    await untilReady(`bad-${index}`, 'True Accepted');
  }
}, 300_000);

test('the condition follows a Secret from one version to the next, and the type of its identity', async () => {
  await create('creds', good);
  await identity('sp', 2, 'creds');
  world.controller();
  await untilReady('sp', 'True Accepted');
  await put('creds', { ...good, password: base64('wrong') });
  await untilReady('sp', 'False SecretNotUsable');
  await put('creds', good);
  await untilReady('sp', 'True Accepted');
  await put('creds', { clientSecret: base64('x') });
  await untilReady('sp', 'False SecretNotUsable');
  const body = { spec: { type: 1 } };
  await world.client.patch(identitiesType, { namespace: 'default', name: 'sp' }, { type: 'merge', body });
  await untilReady('sp', 'True Accepted');
  await world.client.delete(secretsType, key);
  await untilReady('sp', 'False SecretNotFound');
  await create('creds', { one: '', two: '' });
  await untilReady('sp', 'False SecretNotUsable');
});

test('one Secret serves identities of two types, each with a condition of its own', async () => {
  await create('creds', { clientSecret: base64('x') });
  await identity('by-secret', 1, 'creds');
  await identity('by-certificate', 2, 'creds');
  world.controller();
  await untilReady('by-secret', 'True Accepted');
  await untilReady('by-certificate', 'False SecretNotUsable');
});

test.each([403, 503])('content that is answered with %d is not known, and never called unusable', async (status) => {
  let refused = true;
  const client = reading(async (_, go) => {
    if (!refused) return go();
    throw new KubeStatusError({ verb: 'list', resource: 'secrets', object: 'app' }, status, { message: 'not now' });
  });
  await create('creds', { one: '', two: '' });
  await identity('sp', 1, 'creds');
  world.controller({ client });
  expect(await untilReady('sp', 'Unknown SecretNotReadable')).toMatch(
    /could not check the Secret app\/creds: .*not now/,
  );
  refused = false;
  await untilReady('sp', 'False SecretNotUsable');
});

test('an unexpected error is reported without its message, which may quote the content', async () => {
  const metadata = { namespace: 'app', name: 'creds', resourceVersion: '1' };
  const client = reading(async () => ({ items: [{ metadata, data: { clientSecret: 1234567890 } }] }) as never);
  await create('creds', { clientSecret: base64('x') });
  await identity('sp', 1, 'creds');
  world.controller({ client });
  const message = await untilReady('sp', 'Unknown SecretNotReadable');
  expect(message).toMatch(/could not check the Secret app\/creds: its content could not be checked \(TypeError\)$/);
  expect(message).not.toContain('123');
});

test('a moment without an answer changes nothing', async () => {
  let failures = 0;
  const client = reading(async (_, go) => {
    if (failures-- <= 0) return go();
    throw new KubeStatusError({ verb: 'list', resource: 'secrets', object: 'app' }, 500, {});
  });
  await create('creds', good);
  await identity('sp', 2, 'creds');
  world.controller({ client });
  await untilReady('sp', 'True Accepted');
  const before = await world.client.get(identitiesType, { namespace: 'default', name: 'sp' });
  failures = 1;
  await put('creds', { ...good, password: base64('wrong') });
  await untilReady('sp', 'False SecretNotUsable');
  const after = await world.client.get(identitiesType, { namespace: 'default', name: 'sp' });
  expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  expect(failures).toBe(-1);
  const { items } = await world.client.list(eventsType, { limit: 0 });
  expect(items.map(({ reason }) => reason)).not.toContain('SecretNotReadable');
});

test('few Secrets are read at a time, and neither assignments nor other conditions wait for them', async () => {
  let [now, most, total] = [0, 0, 0];
  const released = Promise.withResolvers<void>();
  const client = reading(async (_, go) => {
    now++;
    total++;
    most = Math.max(most, now);
    await released.promise;
    return go().finally(() => now--);
  });
  const names = Array.from({ length: 20 }, (_, index) => `sp-${index}`);
  await Promise.all(
    names.map(async (name) => [await create(name, { clientSecret: base64('x') }), await identity(name, 1)]),
  );
  await world.vmNode('node-1');
  world.controller({ client });
  await world.until(async () => ({ ok: total > 0, seen: total }), 'a reading');
  await world.bound('good');
  await world.binding('sp-7', 'good');
  await world.pod('web', 'good', 'node-1');
  await world.untilStates(['default/web-app-good Assigned', 'default/web-app-sp-7 Assigned']);
  await untilReady('good', 'True Accepted');
  expect(await readyOf('sp-7')).toBeUndefined();
  released.resolve();
  for (const name of names) await untilReady(name, 'True Accepted');
  expect(most).toBe(4);
  expect(total).toBe(20);
});

test('a Secret that changes without a pause is read once a second, and a Secret that does not change is not read again', async () => {
  let total = 0;
  const client = reading((_, go) => {
    total++;
    return go();
  });
  await create('creds', { clientSecret: base64('0') });
  await create('quiet', { clientSecret: base64('0') });
  await identity('sp', 1, 'creds');
  await identity('calm', 1, 'quiet');
  world.controller({ client });
  await untilReady('sp', 'True Accepted');
  await untilReady('calm', 'True Accepted');
  const began = performance.now();
  for (let index = 0; index < 60; index++) await put('creds', { clientSecret: base64(`${index}`) });
  await put('creds', { one: '', two: '' });
  await untilReady('sp', 'False SecretNotUsable');
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
  await create('ends', { certificate: base64(`${cert}${privateKey}`) });
  await identity('ends', 2);
  await create('lasts', good);
  await identity('lasts', 2);
  const soon = await untilReady('ends', 'True CertificateExpiresSoon');
  expect(soon).toMatch(/until its certificate expires on \d{4}-.*Z: put a new certificate into the Secret app\/ends/);
  await untilReady('lasts', 'True Accepted');
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
  expect(await untilReady('ends', 'False SecretNotUsable')).toMatch(/its certificate expired on .*app\/ends/);
  await put('ends', good);
  await untilReady('ends', 'True Accepted');
  await world.client.delete(identitiesType, { namespace: 'default', name: 'lasts' });
  await world.until(async () => ({ ok: (await series()).join() === 'ends', seen: await series() }), 'one series');
});
