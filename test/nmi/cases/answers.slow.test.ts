/** The cases of the facts about answers and metrics of the running daemon. */
import { expect, test } from '@jest/globals';
import { nmiMetricTable } from '../../../runtime/nmi/nmi-metrics.ts';
import { eventually } from '../../fakes/eventually.ts';
import { anyIdentity, pod, podsType, simple, startNmi } from '../harness.ts';

const impatient = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];

test.each([
  ['no header', {}, 400],
  ['false', { metadata: 'false' }, 400],
])('metadata_header: with %s on the token path', async (_, headers, status) => {
  await using nmi = await startNmi({ args: impatient });
  await nmi.kube.put(podsType, pod({ label: '' }));
  for (const path of ['/metadata/identity/oauth2/token?resource=r', '/metadata/identity/info', '/metadata/other']) {
    const answer = await nmi.ask(path, { from: '127.0.0.5', headers: headers as Record<string, string> });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toBe(
      '{"error":"invalid_request","error_description":"Required metadata header not specified"}\n',
    );
  }
});

// Upstream compared the case too; the metadata endpoint and its SDKs do not.
test.each(['true', 'True', 'TRUE'])(
  'metadata_header: %s is the header, also for the cached answer',
  async (metadata) => {
    await using nmi = await startNmi();
    await simple(nmi);
    for (let count = 0; count < 2; count++) {
      expect((await nmi.token('127.0.0.5', {}, { headers: { metadata } })).status).toBe(200);
    }
    expect(nmi.imds.requests).toHaveLength(1);
  },
);

test('metadata_header: without the requirement the header may be missing', async () => {
  await using nmi = await startNmi({ args: ['--metadata-header-required=false'] });
  await simple(nmi);
  expect((await nmi.token('127.0.0.5', {}, { headers: {} })).status).toBe(200);
});

test('msi_handler_outcomes and blocked_and_invalid: statuses and bodies, in the order of evaluation', async () => {
  await using nmi = await startNmi({ args: [...impatient, '--block-instance-metadata'] });
  await nmi.kube.put(podsType, pod());
  await nmi.kube.put(podsType, pod({ name: 'twin1', ip: '127.0.0.9' }));
  await nmi.kube.put(podsType, pod({ name: 'twin2', ip: '127.0.0.9' }));
  await eventually('the pods are known', async () => (await nmi.token('127.0.0.5')).status === 400);
  const json = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' };
  const headers = { metadata: 'true' };
  const cases: [string, string, Record<string, string>, number, string | RegExp][] = [
    ['/metadata/identity/oauth2/token', '127.0.0.8', headers, 400, 'parameter resource cannot be empty'],
    ['/metadata/identity/oauth2/token?resource=r', '127.0.0.8', headers, 500, 'pod list is empty'],
    [
      '/metadata/identity/oauth2/token?resource=r',
      '127.0.0.9',
      headers,
      500,
      /^failed to match pod IP 127.0.0.9 with /,
    ],
    [
      '/metadata/identity/oauth2/token?resource=r',
      '127.0.0.5',
      headers,
      400,
      /^no azure identity found for request clientID : no AzureIdentityBinding selects /,
    ],
    ['/metadata/instance', '127.0.0.5', {}, 403, 'Request blocked by AAD Pod Identity NMI'],
    ['/metadata/identity\\oauth2/token/', '127.0.0.5', {}, 400, 'Invalid request'],
  ];
  for (const [path, from, sent, status, body] of cases) {
    const answer = await nmi.ask(path, { from, headers: sent });
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.text).toEqual(typeof body === 'string' ? body : expect.stringMatching(body));
    expect(answer.headers).toMatchObject(json);
  }
});

test('host_handler_outcomes: statuses and bodies, in the order of evaluation', async () => {
  let status = 200;
  await using nmi = await startNmi({
    imds: (request) => (status === 200 ? anyIdentity(request) : { status, body: { error: 'invalid_request' } }),
    args: ['--token-cache=off'],
  });
  const volumes = { vaults: ['contoso'], objects: ['secret/web-*'] };
  await simple(nmi, {}, { volumes });
  const named = { podns: 'app', podname: 'p' };
  const ask = (path: string, headers: Record<string, string>) => nmi.ask(path, { headers, socketPath: nmi.hostSocket });
  const text = "missing 'podname' and 'podns' from request header";
  expect(await ask('/host/token/?resource=r', { podns: 'app' })).toMatchObject({ status: 400, text });
  expect(await ask('/host/token/', named)).toMatchObject({ status: 400, text: 'parameter resource cannot be empty' });
  expect(await ask('/host/token/?resource=r', { ...named, podname: 'q' })).toMatchObject({ status: 404 });
  // An addition: a pod that was made anew under its name is another one.
  const { uid = '' } = nmi.kube.all(podsType)[0]?.metadata ?? {};
  expect(await ask('/host/token/?resource=r', { ...named, poduid: 'of-before' })).toMatchObject({ status: 404 });
  expect(await ask('/host/token/?resource=r', { ...named, poduid: uid })).toMatchObject({ status: 200 });
  const answer = await ask('/host/token/?resource=r', named);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ token: { refresh_token: '', token_type: 'Bearer' }, clientid: 'client-id' });
  const { binding, ...upstreams } = answer.json;
  expect(Object.keys(upstreams)).toEqual(['token', 'clientid']);
  expect(binding).toEqual({ namespace: 'app', name: 'b', uid: expect.any(String), volumes });
  status = 400;
  expect(await ask('/host/token/?resource=r', named)).toMatchObject({ status: 403 });
});

test('host_handler_outcomes: callers of the old kind are admitted by a flag', async () => {
  await using nmi = await startNmi({ args: ['--allow-unauthenticated-host-callers'] });
  await simple(nmi);
  const headers = { podns: 'app', podname: 'p' };
  expect((await nmi.ask('/host/token?resource=r', { headers })).status).toBe(200);
});

test('is_mic_shortcut: no pod is excepted for the name of its ReplicaSet, in whatever namespace', async () => {
  await using nmi = await startNmi({ args: impatient });
  await nmi.kube.put(podsType, pod({ namespace: 'default', name: 'mic-774f7ccc4-abcde', label: '' }));
  const answer = await nmi.token('127.0.0.5');
  expect(answer.status).toBe(400);
  expect(nmi.imds.requests).toEqual([]);
});

test('metrics: upstream names and labels, with a limit on the values that callers choose', async () => {
  await using nmi = await startNmi();
  expect(nmiMetricTable.aadpodidentity_nmi_operations_duration_seconds.labelNames).toEqual([
    'operation_type',
    'status_code',
    'namespace',
    'resource',
  ]);
  await simple(nmi);
  await nmi.token('127.0.0.5');
  for (let i = 0; i < 5; i++) await nmi.token('127.0.0.99', { resource: `made-up-${i}` });
  await nmi.ask('/metadata/identity/oauth2/token/made/up?resource=x', {
    from: '127.0.0.5',
    headers: { metadata: 'true' },
  });
  const text = await nmi.metrics();
  expect(text).toContain(
    'aadpodidentity_nmi_operations_duration_seconds_count{operation_type="/metadata/identity/oauth2/token",status_code="200",namespace="app",resource="https://vault.azure.net"} 1',
  );
  expect(text).toContain(
    'aadpodidentity_imds_operations_duration_seconds_count{operation_type="adal_token_msi_userassignedid"}',
  );
  expect(text).not.toMatch(/made/);
  expect(text).toMatch(/resource="other"/);
});
