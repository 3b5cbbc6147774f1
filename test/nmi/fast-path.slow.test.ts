/** Answers of the fast path: each rule that holds for other answers must hold for them. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import {
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
  simple,
  startNmi,
} from './harness.ts';

const impatient = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];

const ip = '127.0.0.5';

const path = `/metadata/identity/oauth2/token?resource=${encodeURIComponent(resource)}`;

/** Asks until the answer comes without a request to IMDS or a Secret; returns whose token it is. */
async function warm(nmi: Harness, from = ip, query = {}): Promise<string> {
  await nmi.token(from, query);
  const { json } = await nmi.token(from, query);
  return String(claimsOf(json.access_token)['appid']);
}

test('a binding that is deleted, changes or closes ends the cached answers', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(bindingsType, binding('b', { selector: 'other' }));
  expect((await nmi.token(ip)).status).toBe(400);
  await nmi.kube.put(bindingsType, binding('b'));
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(bindingsType, binding('b', { availability: { notAfter: '2020-01-01T00:00:00Z' } }));
  expect((await nmi.token(ip)).status).toBe(403);
  await nmi.kube.put(bindingsType, binding('b'));
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.delete(bindingsType, { namespace: 'app', name: 'b' });
  expect((await nmi.token(ip)).status).toBe(400);
});

test('a deleted assignment and a new exception count at once', async () => {
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
  expect((await nmi.token(ip)).status).toBe(400);
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

test('a caller with an address of the node gets no cached answer, though a pod claims the address', async () => {
  await using nmi = await startNmi({ args: [...impatient, '--host-ip=127.0.0.9'] });
  await simple(nmi);
  const claims = pod({ name: 'q', ip: '127.0.0.9' });
  await nmi.kube.put(assignedType, assigned(claims, identity()));
  await nmi.kube.put(podsType, claims);
  expect(await warm(nmi)).toBe('client-id');
  expect((await nmi.token('127.0.0.9')).status).toBe(500);
});

test('a terminating pod gets no cached answer after its grace period, though no object changes', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  await nmi.kube.put(podsType, pod({ deleting: new Date(Date.now() + 4000), running: true }));
  expect(await warm(nmi)).toBe('client-id');
  await eventually('it is refused', async () => (await nmi.token(ip)).status === 500);
});

test('ids are distinguished whatever characters they have', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi, { clientID: 'a', resourceID: 'x b' });
  expect(await warm(nmi, ip, { client_id: 'a', msi_res_id: 'x b' })).toBe('a');
  expect((await nmi.token(ip, { client_id: 'a x', msi_res_id: 'b' })).status).toBe(400);
  expect((await nmi.token(ip, { client_id: 'a x b' })).status).toBe(400);
  expect(await warm(nmi, ip, { msi_res_id: 'x b' })).toBe('a');
  expect((await nmi.token(ip, { msi_res_id: 'c' })).status).toBe(400);
});

test('header rules hold for a cached answer', async () => {
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

test('a caller that half-closes after its request still gets the answer', async () => {
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

test('a token whose audit line cannot be written is not issued', async () => {
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
  expect([answer.status, answer.text]).toEqual([500, 'internal error']);
  const headers = { podns: 'app', podname: 'p' };
  const ofHost = () => nmi.ask('/host/token/?resource=r', { headers, socketPath: nmi.hostSocket });
  expect((await ofHost()).status).toBe(500);
  full = false;
  expect((await nmi.token(ip)).status).toBe(200);
  expect((await ofHost()).status).toBe(200);
});
