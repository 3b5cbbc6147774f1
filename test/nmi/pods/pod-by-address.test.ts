import { expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  type Harness,
  identitiesType,
  identity,
  type PodOptions,
  pod,
  podsType,
  startNmi,
} from '../harness.ts';

/** Adds a pod with an identity of its own name. */
async function add(nmi: Harness, options: PodOptions & { name: string }): Promise<void> {
  const { name } = options;
  const made = pod({ label: name, ...options });
  await nmi.kube.put(identitiesType, identity(name));
  await nmi.kube.put(bindingsType, binding(name, { azureIdentity: name, selector: name }));
  await nmi.kube.put(assignedType, assigned(made, identity(name)));
  await nmi.kube.put(podsType, made);
}

async function who(nmi: Harness, from: string): Promise<string | number> {
  const { status, json } = await nmi.token(from);
  return status === 200 ? String(claimsOf(json.access_token)['appid']) : status;
}

const becomes = (nmi: Harness, from: string, expected: string | number) =>
  eventually(`${from} is ${expected}`, async () => (await who(nmi, from)) === expected);

test('each source address is the pod that has it', async () => {
  await using nmi = await startNmi();
  await add(nmi, { name: 'a', ip: '127.0.0.5' });
  await add(nmi, { name: 'b', ip: '127.0.0.6' });
  await becomes(nmi, '127.0.0.5', 'client-a');
  await becomes(nmi, '127.0.0.6', 'client-b');
  expect(await who(nmi, '127.0.0.7')).toBe(500);
});

test('a pod on the host network is not found by address: the address is the node', async () => {
  await using nmi = await startNmi();
  await add(nmi, { name: 'host', ip: '127.0.0.5', hostNetwork: true });
  await add(nmi, { name: 'b', ip: '127.0.0.6' });
  await becomes(nmi, '127.0.0.6', 'client-b');
  expect(await who(nmi, '127.0.0.5')).toBe(500);
  // There is no pod to tell it of, so the log says where the request came from.
  expect(nmi.log).toContainEqual(
    expect.objectContaining({ msg: 'a request failed', address: '127.0.0.5', error: 'pod list is empty' }),
  );
});

test('an address of the node belongs to no pod, whatever a pod claims', async () => {
  await using nmi = await startNmi({ args: ['--host-ip=127.0.0.5'] });
  await add(nmi, { name: 'a', ip: '127.0.0.5' });
  await add(nmi, { name: 'b', ip: '127.0.0.6' });
  await becomes(nmi, '127.0.0.6', 'client-b');
  expect(await who(nmi, '127.0.0.5')).toBe(500);
});

test('two running pods with one address cannot be distinguished, so neither gets a token', async () => {
  await using nmi = await startNmi();
  await add(nmi, { name: 'a' });
  await becomes(nmi, '127.0.0.5', 'client-a');
  await add(nmi, { name: 'b' });
  await becomes(nmi, '127.0.0.5', 500);
  expect((await nmi.token('127.0.0.5')).text).toBe('failed to match pod IP 127.0.0.5 with 2 pods');
});

test('an address that was given on belongs to the new pod: after the end of the old, and while it ends', async () => {
  await using nmi = await startNmi();
  await add(nmi, { name: 'old' });
  await becomes(nmi, '127.0.0.5', 'client-old');
  await add(nmi, { name: 'old', phase: 'Succeeded' });
  await add(nmi, { name: 'new' });
  await becomes(nmi, '127.0.0.5', 'client-new');
  await add(nmi, { name: 'old', deleting: new Date(Date.now() + 30_000) });
  await eventually('the old pod is seen', () => nmi.kube.all(podsType).length === 2);
  for (let i = 0; i < 5; i++) expect(await who(nmi, '127.0.0.5')).toBe('client-new');
});

test('a pod that is ending gets tokens while something in it runs, and not after its grace', async () => {
  await using nmi = await startNmi();
  await add(nmi, { name: 'a', deleting: new Date(Date.now() + 30_000) });
  await becomes(nmi, '127.0.0.5', 'client-a');
  await add(nmi, { name: 'a', deleting: new Date(Date.now() + 30_000), running: false });
  await becomes(nmi, '127.0.0.5', 500);
  await add(nmi, { name: 'a', deleting: new Date(Date.now() - 1000), running: true });
  expect(await who(nmi, '127.0.0.5')).toBe(500);
});

test('a pod whose address comes a little late is waited for', async () => {
  await using nmi = await startNmi();
  await add(nmi, { name: 'a', ip: '' });
  await add(nmi, { name: 'b', ip: '127.0.0.6' });
  await becomes(nmi, '127.0.0.6', 'client-b');
  const answer = nmi.token('127.0.0.5');
  await eventually('it waits', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 1'));
  await add(nmi, { name: 'a', ip: '127.0.0.5' });
  expect((await answer).status).toBe(200);
});

test('a pod with addresses of both families is found by each, and by its IPv4 address mapped into IPv6', async () => {
  await using nmi = await startNmi({ args: ['--nmi-listen-address=::'] });
  const { kube } = nmi;
  await add(nmi, { name: 'dual', ip: '127.0.0.5' });
  const both = pod({ name: 'dual', label: 'dual' });
  await kube.put(podsType, { ...both, status: { ...both.status, podIPs: [{ ip: '127.0.0.5' }, { ip: '0:0::0:1' }] } });
  // A socket that listens on :: sees IPv4 callers as ::ffff:127.0.0.5.
  await becomes(nmi, '127.0.0.5', 'client-dual');
  const headers = { Metadata: 'true' };
  const overSix = await fetch(`http://[::1]:${nmi.port}/metadata/identity/oauth2/token?resource=r`, { headers });
  expect(overSix.status).toBe(200);
});

test('a pod that has an IPv6 address only is found by it, however its status spells it', async () => {
  await using nmi = await startNmi({ args: ['--nmi-listen-address=::1'] });
  await add(nmi, { name: 'six', ip: '0:0:0::1' });
  const ask = async () => {
    const url = `http://[::1]:${nmi.port}/metadata/identity/oauth2/token?resource=r`;
    const answer = await fetch(url, { headers: { Metadata: 'true' } });
    return answer.status === 200 && claimsOf(((await answer.json()) as { access_token: string }).access_token)['appid'];
  };
  await eventually('it is known', async () => (await ask()) === 'client-six');
  const made = pod({ name: 'six', label: 'six' });
  const podIPs = [{ ip: '0000:0000:0000:0000:0000:0000:0000:0001' }];
  await nmi.kube.put(podsType, { ...made, status: { phase: 'Running', podIPs } });
  await eventually('and without status.podIP', async () => (await ask()) === 'client-six');
});

test('a request that was forwarded is refused, as the metadata endpoint does', async () => {
  await using nmi = await startNmi();
  await add(nmi, { name: 'a' });
  await becomes(nmi, '127.0.0.5', 'client-a');
  const headers = { metadata: 'true', 'x-forwarded-for': '127.0.0.6' };
  for (const path of ['/metadata/identity/oauth2/token?resource=r', '/metadata/instance', '/host/token']) {
    expect((await nmi.ask(path, { from: '127.0.0.5', headers })).status).toBe(400);
  }
});
