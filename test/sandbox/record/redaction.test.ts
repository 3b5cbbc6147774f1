import { expect, test } from '@jest/globals';
import { SessionRecorder } from '../../../sandbox/record/session-recorder.ts';

const subscription = '6e0f2b1c-1111-4222-8333-944455556666';
const path = `/subscriptions/${subscription}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shopdata`;

/** The one request of a session, as it is recorded. */
function recorded(exchanged: {
  method?: string;
  target?: string;
  body?: unknown;
  answer?: unknown;
  status?: number;
  requestHeaders?: Record<string, string>;
  headers?: Record<string, string>;
}) {
  const recorder = new SessionRecorder();
  const { method = 'GET', target = path, body, answer, status = 200, requestHeaders = {}, headers = {} } = exchanged;
  recorder.add({
    ...{ method, target, requestHeaders, headers, status },
    requestBody: body === undefined ? '' : JSON.stringify(body),
    answer: answer === undefined ? '' : JSON.stringify(answer),
  });
  return JSON.parse(recorder.text()).requests[0];
}

const random = 'A1b2C3d4E5f6G7h8I9j0K1l';
const jwt = `eyJhbGciOiJub25lIn0.${'YWJj'.repeat(8)}.c2ln`;

test.each<[string, unknown, unknown]>([
  [
    'a member that no type has',
    { properties: { zorkSetting: 'hunter2' } },
    { properties: { zorkSetting: 'redacted' } },
  ],
  [
    'a map with names of users',
    { properties: { zork: { name: 'hunter2' } } },
    { properties: { zork: { name: 'redacted' } } },
  ],
  [
    'a name of a secret',
    { properties: { adminPassword: 'hunter2' } },
    { properties: { adminPassword: 'Redacted-1234!' } },
  ],
  ['a key in base64', { primaryKey: 'c2VjcmV0c2VjcmV0' }, { primaryKey: 'cmVkYWN0ZWQ=' }],
  ['a secret that is a number', { password: 123456 }, { password: 0 }],
  ['a list of secrets', { secrets: [{ name: 'hunter2' }] }, { secrets: [{ name: 'redacted' }] }],
  ['a token where none belongs', { sku: { name: jwt } }, { sku: { name: 'redacted' } }],
  ['letters and digits by chance', { sku: { name: random } }, { sku: { name: 'redacted' } }],
  ['a URL with a signature', { vaultUri: 'https://x.example/a?sig=abc' }, { vaultUri: 'https://x.example/redacted' }],
  ['a URL with a user', { vaultUri: 'https://jane:hunter2@x.example/' }, { vaultUri: 'redacted' }],
  ['an address of a hook', { vaultUri: 'https://x.example/hooks/abc' }, { vaultUri: 'https://x.example/redacted' }],
  ['an address', { vaultUri: 'https://v.vault.azure.net/' }, { vaultUri: 'https://v.vault.azure.net/' }],
  ['a header', { httpHeaders: [{ name: 'hunter2' }] }, { httpHeaders: [{ name: 'redacted' }] }],
  ['a name of a person', { firstName: 'Jane', lastName: 'Doe' }, { firstName: 'redacted', lastName: 'redacted' }],
  ['a connection string', { fqdn: 'Server=x;Password=y' }, { fqdn: 'redacted' }],
  ['tags', { tags: { cost: 'jane' } }, { tags: { cost: 'redacted' } }],
  ['a mail address', { name: 'jane@contoso.com' }, { name: 'user@example.com' }],
  ['a public address', { ipAddress: '52.1.2.3' }, { ipAddress: '203.0.113.1' }],
  ['a public address of IPv6', { ipAddress: '2603:1030:7::155' }, { ipAddress: '2001:db8::1' }],
  ['arguments', { arguments: 'hunter2' }, { arguments: 'redacted' }],
  ['arguments of a start', { startArguments: ['hunter2'] }, { startArguments: ['redacted'] }],
  ['a program', { exec: { name: 'hunter2' } }, { exec: { name: 'redacted' } }],
  ['a list of values', { value: ['hunter2'] }, { value: ['redacted'] }],
  ['a local address', { addressPrefix: '10.0.0.0/16' }, { addressPrefix: '10.0.0.0/16' }],
  ['a version', { typeHandlerVersion: '1.2.3.4' }, { typeHandlerVersion: '1.2.3.4' }],
  [
    'words, switches and numbers',
    { sku: { tier: 'Standard', capacity: 2 } },
    { sku: { tier: 'Standard', capacity: 2 } },
  ],
  ['words about secrets', { permissions: { secrets: ['get'] } }, { permissions: { secrets: ['get'] } }],
  ['a name with a name of a user', { tags: { [random]: 'x' } }, { tags: { redacted: 'redacted' } }],
  [
    'the id of a role that everybody has',
    { id: '/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7' },
    { id: '/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7' },
  ],
  ['an id', { id: path }, { id: path.replace(subscription, '00000000-0000-0000-0000-000000000000') }],
])('%s', (_, body, shown) => {
  expect(recorded({ method: 'PUT', body, answer: body })).toMatchObject({ body: shown, answer: shown });
});

test('an action shows names of its answer, and nothing else', () => {
  const answer = { keys: [{ keyName: 'key1', permissions: 'FULL', value: 'hunter2', tier: 'Standard', count: 7 }] };
  const shown = { keys: [{ keyName: 'key1', permissions: 'FULL', value: 'redacted', tier: 'redacted', count: 0 }] };
  expect(recorded({ method: 'POST', target: `${path}/listKeys`, answer }).answer).toEqual(shown);
  const error = { error: { code: 'KeyNotFound', message: 'no key hunter2' } };
  expect(recorded({ method: 'POST', target: `${path}/listKeys`, status: 404, answer: error }).answer).toEqual({
    error: { code: 'KeyNotFound', message: 'redacted' },
  });
});

test.each(['Microsoft.Web/sites/s/config/appsettings', 'Microsoft.KeyVault/vaults/v/secrets/s'])(
  'a GET of %s shows no value, not even of members that other types have',
  (type) => {
    const target = `${path.split('/Microsoft')[0]}/${type}`;
    const body = { location: 'westeurope', properties: { location: 'hunter2' } };
    const shown = { location: 'westeurope', properties: { location: 'redacted' } };
    expect(recorded({ target, answer: body }).answer).toEqual(shown);
    expect(recorded({ method: 'PUT', target, body }).body).toEqual(shown);
    expect(recorded({ method: 'POST', target: `${target}/list`, answer: body }).answer).toEqual({
      location: 'redacted',
      properties: { location: 'redacted' },
    });
  },
);

test('the file has no header but those of operations and etags, and no signature of a URL', () => {
  const { asked, headers, query } = recorded({
    target: `${path}?api-version=2023-01-01&sig=hunter2&$filter=name%20eq%20'x'`,
    requestHeaders: { authorization: 'Bearer hunter22', cookie: 'hunter2', 'if-match': '"hunter2"' },
    headers: {
      location: `https://management.azure.com/subscriptions/${subscription}/operations/${random}?api-version=1&t=1&s=hunter2`,
      'retry-after': '10',
      etag: '"hunter2"',
      'set-cookie': 'hunter2',
    },
  });
  expect(query).toBe("api-version=2023-01-01&$filter=name eq 'redacted'");
  expect(asked).toEqual({ 'if-match': headers.etag });
  expect(headers).toEqual({
    location: '/subscriptions/00000000-0000-0000-0000-000000000000/operations/op?api-version=1',
    'retry-after': '10',
    etag: 'W/"00000000-0000-0000-0000-000000000001"',
  });
});

test.each([
  ["displayName eq 'Jane Doe'", "displayName eq 'redacted'"],
  ["startswith(mail,'jane') and name eq 'x'", "startswith(mail,'redacted') and name eq 'redacted'"],
  ["displayName eq 'Jane O''Doe'", "displayName eq 'redacted'"],
  ["displayName eq 'Jane Doe", "displayName eq 'redacted'"],
  [`principalId eq '${subscription}'`, "principalId eq '00000000-0000-0000-0000-000000000000'"],
  [`id eq '${path}'`, `id eq '${path.replace(subscription, '00000000-0000-0000-0000-000000000000')}'`],
])('the filter %s shows ids, and no other text', (filter, shown) => {
  expect(recorded({ target: `${path}?$filter=${encodeURIComponent(filter)}` }).query).toBe(`$filter=${shown}`);
});

test('a token in a path is not in the file', () => {
  expect(recorded({ target: `${path}/${jwt}` }).path).toMatch(/shopdata\/redacted$/);
});

test('a secret that begins with another one is taken out whole', () => {
  const recorder = new SessionRecorder();
  const request = { method: 'PUT', target: path, requestHeaders: {}, status: 200, headers: {}, answer: '' };
  for (const body of [{ password: 'Hunter2-abc' }, { password: 'Hunter2-abc-Tail9x' }, { kind: 'Hunter2-abc-Tail9x' }])
    recorder.add({ ...request, requestBody: JSON.stringify(body) });
  expect(JSON.parse(recorder.text()).requests[2].body).toEqual({ kind: 'redacted' });
});

test('a secret that was seen once is taken out of all requests, before and after', () => {
  const recorder = new SessionRecorder();
  const add = (target: string, body: object, authorization = '') =>
    recorder.add({
      ...{ method: 'PUT', target, requestHeaders: { authorization }, status: 200, headers: {}, answer: '' },
      requestBody: JSON.stringify(body),
    });
  add(`${path}-tr0ub4dor-x`, { sku: { name: 'tr0ub4dor-x' } });
  add(path, { password: 'tr0ub4dor-x' }, 'Bearer opaque-token-1');
  add(path, { kind: 'tr0ub4dor-x opaque-token-1' });
  expect(recorder.text()).not.toMatch(/tr0ub4dor|opaque-token/);
});
