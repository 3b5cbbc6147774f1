import { expect, test } from '@jest/globals';
import { clouds } from '../../runtime/azure/clouds.ts';
import {
  type CredentialDefinition,
  type CredentialSources,
  defineCredential,
} from '../../runtime/nmi/tokens/credential-definition.ts';
import { FakeAzure } from '../fakes/azure-server.ts';
import { eventually } from '../fakes/eventually.ts';
import {
  anyCredential,
  anyIdentity,
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  eventsOf,
  exceptionsType,
  identitiesType,
  identity,
  pod,
  podsType,
  resource,
  rid,
  secretsType,
  simple,
  startNmi,
} from './harness.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

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
  ['an unknown object_id', { object_id: 'somebody' }, 404],
  ['an unknown client_id', { client_id: 'somebody' }, 404],
  ['a client_id with the resource id of another', { client_id: 'client-id', msi_res_id: rid('other') }, 404],
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
  await eventually('refused', async () => (await nmi.token('127.0.0.5')).status === 404);
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
  await eventually('known', async () => (await nmi.token('127.0.0.6')).status === 404);
  // Upstream gave a pod without the label what a binding with an empty selector named.
  expect((await nmi.token('127.0.0.7')).status).toBe(404);
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

test('a service principal gets tokens at AAD with the secret, for each of its tenants', async () => {
  await using nmi = await startNmi();
  const spec = {
    type: 1,
    tenantID: 'tenant-1',
    auxiliaryTenantIDs: ['tenant-2'],
    clientPassword: { namespace: 'vaults', name: 's' },
  };
  await nmi.kube.put(secretsType, {
    metadata: { namespace: 'vaults', name: 's' },
    data: { clientSecret: base64('pw') },
  } as never);
  await simple(nmi, spec);
  const { status, json } = await nmi.token('127.0.0.5');
  expect(status).toBe(200);
  expect(json.map(({ access_token }: { access_token: string }) => claimsOf(access_token)['tid'])).toEqual([
    'tenant-1',
    'tenant-2',
  ]);
  const form = new URLSearchParams(nmi.aad.requests[0]?.body);
  expect(Object.fromEntries(form)).toEqual({
    client_id: 'client-id',
    client_secret: 'pw',
    grant_type: 'client_credentials',
    scope: `${resource}/.default`,
  });
});

test('credentials go to no authority that an identity made up', async () => {
  await using thief = await FakeAzure.start(anyCredential);
  await using nmi = await startNmi({ args: ['--authority-hosts=adfs.contoso.test'] });
  await nmi.kube.put(secretsType, {
    metadata: { namespace: 'vaults', name: 's' },
    data: { clientSecret: base64('pw') },
  } as never);
  const clientPassword = { namespace: 'vaults', name: 's' };
  await simple(nmi, { type: 1, tenantID: 't', clientPassword, adEndpoint: thief.url });
  const { status, body } = await nmi.token('127.0.0.5');
  expect(status).toBe(503);
  expect(body).toContain('an authority of Azure, or one of --authority-hosts');
  await nmi.kube.put(identitiesType, identity('id', { type: 3, tenantID: 't', adEndpoint: thief.url }));
  await eventually('the change arrived', async () => (await nmi.token('127.0.0.5')).status === 503);
  expect(thief.requests).toEqual([]);
  expect(nmi.kube.tokenRequests).toEqual([]);
});

test.each([
  'https://login.microsoftonline.us/',
  'https://LOGIN.partner.microsoftonline.cn',
  'https://adfs.contoso.test/',
])('an identity may name the authority %s', (adEndpoint) => {
  const sources = {
    entra: { cloud: clouds.AzurePublicCloud },
    authorityHosts: ['adfs.contoso.test'],
  } as unknown as CredentialSources;
  const spec = { type: 3, clientID: 'c', tenantID: 't', adEndpoint };
  const found = defineCredential(spec, 'app', { apiVersion: 'v1', kind: 'Pod', ...pod({ name: 'p' }) }, sources);
  const { principal } = found as CredentialDefinition;
  expect(JSON.parse(principal)[0]).toBe(adEndpoint.toLowerCase().replace(/\/$/, ''));
});

test("workload federation exchanges a token of the pod's own service account, bound to the pod", async () => {
  await using nmi = await startNmi();
  await simple(nmi, { type: 3, tenantID: 'tenant' });
  const { status } = await nmi.token('127.0.0.5');
  expect(status).toBe(200);
  const form = new URLSearchParams(nmi.aad.requests[0]?.body);
  expect(form.get('client_assertion')).toBe('sa-token-app-sa');
  expect(nmi.kube.tokenRequests).toEqual([
    {
      account: 'app/sa',
      body: expect.objectContaining({
        spec: {
          audiences: ['api://AzureADTokenExchange'],
          expirationSeconds: 3600,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: expect.any(String) },
        },
      }),
    },
  ]);
});

test('two service accounts never share a federated token', async () => {
  await using nmi = await startNmi();
  await simple(nmi, { type: 3, tenantID: 'tenant' });
  const other = pod({ name: 'q', ip: '127.0.0.6', serviceAccount: 'sa2' });
  await nmi.kube.put(podsType, other);
  await nmi.kube.put(assignedType, assigned(other, identity('id', { type: 3, tenantID: 'tenant' })));
  await nmi.token('127.0.0.5');
  await eventually('the second pod has a token', async () => (await nmi.token('127.0.0.6')).status === 200);
  const assertions = nmi.aad.requests.map(({ body }) => new URLSearchParams(body).get('client_assertion'));
  expect(assertions).toEqual(['sa-token-app-sa', 'sa-token-app-sa2']);
});

test('callers who wait for the same token share one request, and the cache answers the next', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { anyIdentity } = await import('./harness.ts');
  await using nmi = await startNmi({
    imds: async (request) => {
      await held;
      return anyIdentity(request);
    },
  });
  await simple(nmi);
  const waiting = Array.from({ length: 20 }, () => nmi.token('127.0.0.5'));
  await eventually('asked', () => nmi.imds.requests.length > 0);
  release();
  const tokens = (await Promise.all(waiting)).map(({ json }) => json.access_token);
  expect(new Set(tokens).size).toBe(1);
  await nmi.token('127.0.0.5');
  expect(nmi.imds.requests).toHaveLength(1);
  await nmi.token('127.0.0.5', { resource: 'https://management.azure.com/' });
  expect(nmi.imds.requests).toHaveLength(2);
});

test.each([
  [240, 2],
  [600, 1],
])(
  'of a token that lives %i s, two requests in a row make %i upstream: none near its end is given twice',
  async (lives, asked) => {
    await using nmi = await startNmi({
      imds: (request) => {
        const answer = anyIdentity(request);
        const expires_on = String(Math.floor(Date.now() / 1000) + lives);
        return { ...answer, body: { ...(answer.body as object), expires_in: String(lives), expires_on } };
      },
    });
    await simple(nmi);
    for (let i = 0; i < 2; i++) expect((await nmi.token('127.0.0.5')).status).toBe(200);
    expect(nmi.imds.requests).toHaveLength(asked);
  },
);

test('with the cache off every request is asked anew', async () => {
  await using nmi = await startNmi({ args: ['--token-cache=off'] });
  await simple(nmi);
  for (let i = 0; i < 3; i++) expect((await nmi.token('127.0.0.5')).status).toBe(200);
  expect(nmi.imds.requests).toHaveLength(3);
});

test('an identity may change its client id and its type under a running pod', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  await nmi.token('127.0.0.5');
  await nmi.kube.put(identitiesType, identity('id', { type: 3, tenantID: 'tenant', clientID: 'new' }));
  await eventually('the new client', async () => {
    const { json } = await nmi.token('127.0.0.5');
    return claimsOf(json.access_token)['appid'] === 'new';
  });
});

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

const namespaced = { 'aadpodidentity.k8s.io/Behavior': 'namespaced' };
const failed = { conditions: [{ type: 'Ready', status: 'False', reason: 'InvalidResourceID' }] };
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
])('with %s the answer says why, and names no object', async (_, bindings, identities, query, reason) => {
  await using nmi = await startNmi({ args: ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'] });
  for (const each of bindings) await nmi.kube.put(bindingsType, each as ReturnType<typeof binding>);
  for (const each of identities) await nmi.kube.put(identitiesType, each as ReturnType<typeof identity>);
  await nmi.kube.put(podsType, pod());
  await eventually('it is known', async () => (await nmi.token('127.0.0.5', query)).body.includes(reason));
  const { status, body } = await nmi.token('127.0.0.5', query);
  expect(status).toBe(404);
  expect(body.slice(body.indexOf('Reason'))).not.toMatch(/other|\bid\/|userAssignedIdentities/);
});

test('a pod without the label is told so', async () => {
  await using nmi = await startNmi();
  await nmi.kube.put(podsType, pod({ label: '' }));
  await eventually('it is known', async () => (await nmi.token('127.0.0.5')).status === 404);
  expect((await nmi.token('127.0.0.5')).body).toContain('the pod has no label aadpodidbinding');
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
  const told = eventsOf(nmi).filter(({ reason }) => reason === 'TokenIssued');
  expect(told.map(({ related }) => related.name).sort()).toEqual([...names].sort());
  expect(told.filter(({ note }) => note.startsWith('(combined'))).toEqual([]);
});

test('a refusal is on record too', async () => {
  await using nmi = await startNmi({
    imds: () => ({ status: 400, body: { error: 'invalid_request', error_description: 'Identity not found' } }),
  });
  await simple(nmi);
  const answer = await nmi.token('127.0.0.5');
  expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/plain; charset=utf-8']);
  expect(answer.body).toMatch(/^failed to get service principal token, error: .*Identity not found.*\n$/);
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
