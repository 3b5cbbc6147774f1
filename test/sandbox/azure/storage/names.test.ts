import { beforeEach, expect, test } from '@jest/globals';
import { blobsOf } from '../../../../sandbox/azure/storage/blobs/model.ts';
import { codeOf, putBlob, send, texts } from './world.ts';

/** Members that every object has from its prototype. */
const inherited = ['__proto__', 'constructor', 'toString'];

beforeEach(async () => {
  await send('PUT', '/things?restype=container');
});

test.each(inherited)('no blob is named %s before it is written', async (name) => {
  const lease = await send('PUT', `/things/${name}?comp=lease`, { 'x-ms-lease-action': 'acquire' });
  expect(codeOf(lease)).toEqual([404, 'BlobNotFound']);
  expect(({} as { lease?: unknown }).lease).toBeUndefined();
  expect(codeOf(await send('GET', `/things/${name}`))).toEqual([404, 'BlobNotFound']);
  expect((await putBlob(`/things/${name}`, 'own')).status).toBe(201);
  expect((await send('GET', `/things/${name}`)).text).toBe('own');
  expect(texts(await send('GET', '/things?restype=container&comp=list'), 'Name')).toEqual([name]);
  expect((await send('DELETE', `/things/${name}`)).status).toBe(202);
  expect(codeOf(await send('GET', `/things/${name}`))).toEqual([404, 'BlobNotFound']);
});

test.each(inherited)('the blobs of a state file have no %s of their own', (name) => {
  const container = { system: { blobs: JSON.parse('{"a":{"name":"a"}}') } };
  expect(blobsOf(container)[name]).toBeUndefined();
  Object.assign(blobsOf(container), JSON.parse(`{"${name}":{"name":"own"}}`));
  const loaded = JSON.parse(JSON.stringify(container));
  expect(Object.keys(blobsOf(loaded))).toEqual(['a', name]);
  expect(blobsOf(loaded)[name]).toEqual({ name: 'own' });
});

test.each(inherited)('a list of blocks, tags and metadata may have the name %s', async (name) => {
  const list = `<BlockList><Latest>${name}</Latest></BlockList>`;
  await send('PUT', '/things/a?comp=block&blockid=AAAA', {}, 'staged');
  expect(codeOf(await send('PUT', '/things/a?comp=blocklist', {}, list))).toEqual([400, 'InvalidBlockList']);
  await putBlob('/things/a', 'x', { 'x-ms-tags': `${name}=1`, [`x-ms-meta-${name.toLowerCase()}`]: '2' });
  expect(texts(await send('GET', '/things/a?comp=tags'), 'Key')).toEqual([name]);
  expect((await send('GET', '/things/a')).headers[`x-ms-meta-${name.toLowerCase()}`]).toBe('2');
});

test('an entity that XML does not know stays as it is', async () => {
  await putBlob('/things/a', 'x');
  const tag = '<Tag><Key>k</Key><Value>&constructor;</Value></Tag>';
  await send('PUT', '/things/a?comp=tags', {}, `<Tags><TagSet>${tag}</TagSet></Tags>`);
  expect(texts(await send('GET', '/things/a?comp=tags'), 'Value')).toEqual(['&amp;constructor;']);
});
