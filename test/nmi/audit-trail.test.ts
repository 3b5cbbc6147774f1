/** Audit lines and events of the running daemon; `audit.test.ts` tests the class alone. */
import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  eventsOf,
  identitiesType,
  identity,
  pod,
  podsType,
  resource,
  simple,
  startNmi,
} from './harness.ts';

test('an issuance is on record before the token leaves: a log line and an event on the binding, without the token', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  const { json } = await nmi.token('127.0.0.5');
  for (let i = 0; i < 4; i++) await nmi.token('127.0.0.5');
  const lines = nmi.log.filter(({ msg }) => msg === 'token issued');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatchObject({
    pod: 'app/p',
    podUid: expect.any(String),
    serviceAccount: 'sa',
    node: 'n1',
    identity: 'app/id',
    binding: 'app/b',
    resource,
    outcome: 'issued',
    expiresOn: new Date(Number(json.expires_on) * 1000).toISOString(),
  });
  await nmi.stop();
  const [event, ...others] = eventsOf(nmi);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    reason: 'TokenIssued',
    regarding: { kind: 'AzureIdentityBinding', name: 'b', namespace: 'app' },
    related: { kind: 'Pod', name: 'p' },
    series: { count: 5 },
  });
  expect(JSON.stringify([nmi.log, eventsOf(nmi)])).not.toContain(json.access_token);
});

test('each of many pods under one binding is on record by itself', async () => {
  await using nmi = await startNmi();
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  const names = Array.from({ length: 15 }, (_, i) => `p${i}`);
  for (const [i, name] of names.entries()) {
    const one = pod({ name, ip: `127.0.1.${i + 1}` });
    await nmi.kube.put(assignedType, assigned(one, identity()));
    await nmi.kube.put(podsType, one);
    await eventually('it is known', async () => (await nmi.token(`127.0.1.${i + 1}`)).status === 200);
  }
  await nmi.stop();
  const issued = eventsOf(nmi).filter(({ reason }) => reason === 'TokenIssued');
  expect(issued.map(({ related }) => related.name).sort()).toEqual([...names].sort());
  expect(issued.filter(({ note }) => note.startsWith('(combined'))).toEqual([]);
});

test('a refusal is on record too', async () => {
  await using nmi = await startNmi({
    imds: () => ({ status: 400, body: { error: 'invalid_request', error_description: 'Identity not found' } }),
  });
  await simple(nmi);
  const answer = await nmi.token('127.0.0.5');
  expect([answer.status, answer.headers['content-type']]).toEqual([403, 'application/json; charset=utf-8']);
  expect(answer.json.error).toBe('access_denied');
  expect(answer.text).toMatch(/^failed to get service principal token, error: .*Identity not found/);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  await nmi.stop();
  expect(eventsOf(nmi)).toEqual([
    expect.objectContaining({
      type: 'Warning',
      reason: 'TokenRefused',
      regarding: expect.objectContaining({ name: 'b' }),
    }),
  ]);
});
