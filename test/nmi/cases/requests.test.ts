/** The cases of the facts about targets, parameters and bodies. A comment gives the reason where upstream's behaviour was a hole. */
import { describe, expect, test } from '@jest/globals';
import { readTarget } from '../../../runtime/nmi/http/request-target.ts';
import { canonicalAddress } from '../../../runtime/nmi/pods/pod-by-address.ts';
import { httpErrors } from '../../../runtime/nmi/protocol/http-error.ts';
import { tokenBody } from '../../../runtime/nmi/protocol/token-body.ts';
import { parseTokenRequest, readTokenRequest, redactId } from '../../../runtime/nmi/protocol/token-request.ts';
import { fakeToken } from '../harness.ts';

test.each([
  ['aabc0000-a83v-9h4m-000j-2c0a66b0c1f9', 'aabc##### REDACTED #####c1f9'],
  ['1234567', '1234567'],
  ['abcd efgh', 'abcd##### REDACTED #####efgh'],
])('redact_client_id: %s is shown as %s', (id, shown) => {
  expect(redactId(id)).toBe(shown);
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

  test.each(['/metadata/scheduledevents', '/healthz', 'http://169.254.169.254/metadata/scheduledevents'])(
    '%s is passed on',
    (target) => {
      expect(readTarget(target, true).route).toBe('passthrough');
    },
  );

  test('the absolute form of a target is read like any other', () => {
    expect(readTarget('http://elsewhere/metadata/identity/oauth2/token?resource=r', false).route).toBe('token');
    expect(readTarget('HTTP://elsewhere/metadata/identity\\oauth2/token', false).route).toBe('invalid');
  });
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
