import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { nmiConfig } from '../../../runtime/nmi/config/config.ts';
import { eventually } from '../../fakes/eventually.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  exceptionsType,
  identitiesType,
  identity,
  pod,
  podsType,
  resource,
  rid,
  simple,
  startNmi,
} from '../harness.ts';

const namespaced = { 'aadpodidentity.k8s.io/Behavior': 'namespaced' };

const failed = { conditions: [{ type: 'Ready', status: 'False', reason: 'InvalidResourceID' }] };

test('a pod gets a token of its identity, in the shape and order that upstream answers', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  const answer = await nmi.token('127.0.0.5');
  expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(Object.keys(answer.json)).toEqual([
    'access_token',
    'refresh_token',
    'expires_in',
    'expires_on',
    'not_before',
    'resource',
    'token_type',
  ]);
  expect(new Set(Object.values(answer.json).map((value) => typeof value))).toEqual(new Set(['string']));
  expect(answer.json).toMatchObject({ refresh_token: '', resource, token_type: 'Bearer', not_before: '1700000000' });
  expect(claimsOf(answer.json.access_token)).toMatchObject({ appid: 'client-id', aud: resource });
  const [asked] = nmi.imds.requests;
  expect(asked?.headers['metadata']).toBe('true');
  expect(Object.fromEntries(new URL(asked?.url ?? '', 'http://i').searchParams)).toEqual({
    'api-version': '2018-02-01',
    client_id: 'client-id',
    resource,
  });
});

test.each([
  ['client_id in another case', { client_id: 'CLIENT-ID' }, 200],
  ['msi_res_id in another case', { msi_res_id: rid('ID') }, 200],
  ['mi_res_id', { mi_res_id: rid('id') }, 200],
  ['object_id', { object_id: 'OID-client-id' }, 200],
  ['an unknown object_id', { object_id: 'somebody' }, 400],
  ['an unknown client_id', { client_id: 'somebody' }, 400],
  ['a client_id with the resource id of another', { client_id: 'client-id', msi_res_id: rid('other') }, 400],
])('the identity is found by %s', async (_, query, status) => {
  await using nmi = await startNmi({ args: ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'] });
  await simple(nmi);
  expect((await nmi.token('127.0.0.5', query as unknown as Record<string, string>)).status).toBe(status);
});

test('of several identities the binding with the highest weight decides when nothing is asked for', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  await nmi.kube.put(identitiesType, identity('heavy'));
  await nmi.kube.put(assignedType, assigned(pod(), identity('heavy')));
  await nmi.kube.put(bindingsType, binding('z', { azureIdentity: 'heavy', weight: 1 }));
  await eventually('the heavier binding is seen', async () => {
    const { json } = await nmi.token('127.0.0.5');
    return claimsOf(json.access_token)['appid'] === 'client-heavy';
  });
  const chosen = await nmi.token('127.0.0.5', { client_id: 'client-id' });
  expect(claimsOf(chosen.json.access_token)['appid']).toBe('client-id');
});

test('a request that comes before the assignment waits for it, and is answered as soon as it is there', async () => {
  await using nmi = await startNmi();
  await nmi.kube.put(podsType, pod());
  const answer = nmi.token('127.0.0.5');
  await eventually('the request waits', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 1'));
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(assignedType, assigned(pod(), identity(), 'Created'));
  expect(await nmi.metrics()).toContain('azimuth_nmi_waiting_requests 1');
  await nmi.kube.put(assignedType, assigned(pod(), identity(), 'Assigned'));
  expect((await answer).status).toBe(200);
  expect(await nmi.metrics()).toContain('azimuth_nmi_waiting_requests 0');
});

test('a caller that leaves while it waits is forgotten', async () => {
  await using nmi = await startNmi();
  await nmi.kube.put(podsType, pod());
  const leave = new AbortController();
  const answer = nmi.token('127.0.0.5', {}, { signal: leave.signal, headers: { metadata: 'true' } });
  await eventually('the request waits', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 1'));
  leave.abort();
  await expect(answer).rejects.toThrow();
  await eventually('nobody waits', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 0'));
});

test('deleting the binding takes the identity away at once, though it is still assigned', async () => {
  await using nmi = await startNmi({ args: ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'] });
  await simple(nmi);
  expect((await nmi.token('127.0.0.5')).status).toBe(200);
  await nmi.kube.delete(bindingsType, { namespace: 'app', name: 'b' });
  await eventually('refused', async () => (await nmi.token('127.0.0.5')).status === 400);
});

test('in managed mode the bindings of the own namespace decide, without an assignment', async () => {
  const args = ['--operation-mode=Managed', '--forceNamespaced', '--find-identity-retry-interval=0'];
  await using nmi = await startNmi({ args });
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(podsType, pod());
  await nmi.kube.put(podsType, pod({ namespace: 'other', name: 'q', ip: '127.0.0.6' }));
  await nmi.kube.put(podsType, pod({ name: 'unlabelled', ip: '127.0.0.7', label: '' }));
  await nmi.kube.put(bindingsType, binding('open', { selector: '' }));
  await eventually('a token', async () => (await nmi.token('127.0.0.5')).status === 200);
  await eventually('known', async () => (await nmi.token('127.0.0.6')).status === 400);
  // Upstream gave a pod without the label what a binding with an empty selector named.
  expect((await nmi.token('127.0.0.7')).status).toBe(400);
});

test('an excepted pod gets what the machine would get, by any of the ids', async () => {
  await using nmi = await startNmi();
  await nmi.kube.put(exceptionsType, {
    metadata: { namespace: 'app', name: 'e' },
    spec: { podLabels: { app: 'CSI' } },
  } as never);
  await nmi.kube.put(podsType, pod({ label: '', labels: { app: 'csi' } }));
  const system = await nmi.token('127.0.0.5');
  expect(claimsOf(system.json.access_token)['appid']).toBe('system');
  const own = await nmi.token('127.0.0.5', { msi_res_id: rid('x') });
  expect(claimsOf(own.json.access_token)['appid']).toBe('client-x');
});

test('a pod of an excepted account gets what the machine would get, whatever its labels', async () => {
  await using nmi = await startNmi({ args: ['--excepted-accounts=azimuth-system/*azimuth-identity*,other/web'] });
  const own = { namespace: 'azimuth-system', label: '' };
  await nmi.kube.put(podsType, pod({ ...own, serviceAccount: 'azimuth-identity' }));
  await nmi.kube.put(
    podsType,
    pod({ ...own, name: 'renamed', ip: '127.0.0.6', serviceAccount: 'dev-azimuth-identity-v2' }),
  );
  for (const address of ['127.0.0.5', '127.0.0.6']) {
    expect(claimsOf((await nmi.token(address)).json.access_token)['appid']).toBe('system');
  }
});

test('the labels, names and accounts of an excepted program except no pod of another namespace or account', async () => {
  const args = ['--excepted-accounts=azimuth-system/azimuth-identity', '--find-identity-retry-interval=0'];
  await using nmi = await startNmi({ args });
  const labels = { 'app.kubernetes.io/part-of': 'azimuth', 'app.kubernetes.io/component': 'identity' };
  const copies = [
    { namespace: 'app', serviceAccount: 'azimuth-identity' },
    { namespace: 'azimuth-system2', serviceAccount: 'azimuth-identity' },
    { namespace: 'azimuth-system', serviceAccount: 'default' },
    { namespace: 'azimuth-system', serviceAccount: 'azimuth-identity2' },
    { namespace: 'azimuth-system', serviceAccount: 'azimuth-system/azimuth-identity' },
  ];
  for (const [index, copy] of copies.entries()) {
    const ip = `127.0.1.${index + 1}`;
    await nmi.kube.put(podsType, pod({ ...copy, name: 'azimuth-identity-1', ip, label: '', labels }));
    expect([copy, (await nmi.token(ip)).status]).toEqual([copy, 400]);
  }
  expect(nmi.imds.requests).toEqual([]);
});

test.each([['azimuth-identity'], ['*/azimuth-identity'], ['azimuth-system/'], ['azimuth-system/[a-z]+']])(
  'the account %s is refused at start',
  (account) => {
    expect(() => nmiConfig(['--node=n1', `--excepted-accounts=${account}`], {})).toThrow(/excepted-accounts.*such as/);
  },
);

test.each<[string, object[], object[], Record<string, string>, string]>([
  ['no binding', [], [], {}, 'no AzureIdentityBinding selects the label aadpodidbinding of the pod'],
  ['a binding to nothing', [binding()], [], {}, 'the binding names no AzureIdentity of its namespace'],
  [
    'a namespaced identity of another namespace',
    [binding('b', {}, 'other')],
    [{ metadata: { ...identity('id', {}, 'other').metadata, annotations: namespaced }, spec: identity().spec }],
    {},
    'the AzureIdentity serves pods of its own namespace only',
  ],
  [
    'another id',
    [binding()],
    [identity()],
    { client_id: 'x' },
    'no AzureIdentity of the pod has the id of the request',
  ],
  ['a malformed one', [binding()], [{ ...identity(), status: failed }], {}, 'cannot be used (InvalidResourceID)'],
  ['one that is not assigned', [binding()], [identity()], {}, 'it is not assigned on this node yet'],
])('with %s the answer has the reason, and names no object', async (_, bindings, identities, query, reason) => {
  await using nmi = await startNmi({ args: ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'] });
  for (const each of bindings) await nmi.kube.put(bindingsType, each as ReturnType<typeof binding>);
  for (const each of identities) await nmi.kube.put(identitiesType, each as ReturnType<typeof identity>);
  await nmi.kube.put(podsType, pod());
  await eventually('it is known', async () => (await nmi.token('127.0.0.5', query)).body.includes(reason));
  const { status, text } = await nmi.token('127.0.0.5', query);
  expect(status).toBe(400);
  expect(text.slice(text.indexOf('identity found'))).not.toMatch(/other|\bid\/|userAssignedIdentities/);
});

test('a pod without the label gets an error that names the label', async () => {
  await using nmi = await startNmi();
  await nmi.kube.put(podsType, pod({ label: '' }));
  await eventually('it is known', async () => (await nmi.token('127.0.0.5')).status === 400);
  expect((await nmi.token('127.0.0.5')).body).toContain('the pod has no label aadpodidbinding');
});

test.each([
  ['400', 400],
  ['404', 404],
])('--no-identity-status=%s decides the status for pods; callers on the node get 404', async (flag, status) => {
  await using nmi = await startNmi({ args: [`--no-identity-status=${flag}`] });
  await nmi.kube.put(podsType, pod({ label: '' }));
  await eventually('it is known', async () => (await nmi.token('127.0.0.5')).status === status);
  const headers = { podns: 'app', podname: 'p' };
  expect(await nmi.ask('/host/token/?resource=r', { headers, socketPath: nmi.hostSocket })).toMatchObject({
    status: 404,
  });
  expect(nmi.log).toContainEqual(expect.objectContaining({ outcome: 'refused', reason: 'NoIdentity', status }));
});

test('a client id that no binding names is refused after one interval; one that a binding names waits on', async () => {
  const clock = new ManualClock(Date.now());
  await using nmi = await startNmi({ clock });
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(podsType, pod());
  const answered: Record<string, number> = {};
  const asked = ['client-id', 'of-nobody'].map(async (client_id) => {
    const { status } = await nmi.token('127.0.0.5', { client_id });
    answered[client_id] = status;
  });
  await eventually('both wait', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 2'));
  await clock.advance(5001);
  await eventually('one is refused', () => answered['of-nobody'] === 400);
  expect(answered['client-id']).toBeUndefined();
  await nmi.kube.put(assignedType, assigned(pod(), identity()));
  await Promise.all(asked);
  expect(answered['client-id']).toBe(200);
});
