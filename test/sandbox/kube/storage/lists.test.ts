import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, configMaps, startApi } from '../api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  for (const [index, tier] of ['web', 'web', 'db', 'cache', ''].entries()) {
    const labels = tier ? { tier, [`n${index}`]: 'yes' } : undefined;
    await api.post(configMaps, { metadata: { name: `m${index}`, labels } });
  }
});
afterAll(() => api.close());

const names = (body: Record<string, unknown>) =>
  (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
const query = async (text: string) => (await api.get(`${configMaps}?${text}`)).body;

describe('pages', () => {
  test('come from one snapshot, whatever is written in between', async () => {
    const first = await query('limit=2');
    expect(first['metadata']).toMatchObject({ continue: expect.any(String), remainingItemCount: 4 });
    await api.delete(`${configMaps}/m4`);
    await api.post(configMaps, { metadata: { name: 'm25' } });
    await api.merge(`${configMaps}/m3`, { data: { late: 'yes' } });
    const second = await query(`limit=9&continue=${first['metadata'].continue}`);
    expect([...names(first), ...names(second)]).toEqual(['kube-root-ca.crt', 'm0', 'm1', 'm2', 'm3', 'm4']);
    expect(second['items'][2]).not.toHaveProperty('data');
    expect(second['metadata'].resourceVersion).toBe(first['metadata'].resourceVersion);
    expect(second['metadata'].continue).toBeUndefined();
    await api.post(configMaps, { metadata: { name: 'm4' } });
  });

  test('expire with 410 and a token to go on inconsistently', async () => {
    const { metadata } = await query('limit=2');
    await api.post(configMaps, { metadata: { name: 'm9' } });
    api.kube.store.compact();
    const gone = await query(`limit=2&continue=${metadata.continue}`);
    expect(gone).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
    expect(names(await query(`continue=${gone['metadata'].continue}`))).toContain('m9');
  });

  test('a token that is none is refused', async () => {
    expect(await query('limit=2&continue=abc')).toMatchObject({ code: 400, reason: 'BadRequest' });
  });
});

test.each([
  ['tier=web', ['m0', 'm1']],
  ['tier==web,n0=yes', ['m0']],
  ['tier!=web,tier', ['m2', 'm3']],
  ['tier in (db, cache)', ['m2', 'm3']],
  ['tier notin (web,db),tier', ['m3']],
  ['!tier', ['kube-root-ca.crt', 'm25', 'm4', 'm9']],
])('label selector %s', async (selector, expected) => {
  expect(names(await query(`labelSelector=${encodeURIComponent(selector)}`))).toEqual(expected);
});

test.each([
  ['metadata.name=m1', ['m1']],
  ['metadata.name!=m1,metadata.namespace=default', ['kube-root-ca.crt', 'm0', 'm2', 'm25', 'm3', 'm4', 'm9']],
])('field selector %s', async (selector, expected) => {
  expect(names(await query(`fieldSelector=${encodeURIComponent(selector)}`))).toEqual(expected);
});

test('pods are selected by node, secrets by type', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await api.post(pods, { metadata: { name: 'here' }, spec: { ...spec, nodeName: 'n1' } });
  await api.post(pods, { metadata: { name: 'there' }, spec: { ...spec, nodeName: 'n2' } });
  expect(names((await api.get('/api/v1/pods?fieldSelector=spec.nodeName=n1')).body)).toEqual(['here']);
  const secrets = '/api/v1/namespaces/default/secrets';
  await api.post(secrets, { metadata: { name: 's' }, type: 'example.com/x' });
  expect(names((await api.get(`${secrets}?fieldSelector=type=example.com/x`)).body)).toEqual(['s']);
});

test.each([
  ['fieldSelector=spec.size=1', 400, 'field label not supported: spec.size'],
  ['fieldSelector=spec', 400, 'invalid selector'],
  ['labelSelector=a===', 400, 'unable to parse requirement'],
  ['resourceVersion=99999999', 504, 'Too large resource version: 99999999'],
  ['limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
  ['resourceVersion=abc', 500, 'parsing "abc": invalid syntax'],
  ['resourceVersionMatch=Exact', 422, 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
])('%s is refused', async (text, code, message) => {
  const body = await query(text);
  expect(body).toMatchObject({ kind: 'Status', code });
  expect(body['message']).toContain(message);
});

test('resourceVersionMatch=Exact shows the state of that revision', async () => {
  const { metadata } = await query('');
  await api.delete(`${configMaps}/m0`);
  expect(names(await query(`resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`))).toContain('m0');
  expect(names(await query(`resourceVersion=${metadata.resourceVersion}`))).not.toContain('m0');
});

test('a negative or missing limit means everything', async () => {
  expect(names(await query('limit=-1')).length).toBe(names(await query('')).length);
});

describe('shapes', () => {
  const get = (accept: string) => api.get(configMaps, { headers: { accept } });

  test('a Table has columns and a row for each object, with its metadata', async () => {
    const { body, headers } = await get('application/json;as=Table;v=v1;g=meta.k8s.io,application/json');
    expect(headers['content-type']).toBe('application/json;as=Table;g=meta.k8s.io;v=v1');
    expect(body['columnDefinitions'].map(({ name }: { name: string }) => name)).toEqual(['Name', 'Data', 'Age']);
    expect(body['rows'][0]).toMatchObject({
      cells: ['kube-root-ca.crt', '1', expect.stringMatching(/^\d+s$/)],
      object: { kind: 'PartialObjectMetadata', metadata: { name: 'kube-root-ca.crt' } },
    });
  });

  test('metadata alone can be asked for', async () => {
    const { body } = await get('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
    expect(body['kind']).toBe('PartialObjectMetadataList');
    expect(Object.keys(body['items'][0]).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  test('YAML is written, XML is not acceptable', async () => {
    expect((await get('application/yaml')).text).toMatch(/^kind: ConfigMapList/);
    expect((await get('application/xml')).body).toMatchObject({ code: 406, reason: 'NotAcceptable' });
  });
});
