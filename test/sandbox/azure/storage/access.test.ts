import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { account, azure, client, codeOf, putAccount, putBlob, send, sign, texts } from './world.ts';

const blob = () => `${azure.endpoints.blob}/acct/things/a`;
const expiry = '2030-01-01T00:00:00Z';
const get = (url: string, token?: string) => client.send('GET', url, token === undefined ? {} : { token });

beforeEach(async () => {
  await send('PUT', '/things?restype=container');
  await putBlob('/things/a', 'hello');
});

/** A signature of one blob or container by the account's key. */
function sas(kind: 'b' | 'c', permissions: string, more: { se?: string; resource?: string } = {}): string {
  const { se = expiry, resource = kind === 'b' ? '/blob/acct/things/a' : '/blob/acct/things' } = more;
  const members = [permissions, '', se, resource, '', '', '', '2022-11-02', kind, '', '', '', '', '', '', ''];
  return new URLSearchParams({
    sp: permissions,
    se,
    sv: '2022-11-02',
    sr: kind,
    sig: sign(members.join('\n')),
  }).toString();
}

test('a signature grants its permissions on its resource until it expires', async () => {
  expect((await get(`${blob()}?${sas('b', 'r')}`)).text).toBe('hello');
  expect((await get(`${blob()}?${sas('c', 'r')}`)).text).toBe('hello');
  expect(codeOf(await get(`${blob()}?${sas('b', 'w')}`))).toEqual([403, 'AuthorizationPermissionMismatch']);
  expect(codeOf(await get(`${blob()}b?${sas('b', 'r')}`))).toEqual([403, 'AuthenticationFailed']);
  expect(codeOf(await get(`${blob()}?${sas('b', 'r', { se: '2020-01-01' })}`))).toEqual([403, 'AuthenticationFailed']);
  const forged = sas('b', 'r').replace('sp=r', 'sp=rw');
  expect(codeOf(await get(`${blob()}?${forged}`))).toEqual([403, 'AuthenticationFailed']);
});

test('a path of one name is a blob of $root, also for a signature', async () => {
  await send('PUT', '/$root?restype=container');
  await putBlob('/secret', 'root');
  const url = `${azure.endpoints.blob}/acct/secret`;
  const own = sas('b', 'r', { resource: '/blob/acct/$root/secret' });
  expect((await get(`${url}?${own}`)).text).toBe('root');
  const ofContainer = sas('c', 'r', { resource: '/blob/acct/secret' });
  expect(codeOf(await get(`${url}?${ofContainer}`))).toEqual([403, 'AuthenticationFailed']);
  const copied = await send('PUT', '/things/copy', { 'x-ms-copy-source': url });
  expect([copied.status, (await send('GET', '/things/copy')).text]).toEqual([202, 'root']);
});

test('a signature of a container lists its blobs, and does not delete the container', async () => {
  const url = `${azure.endpoints.blob}/acct/things?restype=container&`;
  expect((await get(`${url}comp=list&${sas('c', 'l')}`)).text).toContain('<Name>a</Name>');
  const removed = await client.send('DELETE', `${url}${sas('c', 'rwdl')}`);
  expect(codeOf(removed)).toEqual([403, 'AuthorizationPermissionMismatch']);
});

test('a signature of a stored policy ends with the policy', async () => {
  const policy = `<AccessPolicy><Expiry>${expiry}</Expiry><Permission>r</Permission></AccessPolicy>`;
  const acl = (id: string) =>
    send(
      'PUT',
      '/things?restype=container&comp=acl',
      {},
      `<SignedIdentifiers><SignedIdentifier><Id>${id}</Id>${policy}</SignedIdentifier></SignedIdentifiers>`,
    );
  await acl('mine');
  const members = ['', '', '', '/blob/acct/things/a', 'mine', '', '', '2022-11-02', 'b', '', '', '', '', '', '', ''];
  const query = new URLSearchParams({ si: 'mine', sv: '2022-11-02', sr: 'b', sig: sign(members.join('\n')) });
  expect((await get(`${blob()}?${query}`)).text).toBe('hello');
  await acl('other');
  expect(codeOf(await get(`${blob()}?${query}`))).toEqual([403, 'AuthenticationFailed']);
});

test('a token needs a role for data, of which an owner has none', async () => {
  const token = await client.token('https://storage.azure.com/.default');
  expect(codeOf(await get(blob(), token))).toEqual([403, 'AuthorizationPermissionMismatch']);
  azure.assignRole(azure.defaultApp.objectId, 'Storage Blob Data Reader', account);
  expect((await get(blob(), token)).text).toBe('hello');
  const removed = await client.send('DELETE', blob(), { token });
  expect(codeOf(removed)).toEqual([403, 'AuthorizationPermissionMismatch']);
  const other = await client.token();
  expect(codeOf(await get(blob(), other))).toEqual([401, 'InvalidAuthenticationInfo']);
});

test('a copy reads its source with the rights that the caller has there', async () => {
  await send('PUT', '/private?restype=container');
  await putBlob('/private/secret', 'secret');
  const source = `${azure.endpoints.blob}/acct/private/secret`;
  const copy = (query: string, from: string, token?: string) =>
    client.send('PUT', `${blob()}${query}`, { headers: { 'x-ms-copy-source': from }, ...(token ? { token } : {}) });
  const writer = `?${sas('c', 'rw')}`;
  expect(codeOf(await copy(writer, source))).toEqual([409, 'PublicAccessNotPermitted']);
  const token = await client.token('https://storage.azure.com/.default');
  const container = (name: string) => `${account}/blobServices/default/containers/${name}`;
  azure.assignRole(azure.defaultApp.objectId, 'Storage Blob Data Contributor', container('things'));
  expect(codeOf(await copy('', source, token))).toEqual([403, 'AuthorizationPermissionMismatch']);
  expect((await send('GET', '/things/a')).text).toBe('hello');
  const reader = `?${sas('b', 'r', { resource: '/blob/acct/private/secret' })}`;
  expect((await copy(writer, `${source}${reader}`)).status).toBe(202);
  azure.assignRole(azure.defaultApp.objectId, 'Storage Blob Data Reader', container('private'));
  expect((await copy('', source, token)).status).toBe(202);
  expect((await send('GET', '/things/a')).text).toBe('secret');
});

test('a user delegation signature has the roles of its principal at the container', async () => {
  await send('PUT', '/private?restype=container');
  const { objectId } = azure.defaultApp;
  azure.assignRole(objectId, 'Storage Blob Data Reader', account);
  azure.assignRole(objectId, 'Storage Blob Data Contributor', `${account}/blobServices/default/containers/things`);
  const token = await client.token('https://storage.azure.com/.default');
  const url = `${azure.endpoints.blob}/acct`;
  const text = '<KeyInfo><Start>2026-06-01T00:00:00Z</Start><Expiry>2026-06-02T00:00:00Z</Expiry></KeyInfo>';
  const delegation = await client.send('POST', `${url}/?restype=service&comp=userdelegationkey`, { token, text });
  const of = (name: string) => texts(delegation, name)[0] ?? '';
  const members = ['SignedOid', 'SignedTid', 'SignedStart', 'SignedExpiry', 'SignedService', 'SignedVersion'].map(of);
  const write = (path: string) => {
    const resource = `/blob/acct${path}`;
    const scopes = ['', '', ''];
    const all = [
      'w',
      '',
      expiry,
      resource,
      ...members,
      ...scopes,
      '',
      '',
      '2022-11-02',
      'b',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
    ];
    const [skoid = '', sktid = '', skt = '', ske = '', sks = '', skv = ''] = members;
    const sig = createHmac('sha256', Buffer.from(of('Value'), 'base64'))
      .update(all.join('\n'))
      .digest('base64');
    const own = { sp: 'w', se: expiry, sv: '2022-11-02', sr: 'b', skoid, sktid, skt, ske, sks, skv, sig };
    const headers = { 'x-ms-blob-type': 'BlockBlob' };
    return client.send('PUT', `${url}${path}?${new URLSearchParams(own)}`, { headers, text: 'new' });
  };
  expect((await write('/things/a')).status).toBe(201);
  expect(codeOf(await write('/private/a'))).toEqual([403, 'AuthorizationPermissionMismatch']);
});

test('a wrong key is refused, and a right one where the account forbids keys', async () => {
  const headers = { authorization: 'SharedKey acct:AAAA' };
  expect(codeOf(await client.send('GET', blob(), { headers }))).toEqual([403, 'AuthenticationFailed']);
  await putAccount({ allowSharedKeyAccess: false });
  expect(codeOf(await send('GET', '/things/a'))).toEqual([403, 'KeyBasedAuthenticationNotPermitted']);
});

test('without credentials only public containers are read', async () => {
  expect(codeOf(await get(blob()))).toEqual([409, 'PublicAccessNotPermitted']);
  expect(codeOf(await get(`${azure.endpoints.blob}/acct/?comp=list`))).toEqual([401, 'NoAuthenticationInformation']);
  await putAccount({ allowBlobPublicAccess: true });
  expect(codeOf(await get(blob()))).toEqual([404, 'ResourceNotFound']);
  await send('PUT', '/things?restype=container&comp=acl', { 'x-ms-blob-public-access': 'blob' });
  expect((await get(blob())).text).toBe('hello');
});

test('an account that does not exist has no data', async () => {
  expect(codeOf(await get(`${azure.endpoints.blob}/nowhere/things/a`))).toEqual([404, 'ResourceNotFound']);
});
