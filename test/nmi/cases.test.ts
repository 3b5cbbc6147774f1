/** The cases of the facts that are about NMI, run as tables. Where upstream's behaviour was a hole, the reason stands beside. Long, as it is data. */
import { describe, expect, test } from '@jest/globals';
import { nmiConfig, retiredFlags, settings } from '../../runtime/nmi/config/config.ts';
import { isKubenet } from '../../runtime/nmi/config/kubenet.ts';
import { httpErrors } from '../../runtime/nmi/http/http-error.ts';
import { readTarget } from '../../runtime/nmi/http/request-target.ts';
import { tokenBody } from '../../runtime/nmi/http/token-body.ts';
import { parseTokenRequest, readTokenRequest, redactId } from '../../runtime/nmi/http/token-request.ts';
import { nmiMetricTable } from '../../runtime/nmi/nmi-metrics.ts';
import { canonicalAddress } from '../../runtime/nmi/pods/pod-by-address.ts';
import { eventually } from '../fakes/eventually.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  fakeToken,
  identitiesType,
  identity,
  pod,
  podsType,
  simple,
  startNmi,
} from './harness.ts';

const impatient = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];

test.each([
  ['aabc0000-a83v-9h4m-000j-2c0a66b0c1f9', 'aabc##### REDACTED #####c1f9'],
  ['1234567', '1234567'],
  ['abcd efgh', 'abcd##### REDACTED #####efgh'],
])('redact_client_id: %s is shown as %s', (id, shown) => {
  expect(redactId(id)).toBe(shown);
});

test.each([
  ['KUBELET_FLAGS=--max-pods=110 --network-plugin=cni --x', false],
  ['', false],
  ['KUBELET_FLAGS=--network-plugin=kubenet --x', true],
])('kubenet_detection: %j is kubenet: %s', (text, kubenet) => {
  expect(isKubenet(text)).toBe(kubenet);
});

describe('nmi_routes', () => {
  const token = ['/metadata/identity/oauth2/token/', '/Metadata/identity/oauth2/token/'];
  const more = [
    '/metadata/identity/oauth2/token?resource=x',
    '/metadata/identity/oauth2/token?resource=a;b',
    '/metadata/identity/oauth2/tokenfoo',
    '/metadata%2Fidentity%2Foauth2%2Ftoken',
    '/metadata/identity/oauth2%2Ftoken',
  ];
  test.each([...token, ...more])('%s is a token request', (target) => {
    expect(readTarget(target, false).route).toBe('token');
    expect(readTarget(target, true).route).toBe('token');
  });

  test.each([
    '/metadata/identity\\oauth2/token/',
    '/metadata/identity\\oauth2\\token/',
    '/metadata/identity\\\\\\oauth2\\\\token/',
    '/metadata/identity%5Coauth2%5Ctoken/',
    // Upstream let these through to the machine's endpoint and relied on it to refuse them.
    '/metadata/identity/OAuth2/token',
    '/metadata/Identity/oauth2/token',
    '/metadata/identity/oauth2/Token',
    '/metadata/identity;x/oauth2/token',
    '/metadata/identity/oauth2%252Ftoken',
    '/metadata%255Cidentity%255Coauth2%255Ctoken',
    '/metadata/identity/oauth2/%2574oken',
    '/x/..%5cmetadata/identity/oauth2/token',
    '/metadata\\identity/oauth2/token',
    '/metadata/ide%00ntity/oauth2/token',
    '/metadata/identity/oauth2/tok%0aen',
    '/metadata/identity/%6f%61uth2/%FF',
    '/ｍetadata/identity/oauth2/token',
    '/metadata\\instance',
    '/\\x',
    '/HOST/token',
    '/host\\token',
    '*',
    'metadata/identity/oauth2/token',
  ])('%s is an invalid path', (target) => {
    expect(readTarget(target, false).route).toBe('invalid');
  });

  test.each([
    ['/metadata/identity//oauth2/token', '/metadata/identity/oauth2/token'],
    ['/metadata/./identity/oauth2/token', '/metadata/identity/oauth2/token'],
    ['/host/token/../../metadata/instance', '/metadata/instance'],
    ['//metadata/instance?x=%2F', '/metadata/instance?x=%2F'],
    ['/metadata/%2e%2e/x%3F', '/x%3F'],
  ])('%s is sent to %s', (target, location) => {
    expect(readTarget(target, false)).toEqual({ route: 'redirect', location });
  });

  test.each(['/host/token/', '/host/token', '/host/tokenx'])('%s is for callers on the node', (target) => {
    expect(readTarget(target, false).route).toBe('host');
  });

  test.each([
    '/metadata/instance',
    '/Metadata/instance/',
    '/METADATA/instance/compute',
    // Upstream blocked one spelling only.
    '/metadata/Instance',
    '/metadata/%69nstance',
  ])('%s is blocked where blocking is on, and passed on where it is not', (target) => {
    expect(readTarget(target, true).route).toBe('forbidden');
    expect(readTarget(target, false).route).toBe('passthrough');
  });

  test.each([
    '/metadata/identity/oauth2/authorize',
    '/metadata/identity/oauth2',
    '/metadata/scheduledevents',
    '/healthz',
    'http://169.254.169.254/metadata/scheduledevents',
  ])('%s is passed on', (target) => {
    expect(readTarget(target, true).route).toBe('passthrough');
  });

  test('the absolute form of a target is read like any other', () => {
    expect(readTarget('http://elsewhere/metadata/identity/oauth2/token?resource=r', false).route).toBe('token');
    expect(readTarget('HTTP://elsewhere/metadata/identity\\oauth2/token', false).route).toBe('invalid');
  });
});

test.each([
  ['no header', {}, 400],
  ['True', { metadata: 'True' }, 400],
  ['true', { metadata: 'true' }, 404],
])('metadata_header: with %s on the token path', async (_, headers, status) => {
  await using nmi = await startNmi({ args: impatient });
  await nmi.kube.put(podsType, pod({ label: '' }));
  for (const path of ['/metadata/identity/oauth2/token?resource=r', '/metadata/other']) {
    const answer = await nmi.ask(path, { from: '127.0.0.5', headers: headers as Record<string, string> });
    if (status !== 400) continue;
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toBe(
      '{"error":"invalid_request","error_description":"Required metadata header not specified"}\n',
    );
  }
  const last = await nmi.ask('/metadata/identity/oauth2/token?resource=r', {
    from: '127.0.0.5',
    headers: headers as never,
  });
  expect(last.status).toBe(status);
});

test('metadata_header: without the requirement the header may be missing', async () => {
  await using nmi = await startNmi({ args: ['--metadata-header-required=false'] });
  await simple(nmi);
  expect((await nmi.token('127.0.0.5', {}, { headers: {} })).status).toBe(200);
});

test('token_request_parse: ids and resource are read from the query', () => {
  const id =
    '/subscriptions/9f2be85c-f8ae-4569-9353-38e5e8b459ef/resourcegroups/test/providers/Microsoft.ManagedIdentity/userAssignedIdentities/test';
  const parse = (query: string) => parseTokenRequest(new URLSearchParams(query));
  expect(
    parse(`client_id=77788899-f67e-42e1-9a78-89985f6bff3e&msi_res_id=${id}&resource=https://vault.azure.net`),
  ).toEqual({
    clientId: '77788899-f67e-42e1-9a78-89985f6bff3e',
    resourceId: id,
    resource: 'https://vault.azure.net',
    objectId: '',
  });
  expect(parse('')).toEqual({ clientId: '', resourceId: '', resource: '', objectId: '' });
  // Upstream ignored object_id and gave the token of some other identity.
  expect(parse('resource=https%3A%2F%2Fmanagement.azure.com%2F&object_id=x')).toEqual({
    clientId: '',
    resourceId: '',
    resource: 'https://management.azure.com/',
    objectId: 'x',
  });
  expect(parse('mi_res_id=b&msi_res_id=a').resourceId).toBe('a');
});

test('resource_param_required', () => {
  expect(() => readTokenRequest(new URLSearchParams('resource=https://vault.azure.net'))).not.toThrow();
  expect(() => readTokenRequest(new URLSearchParams('resource='))).toThrow('parameter resource cannot be empty');
  expect(httpErrors.noResource().status).toBe(400);
});

test.each([
  ['10.0.0.8', '10.0.0.8'],
  ['', ''],
  ['a', ''],
  ['999.1.1.1', ''],
  // Upstream knew IPv4 only.
  ['::1', '::1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:0a00:0001', '10.0.0.1'],
  ['FD00:0:0::1%eth0', 'fd00::1'],
])('remote_addr_parse: %j is %j', (address, canonical) => {
  expect(canonicalAddress(address)).toBe(canonical);
});

test('msi_handler_outcomes and blocked_and_invalid: statuses and bodies, in the order of evaluation', async () => {
  await using nmi = await startNmi({ args: [...impatient, '--block-instance-metadata'] });
  await nmi.kube.put(podsType, pod());
  await nmi.kube.put(podsType, pod({ name: 'twin1', ip: '127.0.0.9' }));
  await nmi.kube.put(podsType, pod({ name: 'twin2', ip: '127.0.0.9' }));
  await eventually('the pods are known', async () => (await nmi.token('127.0.0.5')).status === 404);
  const plain = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  const headers = { metadata: 'true' };
  const cases: [string, string, Record<string, string>, number, string | RegExp][] = [
    ['/metadata/identity/oauth2/token', '127.0.0.8', headers, 400, 'parameter resource cannot be empty\n'],
    ['/metadata/identity/oauth2/token?resource=r', '127.0.0.8', headers, 500, 'pod list is empty\n'],
    [
      '/metadata/identity/oauth2/token?resource=r',
      '127.0.0.9',
      headers,
      500,
      /^failed to match pod IP 127.0.0.9 with /,
    ],
    ['/metadata/identity/oauth2/token?resource=r', '127.0.0.5', headers, 404, /^getting assigned identities for pod /],
    ['/metadata/instance', '127.0.0.5', {}, 403, 'Request blocked by AAD Pod Identity NMI\n'],
    ['/metadata/identity\\oauth2/token/', '127.0.0.5', {}, 400, 'Invalid request\n'],
  ];
  for (const [path, from, sent, status, body] of cases) {
    const answer = await nmi.ask(path, { from, headers: sent });
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.body).toEqual(typeof body === 'string' ? body : expect.stringMatching(body));
    expect(answer.headers).toMatchObject(plain);
  }
});

test('host_handler_outcomes: statuses and bodies, in the order of evaluation', async () => {
  let status = 200;
  const { anyIdentity } = await import('./harness.ts');
  await using nmi = await startNmi({
    imds: (request) => (status === 200 ? anyIdentity(request) : { status, body: { error: 'invalid_request' } }),
    args: ['--token-cache=off'],
  });
  const volumes = { vaults: ['contoso'], objects: ['secret/web-*'] };
  await simple(nmi, {}, { volumes });
  const named = { podns: 'app', podname: 'p' };
  const ask = (path: string, headers: Record<string, string>) => nmi.ask(path, { headers, socketPath: nmi.hostSocket });
  const text = "missing 'podname' and 'podns' from request header\n";
  expect(await ask('/host/token/?resource=r', { podns: 'app' })).toMatchObject({ status: 400, body: text });
  expect(await ask('/host/token/', named)).toMatchObject({ status: 400, body: 'parameter resource cannot be empty\n' });
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

test('token_json: the wire form, byte for byte', () => {
  const token = { token: fakeToken({ nbf: 1699999999 }), expiresOn: 1700086399_000 };
  const now = 1700000000_000;
  const rest = '"not_before":"1699999999","resource":"https://vault.azure.net","token_type":"Bearer"}';
  const begin = `{"access_token":"${token.token}","refresh_token":"",`;
  const body = (...args: [number, number?]) => tokenBody(token, 'https://vault.azure.net', ...args);
  expect(body(now)).toBe(`${begin}"expires_in":"86399","expires_on":"1700086399",${rest}`);
  expect(body(now + 60_999)).toBe(`${begin}"expires_in":"86339","expires_on":"1700086399",${rest}`);
  expect(body(now, now + 10_000)).toBe(`${begin}"expires_in":"10","expires_on":"1700000010",${rest}`);
  expect(JSON.parse(tokenBody({ token: 'a"\\', expiresOn: now }, 'r"', now + 5000))).toMatchObject({
    access_token: 'a"\\',
    expires_in: '0',
    resource: 'r"',
  });
  expect(body(now)).toBe(`${begin}"expires_in":"86399","expires_on":"1700086399",${rest}`);
});

describe('standard_get_identities', () => {
  type Row = [
    name: string,
    states: [status: string, name: string, namespace: string][],
    query: Record<string, string>,
    force: boolean,
    expected: string | undefined,
  ];
  const rows: Row[] = [
    ['no azure identities', [], {}, false, undefined],
    [
      'nothing requested, Created only',
      [
        ['Created', 'azid3', 'app'],
        ['Created', 'azid4', 'app'],
      ],
      {},
      false,
      undefined,
    ],
    [
      'client_id only in Created',
      [
        ['Created', 'azid1', 'app'],
        ['Assigned', 'azid2', 'app'],
      ],
      { client_id: 'client-azid1' },
      false,
      undefined,
    ],
    [
      'client_id Assigned',
      [
        ['Created', 'azid1', 'app'],
        ['Assigned', 'azid2', 'app'],
      ],
      { client_id: 'client-azid2' },
      false,
      'client-azid2',
    ],
    [
      'nothing requested, namespaced picks pod ns',
      [
        ['Assigned', 'azid1', 'default'],
        ['Assigned', 'azid2', 'default'],
        ['Assigned', 'azid3', 'app'],
      ],
      {},
      true,
      'client-azid3',
    ],
    // Upstream indexed into an empty list and answered 500.
    ['namespaced, nothing requested, only foreign-ns identities', [['Assigned', 'a', 'other']], {}, true, undefined],
    ['the state of releases before 1.5', [['', 'old', 'app']], {}, false, 'client-old'],
    ['Unassigned', [['Unassigned', 'a', 'app']], {}, false, undefined],
  ];
  test.each(rows)('%s', async (_, states, query, force, expected) => {
    await using nmi = await startNmi({ args: [...impatient, ...(force ? ['--forceNamespaced'] : [])] });
    for (const [status, name, namespace] of states) {
      await nmi.kube.put(identitiesType, identity(name, {}, namespace));
      await nmi.kube.put(bindingsType, binding(name, { azureIdentity: name }, namespace));
      await nmi.kube.put(
        assignedType,
        assigned(pod(), identity(name, {}, namespace), status, force ? namespace : 'default'),
      );
    }
    await nmi.kube.put(podsType, pod());
    const answer = await nmi.token('127.0.0.5', query);
    expect(answer.status).toBe(expected === undefined ? 404 : 200);
    if (expected !== undefined) expect(claimsOf(answer.json.access_token)['appid']).toBe(expected);
  });

  test('an identity asked for in another case is found, as the wait promised', async () => {
    await using nmi = await startNmi({ args: impatient });
    await simple(nmi);
    expect((await nmi.token('127.0.0.5', { client_id: 'Client-ID' })).status).toBe(200);
  });
});

test.each([
  ['--set-retry-after-header=false', 404, undefined],
  ['--set-retry-after-header', 503, '20'],
])('standard_retry_timing: with %s the end of the wait is %s', async (flag, status, retryAfter) => {
  const args = [
    '--retry-attempts-for-created=1',
    '--retry-attempts-for-assigned=1',
    '--find-identity-retry-interval=1',
    flag,
  ];
  await using nmi = await startNmi({ args });
  await nmi.kube.put(podsType, pod());
  const started = performance.now();
  const none = await nmi.token('127.0.0.5', { client_id: 'aabc0000-a83v-9h4m-000j-2c0a66b0c1f9' });
  expect(performance.now() - started).toBeGreaterThan(900);
  expect([none.status, none.headers['retry-after']]).toEqual([status, retryAfter]);
  expect(none.body).toBe(
    'clientID in request: aabc##### REDACTED #####c1f9, getting assigned identities for pod app/p in CREATED state ' +
      'failed after 1 attempts, retry duration [1]s, error: <nil>. Check MIC pod logs for identity assignment errors' +
      // An addition.
      '. Reason: no AzureIdentityBinding selects the label aadpodidbinding of the pod\n',
  );
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(assignedType, assigned(pod(), identity(), 'Created'));
  const again = performance.now();
  const created = await nmi.token('127.0.0.5');
  expect(performance.now() - again).toBeGreaterThan(1900);
  expect(created.body).toMatch(/^getting assigned identities for pod app\/p in ASSIGNED state failed after 1 attempts/);
});

test('managed_get_identities: no match is 404 with the id redacted', async () => {
  const args = ['--operation-mode=managed', '--forceNamespaced', '--find-identity-retry-interval=0'];
  await using nmi = await startNmi({ args });
  await nmi.kube.put(podsType, pod());
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  const answer = await nmi.token('127.0.0.5', { client_id: 'resourceid1' });
  expect([answer.status, answer.body]).toEqual([
    404,
    // With the reason, an addition.
    'no azure identity found for request clientID reso##### REDACTED #####eid1: ' +
      'no AzureIdentity of the pod has the id of the request\n',
  ]);
  expect((await nmi.token('127.0.0.5', { msi_res_id: identity().spec.resourceID })).status).toBe(200);
});

test('operation_mode: case does not matter, managed needs forceNamespaced', () => {
  const config = (...args: string[]) => nmiConfig(['--node=n', ...args], {});
  expect(config('--operation-mode=STANDARD')).toMatchObject({ mode: 'standard' });
  expect(() => config('--operation-mode=managed')).toThrow('managed mode not intialized in force namespaced mode');
  expect(config('--operation-mode=managed', '--forceNamespaced')).toMatchObject({ mode: 'managed' });
  expect(nmiConfig(['--node=n', '--operation-mode=managed'], { FORCENAMESPACED: 'true' })).toMatchObject({
    mode: 'managed',
  });
  expect(() => config('--operation-mode=other')).toThrow('standard, managed');
});

test('flags_nmi: upstream flags keep their defaults, or are accepted without effect', () => {
  const upstream: Record<string, string> = {
    'nmi-listen-address': '127.0.0.1',
    'nmi-port': '2579',
    'metadata-ip': '169.254.169.254',
    'metadata-port': '80',
    node: '',
    'ipt-update-interval-sec': '60',
    forceNamespaced: 'false',
    'retry-attempts-for-created': '16',
    'retry-attempts-for-assigned': '4',
    'find-identity-retry-interval': '5',
    enableScaleFeatures: 'true',
    'block-instance-metadata': 'false',
    'metadata-header-required': 'true',
    'operation-mode': 'standard',
    'allow-network-plugin-kubenet': 'false',
    'kubelet-config': '/etc/default/kubelet',
    'set-retry-after-header': 'false',
  };
  const ours = Object.fromEntries(Object.values(settings).map(({ flag, default: value }) => [flag, value]));
  expect(ours).toMatchObject(upstream);
  // The probe of upstream's manifests, not of its code; connections older than the rules are always ended.
  expect(ours).toMatchObject({ 'health-port': '8085', 'enable-conntrack-deletion': 'true' });
  expect(Object.keys(retiredFlags)).toEqual(
    expect.arrayContaining(['MICNamespace', 'enableProfile', 'prometheus-port', 'log-format', 'custom-user-agent']),
  );
  const args = ['--node=n', '--MICNamespace=x', '--enableProfile', '--http-probe-port=1', '--metadata-header-required'];
  expect(nmiConfig(args, {})).toMatchObject({ healthPort: 1, retired: ['MICNamespace', 'enableProfile'] });
  // As the chart wrote the verbosity of the log.
  expect(nmiConfig(['--node=n', '-v=9', '--logtostderr'], {})).toMatchObject({ retired: ['logtostderr', 'v'] });
  const klog = [
    '-alsologtostderr',
    '--stderrthreshold=INFO',
    '-log_dir',
    '/var/log',
    '--vmodule=nmi=4',
    '--skip_headers',
  ];
  expect(nmiConfig(['--node=n', ...klog], {})).toMatchObject({
    retired: ['alsologtostderr', 'log_dir', 'skip_headers', 'stderrthreshold', 'vmodule'],
  });
  expect(() => nmiConfig(['--node=n', '--log-dir=/var/log'], {})).toThrow("Unknown option '--log-dir'");
});

test('is_mic_shortcut: no pod is excepted for the name of its ReplicaSet, in whatever namespace', async () => {
  await using nmi = await startNmi({ args: impatient });
  await nmi.kube.put(podsType, pod({ namespace: 'default', name: 'mic-774f7ccc4-abcde', label: '' }));
  const answer = await nmi.token('127.0.0.5');
  expect(answer.status).toBe(404);
  expect(nmi.imds.requests).toEqual([]);
});

test('metrics: upstream names and labels, with a bound on what callers can make up', async () => {
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
