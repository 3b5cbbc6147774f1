import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { hanging, unreachable } from '../fakes/kube-failures.ts';
import {
  anyCredential,
  anyIdentity,
  binding,
  bindingsType,
  holding,
  identitiesType,
  identity,
  pod,
  podsType,
  secretsType,
  simple,
  startNmi,
  withGreedyPod,
} from './harness.ts';

const servicePrincipal = { type: 1, tenantID: 'tenant', clientPassword: { namespace: 'app', name: 's' } };
const secret = {
  metadata: { namespace: 'app', name: 's' },
  data: { clientSecret: Buffer.from('pw').toString('base64') },
};

test('while the API server is unreachable known pods get tokens, and unknown ones a 503 with Retry-After', async () => {
  await using nmi = await startNmi({ args: ['--token-cache=off', '--secret-refresh=0'] });
  await nmi.kube.put(secretsType, secret as never);
  await simple(nmi, servicePrincipal);
  await nmi.kube.put(podsType, pod({ name: 'later', ip: '127.0.0.6', label: 'no-binding-yet' }));
  expect((await nmi.token('127.0.0.5')).status).toBe(200);
  for (const verb of ['watch', 'list', 'get', 'create', 'patch']) nmi.kube.failNext(verb, unreachable(), 10_000);
  nmi.kube.endWatches(unreachable());
  await eventually('the loss is noticed', async () => (await nmi.token('127.0.0.7')).status === 503);
  const unknown = await nmi.token('127.0.0.7');
  expect([unknown.status, unknown.headers['retry-after']]).toEqual([503, '5']);
  const unassigned = await nmi.token('127.0.0.6');
  expect([unassigned.status, unassigned.headers['retry-after']]).toEqual([503, '5']);
  for (let i = 0; i < 5; i++) expect((await nmi.token('127.0.0.5')).status).toBe(200);
});

test('before the first sync every pod gets a 503 with Retry-After, and the daemon is not ready', async () => {
  await using nmi = await startNmi({
    waitForSync: false,
    client: (kube) => {
      kube.failNext('list', hanging, 100);
      return kube;
    },
  });
  const answer = await nmi.token('127.0.0.5');
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
  expect((await nmi.ready()).status).toBe(500);
  expect((await nmi.ask('/metadata/identity/oauth2/token', { from: '127.0.0.5' })).status).toBe(400);
});

test.each([
  ['410 twice', [410, 410], 200],
  ['429 once', [429], 200],
  ['500 once', [500], 200],
  ['404 once, while it is updated', [404], 200],
  ['500 for good', Array.from({ length: 50 }, () => 500), 503],
  ['410 for good', Array.from({ length: 50 }, () => 410), 503],
  ['400', [400], 403],
])('the metadata endpoint answers %s: the pod gets %3$d', async (_, statuses, expected) => {
  const left = [...statuses];
  await using nmi = await startNmi({
    imds: (request) => {
      const status = left.shift();
      return status ? { status, body: { error: 'x', error_description: 'fault' } } : anyIdentity(request);
    },
  });
  await simple(nmi);
  const answer = await nmi.token('127.0.0.5');
  expect(answer.status).toBe(expected);
  expect(answer.headers['retry-after'] !== undefined).toBe(expected === 503);
});

test.each([
  ['503 once', [{ status: 503 }], 200],
  ['429 with a short Retry-After', [{ status: 429, headers: { 'retry-after': '1' } }], 200],
  ['429 with a long Retry-After', [{ status: 429, headers: { 'retry-after': '120' } }], 503],
  ['a cut connection once', [{ destroy: true }], 200],
  ['500 for good', Array.from({ length: 20 }, () => ({ status: 500, body: '<html>' })), 503],
])('Microsoft Entra ID answers %s: the pod gets %3$d', async (_, faults, expected) => {
  const left = [...faults];
  await using nmi = await startNmi({ aad: (request) => left.shift() ?? anyCredential(request) });
  await nmi.kube.put(secretsType, secret as never);
  await simple(nmi, servicePrincipal);
  const answer = await nmi.token('127.0.0.5');
  expect(answer.status).toBe(expected);
  if (expected === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  if (left.length === 0 && faults.length === 1 && expected === 503) expect(answer.headers['retry-after']).toBe('120');
});

test('watch lag: a binding that comes after the pod asked is used without a new request', async () => {
  const args = ['--operation-mode=managed', '--forceNamespaced'];
  await using nmi = await startNmi({ args });
  await nmi.kube.put(podsType, pod());
  const answer = nmi.token('127.0.0.5');
  await eventually('it waits', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 1'));
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  expect((await answer).status).toBe(200);
});

test('requests that wait are bounded for each address, and the others are served meanwhile', async () => {
  await using nmi = await startNmi({ limits: { requests: { perAddress: 3 } } });
  await nmi.kube.put(podsType, pod({ name: 'greedy', ip: '127.0.0.6', label: 'nothing' }));
  await simple(nmi);
  await eventually('served', async () => (await nmi.token('127.0.0.5')).status === 200);
  const leave = new AbortController();
  const headers = { metadata: 'true' };
  const held = Array.from({ length: 3 }, () =>
    nmi.token('127.0.0.6', {}, { from: '127.0.0.6', headers, signal: leave.signal }),
  );
  await eventually('they wait', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 3'));
  const beyond = await nmi.token('127.0.0.6');
  expect([beyond.status, beyond.headers['retry-after']]).toEqual([429, '1']);
  expect((await nmi.token('127.0.0.5')).status).toBe(200);
  leave.abort();
  await Promise.allSettled(held);
  await eventually('the bound is free again', async () => {
    const text = await nmi.metrics();
    return text.includes('azimuth_nmi_waiting_requests 0') && text.includes('bound="requests_per_address"} 1');
  });
});

test('requests whose callers hang up do not pile up at the token service: they are bounded for each pod', async () => {
  const service = holding('resource=late', anyIdentity);
  await using nmi = await startNmi({ imds: service.serve });
  using _held = service;
  await withGreedyPod(nmi);
  const asked = () => nmi.imds.requests.filter(service.held).length;
  for (const round of [1, 2]) {
    const leave = new AbortController();
    const answers: (string | undefined)[] = [];
    const all = Array.from({ length: 100 }, async (_, at) => {
      const from = { from: '127.0.0.6', headers: { metadata: 'true' }, signal: leave.signal };
      const { status, headers } = await nmi.token('127.0.0.6', { resource: `late-${round}-${at}` }, from);
      answers.push(`${status} ${headers['retry-after']}`);
    });
    const settled = Promise.allSettled(all);
    // In the second round those of the first are under way still, although nobody waits for them.
    await eventually('all have come', () => asked() + answers.length >= (round === 1 ? 100 : 112));
    leave.abort();
    await settled;
    expect(new Set(answers)).toEqual(new Set(['503 1']));
    expect(asked()).toBe(12);
  }
  // Neither another pod nor what is at hand is concerned.
  expect((await nmi.token('127.0.0.5', { resource: 'https://other.test' })).status).toBe(200);
  expect((await nmi.token('127.0.0.6')).status).toBe(200);
  service.release();
  await eventually('the bound is free again', async () => {
    return (await nmi.token('127.0.0.6', { resource: 'https://another.test' })).status === 200;
  });
});

test('connections are bounded for each address; a flood from one does not shut out another', async () => {
  await using nmi = await startNmi({ limits: { connections: { perAddress: 20 } } });
  await simple(nmi);
  const sockets = Array.from({ length: 60 }, () =>
    connect({ port: nmi.port, host: '127.0.0.1', localAddress: '127.0.0.6' }).on('error', () => undefined),
  );
  await eventually(
    'the excess is closed',
    () => sockets.filter(({ destroyed, closed }) => destroyed || closed).length >= 40,
  );
  expect((await nmi.token('127.0.0.5')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('a sender that never finishes its headers, or its body, is cut off', async () => {
  await using nmi = await startNmi();
  const slow = connect({ port: nmi.port, host: '127.0.0.1' });
  let answer = '';
  slow.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  slow.on('error', () => undefined);
  slow.write('GET /metadata/instance HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => slow.write('X: y\r\n'), 200);
  // A drop may still be on its way when the daemon closes, which then resets the connection.
  await new Promise((resolve) => slow.once('close', resolve));
  clearInterval(drip);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('requests that are not passed on keep nothing of their body, and a body too long is refused', async () => {
  await using nmi = await startNmi({ args: ['--metadata-paths=POST /metadata/scheduledevents'] });
  const headers = { metadata: 'true' };
  const long = 'x'.repeat(100_000);
  const answer = await nmi.ask('/metadata/scheduledevents', { method: 'POST', headers, body: long });
  expect(answer.status).toBe(413);
  const echoed = await nmi.ask('/metadata/scheduledevents?a=%20b', {
    method: 'POST',
    headers: { ...headers, connection: 'x-secret', 'x-secret': '1', 'x-kept': '2' },
    body: '{}',
  });
  expect(echoed.status).toBe(200);
  const [passed] = nmi.imds.requests;
  expect(passed).toMatchObject({ method: 'POST', url: '/metadata/scheduledevents?a=%20b', body: '{}' });
  expect(passed?.headers).toMatchObject({ metadata: 'true', 'x-kept': '2', host: new URL(nmi.imds.url).host });
  expect(passed?.headers['x-secret']).toBeUndefined();
});
