/** The paths that Azure documents below /metadata/identity, and those that only its own components use. */
import { expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { anyIdentity, exceptionsType, fakeToken, pod, podsType, secretsType, simple, startNmi } from '../harness.ts';

const from = '127.0.0.5';
const headers = { metadata: 'true' };
const info = '/metadata/identity/info?api-version=2021-02-01';
const tenantId = '1f3e5a6b-7c8d-4e9f-a0b1-c2d3e4f5a6b7';

/** A metadata endpoint whose tokens have a tenant, and whose own identity has another one. */
function machine(request: Parameters<typeof anyIdentity>[0]) {
  if (request.url.includes('/metadata/identity/info')) return { body: { tenantId: 'of the machine' } };
  const answer = anyIdentity(request);
  return { body: { ...(answer.body as object), access_token: fakeToken({ tid: tenantId }) } };
}

test('identity/info has the tenant of the identity that the pod uses, and asks the machine for no other', async () => {
  await using nmi = await startNmi({ imds: machine });
  await simple(nmi);
  const answer = await nmi.ask(info, { from, headers });
  expect([answer.status, answer.json]).toEqual([200, { tenantId }]);
  expect(nmi.imds.requests.map(({ url }) => url)).toEqual([
    expect.stringContaining('/metadata/identity/oauth2/token?'),
  ]);
});

test('identity/info has the tenant of a service principal, without a request to Entra', async () => {
  await using nmi = await startNmi({ imds: machine });
  await nmi.kube.put(secretsType, {
    metadata: { namespace: 'app', name: 's' },
    data: { clientSecret: 'cHc=' },
  } as never);
  await simple(nmi, { type: 1, tenantID: tenantId, clientPassword: { namespace: 'app', name: 's' } });
  expect((await nmi.ask(info, { from, headers })).json).toEqual({ tenantId });
  expect([...nmi.aad.requests, ...nmi.imds.requests]).toEqual([]);
});

test('identity/info gives a pod without an identity nothing, whatever --metadata-paths has', async () => {
  await using nmi = await startNmi({
    imds: machine,
    args: ['--metadata-paths=GET /metadata/*,GET /metadata/identity/*'],
  });
  await nmi.kube.put(podsType, pod({ label: '' }));
  await eventually('it is known', async () => (await nmi.ask(info, { from, headers })).status === 400);
  expect((await nmi.ask(info, { from, headers })).json.error).toBe('invalid_request');
  for (const path of [
    '/metadata/Identity/info',
    '/metadata/identity%2Finfo',
    '/metadata/identity/info/',
    '/metadata/identity',
  ])
    expect([path, [400, 404].includes((await nmi.ask(path, { from, headers })).status)]).toEqual([path, true]);
  expect(nmi.imds.requests).toEqual([]);
});

test('identity/info of an excepted pod is that of the machine', async () => {
  await using nmi = await startNmi({ imds: machine });
  const spec = { podLabels: { app: 'csi' } };
  await nmi.kube.put(exceptionsType, { metadata: { namespace: 'app', name: 'e' }, spec } as never);
  await nmi.kube.put(podsType, pod({ label: '', labels: { app: 'csi' } }));
  expect((await nmi.ask(info, { from, headers })).json).toEqual({ tenantId: 'of the machine' });
});

test.each([
  ['GET', '/metadata/identity/getplatformmetadata?cred-api-version=2.0'],
  ['POST', '/metadata/identity/issuecredential?cred-api-version=2.0'],
])(
  '%s %s does not exist, with and without the header, as on hosts without the second version',
  async (method, path) => {
    await using nmi = await startNmi({ imds: machine });
    await simple(nmi);
    for (const sent of [{}, headers]) {
      const answer = await nmi.ask(path, { from, method, headers: sent });
      expect([answer.status, answer.json.error]).toEqual([404, 'not_found']);
    }
    expect(nmi.imds.requests).toEqual([]);
  },
);
