import { beforeEach, expect, test } from '@jest/globals';
import { account, client, clock, codeOf, putBlob, send, texts } from './world.ts';

beforeEach(async () => {
  expect((await send('PUT', '/things?restype=container', { 'x-ms-meta-team': 'blue' })).status).toBe(201);
});

test('a container of the data plane is one of Resource Manager, and goes with it', async () => {
  const id = `${account}/blobServices/default/containers/things`;
  const { body } = await client.arm('GET', id, '2024-01-01');
  expect(body.properties).toMatchObject({ leaseState: 'Available', metadata: { team: 'blue' }, publicAccess: 'None' });
  expect(codeOf(await send('PUT', '/things?restype=container'))).toEqual([409, 'ContainerAlreadyExists']);
  expect(texts(await send('GET', '/?comp=list'), 'Name')).toEqual(['things']);
  await client.arm('DELETE', id, '2024-01-01');
  expect(codeOf(await send('GET', '/things?restype=container'))).toEqual([404, 'ContainerNotFound']);
  await client.arm('PUT', id, '2024-01-01', { properties: {} });
  expect((await putBlob('/things/a', 'x')).status).toBe(201);
});

test('a blob has content, headers, metadata and ranges', async () => {
  const written = await putBlob('/things/dir/a.txt', 'hello', {
    'x-ms-meta-a': 'b',
    'x-ms-blob-content-type': 'text/x',
  });
  expect(written.headers['etag']).toMatch(/^"0x/);
  const read = await send('GET', '/things/dir/a.txt');
  expect([read.status, read.text, read.headers['content-type'], read.headers['x-ms-meta-a']]).toEqual([
    200,
    'hello',
    'text/x',
    'b',
  ]);
  const part = await send('GET', '/things/dir/a.txt', { 'x-ms-range': 'bytes=1-2' });
  expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'el', 'bytes 1-2/5']);
  expect(codeOf(await send('GET', '/things/dir/a.txt', { 'x-ms-range': 'bytes=9-' }))).toEqual([416, 'InvalidRange']);
  const head = await send('HEAD', '/things/dir/a.txt');
  expect([head.text, head.headers['content-length'], head.headers['x-ms-blob-type']]).toEqual(['', '5', 'BlockBlob']);
  expect(codeOf(await send('GET', '/things/none'))).toEqual([404, 'BlobNotFound']);
});

test('lists go by prefix, delimiter and page', async () => {
  for (const name of ['a/1', 'a/2', 'b']) await putBlob(`/things/${name}`, name);
  const list = (more: string) => send('GET', `/things?restype=container&comp=list${more}`);
  expect(texts(await list('&delimiter=/'), 'Name')).toEqual(['a/', 'b']);
  expect(texts(await list('&prefix=a/'), 'Name')).toEqual(['a/1', 'a/2']);
  const first = await list('&maxresults=2');
  expect(texts(first, 'Name')).toEqual(['a/1', 'a/2']);
  expect(texts(await list(`&maxresults=2&marker=${texts(first, 'NextMarker')[0]}`), 'Name')).toEqual(['b']);
});

test('conditions decide about reads and writes', async () => {
  const { etag = '' } = (await putBlob('/things/a', 'one')).headers;
  expect(codeOf(await putBlob('/things/a', 'two', { 'if-none-match': '*' }))).toEqual([409, 'BlobAlreadyExists']);
  expect(codeOf(await putBlob('/things/a', 'two', { 'if-match': '"old"' }))).toEqual([412, 'ConditionNotMet']);
  expect((await send('GET', '/things/a', { 'if-none-match': etag })).status).toBe(304);
  expect((await putBlob('/things/a', 'two', { 'if-match': etag })).status).toBe(201);
});

test('blocks are shown once they are committed, in the order of the list', async () => {
  const block = (id: string, text: string) =>
    send('PUT', `/things/big?comp=block&blockid=${encodeURIComponent(id)}`, {}, text);
  await block('AAAA', 'one ');
  await block('BBBB', 'two ');
  expect((await send('GET', '/things/big')).status).toBe(404);
  const blocks = (type: string) => send('GET', `/things/big?comp=blocklist&blocklisttype=${type}`);
  expect(texts(await blocks('all'), 'Name')).toEqual(['AAAA', 'BBBB']);
  const commit = (...ids: string[]) => {
    const list = ids.map((id) => `<Latest>${id}</Latest>`).join('');
    return send('PUT', '/things/big?comp=blocklist', {}, `<?xml version="1.0"?><BlockList>${list}</BlockList>`);
  };
  expect((await commit('BBBB', 'AAAA')).status).toBe(201);
  expect((await send('GET', '/things/big')).text).toBe('two one ');
  expect(codeOf(await commit('CCCC'))).toEqual([400, 'InvalidBlockList']);
  expect((await commit('AAAA')).status).toBe(201);
  expect((await send('GET', '/things/big')).text).toBe('one ');
});

test('a lease keeps others from writing until it ends', async () => {
  await putBlob('/things/a', 'one');
  const lease = (action: string, more: Record<string, string> = {}) =>
    send('PUT', '/things/a?comp=lease', { 'x-ms-lease-action': action, ...more });
  const taken = await lease('acquire', { 'x-ms-lease-duration': '15' });
  const own = { 'x-ms-lease-id': taken.headers['x-ms-lease-id'] ?? '' };
  expect(codeOf(await lease('acquire', { 'x-ms-lease-duration': '15' }))).toEqual([409, 'LeaseAlreadyPresent']);
  expect(codeOf(await putBlob('/things/a', 'two'))).toEqual([412, 'LeaseIdMissing']);
  expect((await putBlob('/things/a', 'two', own)).status).toBe(201);
  expect((await lease('renew', own)).status).toBe(200);
  await clock.advance(16_000);
  expect((await putBlob('/things/a', 'three')).status).toBe(201);
  expect(codeOf(await putBlob('/things/a', 'four', own))).toEqual([412, 'LeaseNotPresentWithBlobOperation']);
});

test('append blobs grow, page blobs are written in pages', async () => {
  await send('PUT', '/things/log', { 'x-ms-blob-type': 'AppendBlob' });
  await send('PUT', '/things/log?comp=appendblock', {}, 'one ');
  const second = await send('PUT', '/things/log?comp=appendblock', {}, 'two');
  expect([second.headers['x-ms-blob-append-offset'], (await send('GET', '/things/log')).text]).toEqual([
    '4',
    'one two',
  ]);
  const late = await send('PUT', '/things/log?comp=appendblock', { 'x-ms-blob-condition-appendpos': '1' }, 'x');
  expect(codeOf(late)).toEqual([412, 'AppendPositionConditionNotMet']);
  await send('PUT', '/things/disk', { 'x-ms-blob-type': 'PageBlob', 'x-ms-blob-content-length': '1536' });
  const pages = { 'x-ms-range': 'bytes=512-1023', 'x-ms-page-write': 'update' };
  expect((await send('PUT', '/things/disk?comp=page', pages, 'p'.repeat(512))).status).toBe(201);
  const ranges = await send('GET', '/things/disk?comp=pagelist');
  expect([texts(ranges, 'Start'), texts(ranges, 'End')]).toEqual([['512'], ['1023']]);
  expect(codeOf(await send('PUT', '/things/disk?comp=appendblock', {}, 'x'))).toEqual([409, 'InvalidBlobType']);
});

test('a snapshot keeps what was, and a copy has an id', async () => {
  await putBlob('/things/a', 'one');
  const at = (await send('PUT', '/things/a?comp=snapshot')).headers['x-ms-snapshot'] ?? '';
  await putBlob('/things/a', 'two');
  expect((await send('GET', `/things/a?snapshot=${encodeURIComponent(at)}`)).text).toBe('one');
  expect(codeOf(await send('DELETE', '/things/a'))).toEqual([409, 'SnapshotsPresent']);
  const source = (await send('GET', '/things/a')).status === 200 ? `${client.azure.endpoints.blob}/acct/things/a` : '';
  const copied = await send('PUT', '/things/b', { 'x-ms-copy-source': source });
  expect([copied.status, copied.headers['x-ms-copy-status']]).toEqual([202, 'success']);
  expect((await send('GET', '/things/b')).text).toBe('two');
  expect((await send('DELETE', '/things/a', { 'x-ms-delete-snapshots': 'include' })).status).toBe(202);
  const elsewhere = { 'x-ms-copy-source': 'https://example.com/a' };
  expect(codeOf(await send('PUT', '/things/c', elsewhere))).toEqual([404, 'CannotVerifyCopySource']);
});

test.each(['-512', '100', '1e15', 'many'])('a page blob of %j bytes is refused, at first and later', async (size) => {
  const headers = { 'x-ms-blob-type': 'PageBlob', 'x-ms-blob-content-length': size };
  const refused = [400, 'InvalidHeaderValue'];
  expect(codeOf(await send('PUT', '/things/huge', headers))).toEqual(refused);
  await send('PUT', '/things/disk', { ...headers, 'x-ms-blob-content-length': '512' });
  expect(codeOf(await send('PUT', '/things/disk?comp=properties', headers))).toEqual(refused);
  expect((await send('HEAD', '/things/disk')).headers['content-length']).toBe('512');
});
