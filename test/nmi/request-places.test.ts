import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import {
  anyCredential,
  anyIdentity,
  assigned,
  assignedType,
  type Harness,
  holding,
  identity,
  pod,
  podsType,
  secretsType,
  simple,
  startNmi,
} from './harness.ts';

const soon = () => ({ signal: AbortSignal.timeout(10_000) });
const greedyPods = [6, 7, 8].map((last) => ({ name: `greedy-${last}`, ip: `127.0.0.${last}` }));

/** A pod of `app`, and three of the namespace `greedy` with the same identity. */
async function neighbours(nmi: Harness, spec: object = {}): Promise<void> {
  const clientPassword = { namespace: 'app', name: 's' };
  const data = { clientSecret: Buffer.from('pw').toString('base64') };
  await nmi.kube.put(secretsType, { metadata: { namespace: 'app', name: 's' }, data } as never);
  await simple(nmi, { tenantID: 'tenant', clientPassword, ...spec });
  for (const { name, ip } of greedyPods) {
    const each = pod({ namespace: 'greedy', name, ip });
    await nmi.kube.put(podsType, each);
    await nmi.kube.put(assignedType, assigned(each, identity('id', { tenantID: 'tenant', clientPassword, ...spec })));
  }
  for (const ip of ['127.0.0.5', ...greedyPods.map((each) => each.ip)])
    await eventually('served', async () => (await nmi.token(ip)).status === 200);
}

test.each([
  ['the metadata endpoint', 0],
  ['Entra', 1],
])('a namespace that waits for many tokens of %s keeps no neighbour from a token', async (_, type) => {
  const service = holding('late', type === 0 ? anyIdentity : anyCredential);
  await using nmi = await startNmi({ [type === 0 ? 'imds' : 'aad']: service.serve });
  using _held = service;
  await neighbours(nmi, { type });
  const { requests } = type === 0 ? nmi.imds : nmi.aad;
  const waiting = greedyPods.flatMap(({ ip }) =>
    Array.from({ length: 12 }, (_, at) => nmi.token(ip, { resource: `https://late-${ip}-${at}` })),
  );
  await eventually('sixteen are under way', () => requests.filter(service.held).length === 16);
  expect((await nmi.token('127.0.0.5', { resource: 'https://other.test' }, soon())).status).toBe(200);
  expect(requests.filter(service.held)).toHaveLength(16);
  service.release();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('a pod whose forwarded requests take long keeps no neighbour from a token or an answer', async () => {
  const service = holding('scheduledevents', anyIdentity);
  await using nmi = await startNmi({ imds: service.serve });
  using _held = service;
  await neighbours(nmi);
  const headers = { metadata: 'true' };
  const events = '/metadata/scheduledevents?api-version=2020-07-01';
  const waiting = Array.from({ length: 50 }, () => nmi.ask(events, { from: '127.0.0.6', headers }));
  await eventually('sixteen are under way', () => nmi.imds.requests.filter(service.held).length === 16);
  expect((await nmi.token('127.0.0.5', { resource: 'https://other.test' }, soon())).status).toBe(200);
  expect((await nmi.token('127.0.0.6', { resource: 'https://another.test' }, soon())).status).toBe(200);
  expect((await nmi.ask('/metadata/versions', { from: '127.0.0.5', headers, ...soon() })).status).toBe(200);
  service.release();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});
