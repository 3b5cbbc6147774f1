/** Answers that need nothing but what is in memory: what must hold for them as for all others. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import {
  anyIdentity,
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  eventsOf,
  exceptionsType,
  type Harness,
  identitiesType,
  identity,
  pod,
  podsType,
  resource,
  secretsType,
  simple,
  startNmi,
} from './harness.ts';

const impatient = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];
const ip = '127.0.0.5';
const path = `/metadata/identity/oauth2/token?resource=${encodeURIComponent(resource)}`;

/** Asks until the answer comes without a look at IMDS or a Secret; returns whose token it is. */
async function warm(nmi: Harness, from = ip, query = {}): Promise<string> {
  await nmi.token(from, query);
  const { json } = await nmi.token(from, query);
  return String(claimsOf(json.access_token)['appid']);
}

test('a binding that goes, changes or closes ends the answers at hand', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(bindingsType, binding('b', { selector: 'other' }));
  expect((await nmi.token(ip)).status).toBe(404);
  await nmi.kube.put(bindingsType, binding('b'));
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(bindingsType, binding('b', { availability: { notAfter: '2020-01-01T00:00:00Z' } }));
  expect((await nmi.token(ip)).status).toBe(403);
  await nmi.kube.put(bindingsType, binding('b'));
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.delete(bindingsType, { namespace: 'app', name: 'b' });
  expect((await nmi.token(ip)).status).toBe(404);
});

test('an assignment that goes, and an exception that comes, count at once', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(exceptionsType, {
    metadata: { namespace: 'app', name: 'e' },
    spec: { podLabels: { aadpodidbinding: 'sel' } },
  } as never);
  expect(await warm(nmi)).toBe('system');
  await nmi.kube.delete(exceptionsType, { namespace: 'app', name: 'e' });
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(assignedType, assigned(pod(), identity(), 'Unassigned'));
  expect((await nmi.token(ip)).status).toBe(404);
});

test('an address that went to another pod brings the token of that pod, or none while two have it', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  await nmi.kube.put(identitiesType, identity('id2'));
  await nmi.kube.put(bindingsType, binding('b2', { azureIdentity: 'id2', selector: 'sel2' }));
  const next = pod({ name: 'q', label: 'sel2' });
  await nmi.kube.put(assignedType, assigned(next, identity('id2')));
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(podsType, next);
  expect((await nmi.token(ip)).status).toBe(500);
  await nmi.kube.put(podsType, pod({ phase: 'Succeeded' }));
  expect(await warm(nmi)).toBe('client-id2');
  await nmi.kube.put(podsType, pod({ name: 'q', label: 'sel2', hostNetwork: true }));
  expect((await nmi.token(ip)).status).toBe(500);
});

test('who sends from an address of the node gets nothing at hand, though a pod claims the address', async () => {
  await using nmi = await startNmi({ args: [...impatient, '--host-ip=127.0.0.9'] });
  await simple(nmi);
  const claims = pod({ name: 'q', ip: '127.0.0.9' });
  await nmi.kube.put(assignedType, assigned(claims, identity()));
  await nmi.kube.put(podsType, claims);
  expect(await warm(nmi)).toBe('client-id');
  expect((await nmi.token('127.0.0.9')).status).toBe(500);
});

test('a pod that is ending has nothing at hand once its grace is over, though nothing else tells so', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  await nmi.kube.put(podsType, pod({ deleting: new Date(Date.now() + 10_000), running: true }));
  expect(await warm(nmi)).toBe('client-id');
  await eventually('it is refused', async () => (await nmi.token(ip)).status === 500);
});

test('ids are told apart whatever characters they have', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi, { clientID: 'a', resourceID: ' b' });
  expect(await warm(nmi, ip, { client_id: 'a', msi_res_id: ' b' })).toBe('a');
  expect((await nmi.token(ip, { client_id: 'a ', msi_res_id: 'b' })).status).toBe(404);
  expect((await nmi.token(ip, { client_id: 'a  b' })).status).toBe(404);
  expect(await warm(nmi, ip, { msi_res_id: ' b' })).toBe('a');
  expect((await nmi.token(ip, { msi_res_id: 'c' })).status).toBe(404);
});

test('header rules hold for an answer at hand', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  await warm(nmi);
  expect((await nmi.token(ip, {}, { headers: {} })).status).toBe(400);
  const headers = { metadata: 'true', 'x-forwarded-for': ip };
  expect((await nmi.token(ip, {}, { headers })).status).toBe(400);
  const head = await nmi.token(ip, {}, { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, '']);
  expect((await nmi.token('127.0.0.99')).status).toBe(500);
});

test('a caller that says no more after its request still gets the answer', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  await warm(nmi);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect({ host: '127.0.0.1', port: nmi.port, localAddress: ip, allowHalfOpen: true });
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part;
    });
    socket.on('error', reject).on('end', () => resolve(received));
    socket.end(`GET ${path} HTTP/1.1\r\nHost: h\r\nMetadata: true\r\n\r\n`);
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('the audit line is written before the token leaves, and its event counts exactly', async () => {
  const lines: string[] = [];
  const order: string[] = [];
  await using nmi = await startNmi({
    logTo: {
      write(text: string) {
        const issued = text.split('\n').filter((line) => line.includes('token issued'));
        lines.push(...issued);
        order.push(...issued.map(() => 'line'));
      },
    },
  });
  await simple(nmi);
  for (let i = 0; i < 5; i++) {
    const { status } = await nmi.token(ip);
    order.push(`answer ${status}`);
  }
  expect(order).toEqual(Array.from({ length: 5 }, () => ['line', 'answer 200']).flat());
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(new Set(parsed.map((line) => JSON.stringify({ ...line, time: undefined }))).size).toBe(1);
  expect(parsed[4]).toMatchObject({
    level: 'info',
    component: 'audit',
    pod: 'app/p',
    serviceAccount: 'sa',
    node: 'n1',
    identity: 'app/id',
    binding: 'app/b',
    resource,
    outcome: 'issued',
  });
  expect(Math.abs(Date.parse(String(parsed[4]?.['time'])) - Date.now())).toBeLessThan(60_000);
  for (const line of lines) expect(line).not.toMatch(/eyJ|access_token/);
  await nmi.stop();
  const events = eventsOf(nmi).filter((event) => event['reason'] === 'TokenIssued');
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ series: { count: 5 } });
});

test('a token whose audit line cannot be written is not given out', async () => {
  let full = false;
  await using nmi = await startNmi({
    logTo: {
      write: () => {
        if (full) throw new Error('ENOSPC');
      },
    },
  });
  await simple(nmi);
  await warm(nmi);
  full = true;
  const answer = await nmi.token(ip);
  expect([answer.status, answer.body]).toEqual([500, 'internal error\n']);
  const headers = { podns: 'app', podname: 'p' };
  const ofHost = () => nmi.ask('/host/token/?resource=r', { headers, socketPath: nmi.hostSocket });
  expect((await ofHost()).status).toBe(500);
  full = false;
  expect((await nmi.token(ip)).status).toBe(200);
  expect((await ofHost()).status).toBe(200);
});

test('identities of two types that name one Secret each read their own part of it', async () => {
  await using nmi = await startNmi({ args: impatient });
  const secret = { namespace: 'app', name: 's' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  await nmi.kube.put(secretsType, { metadata: secret, data: { clientSecret: base64('word') } } as never);
  const spec = { type: 1, tenantID: 't', clientPassword: secret };
  await simple(nmi, spec);
  await nmi.kube.put(identitiesType, identity('cert', { ...spec, type: 2 }));
  await nmi.kube.put(bindingsType, binding('c', { azureIdentity: 'cert', selector: 'cert' }));
  const other = pod({ name: 'q', ip: '127.0.0.6', label: 'cert' });
  await nmi.kube.put(assignedType, assigned(other, identity('cert', { ...spec, type: 2 })));
  await nmi.kube.put(podsType, other);
  await eventually('the first has its token', async () => (await nmi.token(ip)).status === 200);
  const refused = await nmi.token('127.0.0.6');
  expect(refused.status).toBe(503);
  await eventually('the reason is on the binding', async () =>
    nmi.log.some(({ detail }) => String(detail).includes('Expected the Secret app/s to have a PKCS#12 file')),
  );
  await nmi.kube.put(secretsType, { metadata: secret, data: {} } as never);
});

test.each([
  ['the binding goes', (nmi: Harness) => nmi.kube.delete(bindingsType, { namespace: 'app', name: 'b' })],
  ['the pod loses its label', (nmi: Harness) => nmi.kube.put(podsType, pod({ label: '' }))],
  [
    'another identity takes the name of its own',
    async (nmi: Harness) => {
      await nmi.kube.delete(identitiesType, { namespace: 'app', name: 'id' });
      await nmi.kube.put(identitiesType, identity());
    },
  ],
  [
    'another binding takes the name of its own',
    async (nmi: Harness) => {
      await nmi.kube.delete(bindingsType, { namespace: 'app', name: 'b' });
      await nmi.kube.put(bindingsType, binding());
    },
  ],
  [
    'its assignment was given another client id',
    (nmi: Harness) => nmi.kube.put(assignedType, assigned(pod(), identity('id', { clientID: 'client-new' }))),
  ],
  [
    'another pod takes its name',
    async (nmi: Harness) => {
      await nmi.kube.delete(podsType, { namespace: 'app', name: 'p' });
      await nmi.kube.put(podsType, pod());
    },
  ],
])('a token that comes after %s is given to nobody', async (_, change) => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using nmi = await startNmi({
    args: impatient,
    imds: async (request) => {
      asked.resolve();
      await answer.promise;
      return anyIdentity(request);
    },
  });
  await simple(nmi);
  const token = nmi.token(ip);
  await asked.promise;
  await change(nmi);
  answer.resolve();
  expect((await token).status).toBe(404);
  expect(nmi.log.some(({ outcome }) => outcome === 'issued')).toBe(false);
});

test('an identity of the machine serves as it was attached, until the assignment says otherwise', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(identitiesType, identity('id', { clientID: 'client-new' }));
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(assignedType, assigned(pod(), identity('id', { clientID: 'client-new' })));
  expect(await warm(nmi)).toBe('client-new');
});

test('an assignment stands for the identity that it names, not for one of that name in another namespace', async () => {
  await using nmi = await startNmi({ args: impatient });
  await nmi.kube.put(assignedType, assigned(pod(), identity('id', { clientID: 'other' }, 'elsewhere')));
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  // Last, as nobody is told 404 before it is known.
  await nmi.kube.put(podsType, pod());
  await eventually('everything is read', async () => (await nmi.token(ip)).status === 404);
  // Once more, at hand.
  expect((await nmi.token(ip)).status).toBe(404);
  await nmi.kube.put(assignedType, assigned(pod(), identity()));
  await eventually('it is assigned', async () => (await nmi.token(ip)).status === 200);
});

test('an identity that is not assigned does not hide one of its name in another namespace that is', async () => {
  await using nmi = await startNmi({ args: impatient });
  const good = identity('id', { clientID: 'good' }, 'elsewhere');
  await nmi.kube.put(assignedType, assigned(pod(), good));
  await nmi.kube.put(identitiesType, good);
  await nmi.kube.put(bindingsType, binding('b', {}, 'elsewhere'));
  // The controller leaves it out, as its resource id is malformed; its binding would come first.
  await nmi.kube.put(identitiesType, identity('id', { resourceID: 'malformed' }));
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(podsType, pod());
  await eventually('it is served', async () => (await nmi.token(ip)).status === 200);
  expect(await warm(nmi)).toBe('good');
});

test('an object id is answered for itself, after the pod has asked without an id too', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  await nmi.kube.put(identitiesType, identity('id2'));
  await nmi.kube.put(bindingsType, binding('b2', { azureIdentity: 'id2' }));
  await nmi.kube.put(assignedType, assigned(pod(), identity('id2')));
  expect(await warm(nmi)).toBe('client-id');
  expect(await warm(nmi, ip, { object_id: 'oid-client-id2' })).toBe('client-id2');
  expect(await warm(nmi, ip, { object_id: 'oid-client-id' })).toBe('client-id');
  expect((await nmi.token(ip, { object_id: 'oid-of-nobody' })).status).toBe(404);
  expect(await warm(nmi)).toBe('client-id');
});

test('a binding of higher rank that opens takes over, though nothing changes', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  const notBefore = new Date(Date.now() + 3000).toISOString();
  await nmi.kube.put(bindingsType, binding('a', { weight: 5, availability: { notBefore } }));
  expect(await warm(nmi)).toBe('client-id');
  const last = () => nmi.log.findLast(({ outcome }) => outcome === 'issued')?.['binding'];
  expect(last()).toBe('app/b');
  await eventually('it is given by the first binding', async () => {
    await nmi.token(ip);
    return last() === 'app/a';
  });
});
