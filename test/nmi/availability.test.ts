import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { anyIdentity, binding, bindingsType, eventsOf, simple, startNmi } from './harness.ts';

test('a closed binding is refused with a 403 that names its opening time, and a grant opens it for running pods', async () => {
  await using nmi = await startNmi();
  const notBefore = new Date(Date.now() + 3600_000).toISOString();
  await simple(nmi, {}, { availability: { notBefore } });
  const refused = await nmi.token('127.0.0.5');
  expect(refused.status).toBe(403);
  expect(refused.text).toBe(`the identity is not available now: notBefore lies ahead. It opens at ${notBefore}`);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
  expect(nmi.imds.requests).toEqual([]);

  const until = Math.floor(Date.now() / 1000) * 1000 + 600_000;
  const annotations = { 'azimuth.dev/grant-until': new Date(until).toISOString() };
  await nmi.kube.put(bindingsType, binding('b', { availability: { notBefore } }, 'app', annotations));
  await eventually('granted', async () => (await nmi.token('127.0.0.5')).status === 200);
  const { json } = await nmi.token('127.0.0.5');
  expect(json.expires_on).toBe(String(until / 1000));
  expect(Number(json.expires_in)).toBeLessThanOrEqual(600);

  await nmi.kube.put(bindingsType, binding('b', { availability: { notBefore } }));
  await eventually('revoked', async () => (await nmi.token('127.0.0.5')).status === 403);
  await nmi.stop();
  expect(
    eventsOf(nmi)
      .map(({ reason }) => reason)
      .sort(),
  ).toEqual(['TokenIssued', 'TokenRefused']);
});

test('of two bindings that give one identity either opens it, and is on record for it', async () => {
  await using nmi = await startNmi();
  const hour = 3600_000;
  const at = (ms: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + ms).toISOString();
  const until = at(hour / 6);
  await simple(nmi, {}, { availability: { notBefore: at(2 * hour) }, weight: 1 });
  await nmi.kube.put(
    bindingsType,
    binding('on-call', { availability: { notBefore: at(hour), notAfter: at(9 * hour) } }),
  );
  await eventually('closed', async () => (await nmi.token('127.0.0.5')).body.includes('notBefore lies ahead'));
  // The message has the earlier of both.
  expect(Number((await nmi.token('127.0.0.5')).headers['retry-after'])).toBeLessThanOrEqual(3600);

  await nmi.kube.put(bindingsType, binding('on-call', { availability: { notAfter: until } }));
  await eventually('open', async () => (await nmi.token('127.0.0.5')).status === 200);
  for (const query of [{}, {}, { object_id: 'oid-client-id' }] as Record<string, string>[]) {
    const { json } = await nmi.token('127.0.0.5', query);
    expect(json.expires_on).toBe(String(Date.parse(until) / 1000));
  }
  await nmi.kube.delete(bindingsType, { namespace: 'app', name: 'on-call' });
  expect((await nmi.token('127.0.0.5')).status).toBe(403);
  await nmi.stop();
  const events = eventsOf(nmi).map(({ reason, regarding }) => `${reason} ${regarding.name}`);
  expect(events).toContain('TokenIssued on-call');
  expect(events).not.toContain('TokenIssued b');
});

test('the first token ends with the window too', async () => {
  await using nmi = await startNmi();
  const until = Math.floor(Date.now() / 1000) * 1000 + 600_000;
  await simple(nmi, {}, { availability: { notAfter: new Date(until).toISOString() } });
  let first: string | undefined;
  await eventually('it is there', async () => {
    const { status, json } = await nmi.token('127.0.0.5');
    if (status === 200) first = json.expires_on;
    return status === 200;
  });
  expect(nmi.imds.requests).toHaveLength(1);
  expect(first).toBe(String(until / 1000));
});

test('a token that comes after its window has closed is given to nobody', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using nmi = await startNmi({
    imds: async (request) => {
      asked.resolve();
      await answer.promise;
      return anyIdentity(request);
    },
  });
  await simple(nmi);
  const token = nmi.token('127.0.0.5');
  await asked.promise;
  await nmi.kube.put(bindingsType, binding('b', { availability: { notAfter: '2020-01-01T00:00:00Z' } }));
  answer.resolve();
  // The binding is the same one, so it is not that none fits.
  expect(await token).toMatchObject({ status: 403, body: expect.stringContaining('notAfter has passed') });
});

test('for a closed binding no token is requested to learn its object id, and the error names its opening time', async () => {
  await using nmi = await startNmi();
  await simple(nmi, {}, { availability: { notAfter: '2020-01-01T00:00:00Z' } });
  await eventually('the pod is known', async () => (await nmi.token('127.0.0.5')).status === 403);
  const { status, body } = await nmi.token('127.0.0.5', { object_id: 'oid-client-id' });
  expect([status, body]).toEqual([403, expect.stringContaining('notAfter has passed')]);
  expect(nmi.imds.requests).toEqual([]);
});
