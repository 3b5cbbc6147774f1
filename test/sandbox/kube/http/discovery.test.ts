import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Unstructured } from '../../../../sandbox/kube/model/types.ts';
import { type Api, crds, startApi, widgetCrd } from '../api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  const crd = widgetCrd();
  const [v1] = crd['spec'].versions;
  crd['spec'].versions = ['v1alpha1', 'v1', 'v2beta1', 'v2', 'v10'].map((name) => ({
    ...v1,
    name,
    storage: name === 'v1',
  }));
  await api.post(crds, crd);
});
afterAll(() => api.close());

const names = (items: Unstructured[]) => items.map(({ name }) => name);

test('version, health and the list of paths', async () => {
  expect((await api.get('/version')).body).toMatchObject({
    major: '1',
    gitVersion: expect.stringMatching(/^v1\.\d+\.0/),
  });
  for (const path of ['/healthz', '/livez', '/readyz']) expect((await api.get(path)).text).toBe('ok');
  expect((await api.get('/readyz?verbose')).text).toContain('[+]store ok');
  expect((await api.get('/')).body['paths']).toContain('/openapi/v3');
});

test('groups have their versions in the order of preference', async () => {
  expect((await api.get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  const { groups } = (await api.get('/apis')).body;
  expect(names(groups)).toEqual(expect.arrayContaining(['apps', 'events.k8s.io', 'example.com']));
  const { body } = await api.get('/apis/example.com');
  expect(body['versions'].map(({ version }: Unstructured) => version)).toEqual([
    'v10',
    'v2',
    'v1',
    'v2beta1',
    'v1alpha1',
  ]);
  expect(body['preferredVersion']).toEqual({ groupVersion: 'example.com/v10', version: 'v10' });
});

test('a group version lists resources and subresources with their verbs', async () => {
  const { resources } = (await api.get('/apis/example.com/v1')).body;
  expect(resources).toEqual([
    expect.objectContaining({
      name: 'widgets',
      singularName: 'widget',
      kind: 'Widget',
      shortNames: ['wd'],
      namespaced: true,
    }),
    expect.objectContaining({ name: 'widgets/status', verbs: ['get', 'patch', 'update'] }),
  ]);
  const core = (await api.get('/api/v1')).body;
  expect(names(core['resources'])).toEqual(
    expect.arrayContaining(['pods', 'pods/binding', 'namespaces/finalize', 'serviceaccounts/token']),
  );
  expect((await api.get('/apis/example.com/v7')).code).toBe(404);
  expect((await api.get('/apis/none')).code).toBe(404);
});

test.each(['v2', 'v2beta1'])('everything comes in one document of apidiscovery.k8s.io/%s', async (version) => {
  const accept = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`;
  const { body, headers } = await api.get('/apis', { headers: { accept } });
  expect(headers['content-type']).toContain('as=APIGroupDiscoveryList');
  expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}` });
  const group = body['items'].find(({ metadata }: Unstructured) => metadata.name === 'example.com');
  expect(group.versions[0]).toMatchObject({
    version: 'v10',
    resources: [
      {
        resource: 'widgets',
        responseKind: { group: 'example.com', version: 'v10', kind: 'Widget' },
        scope: 'Namespaced',
        subresources: [{ subresource: 'status' }],
      },
    ],
  });
});

describe('the address of an OpenAPI document', () => {
  const hash = async () => (await api.get('/openapi/v3')).body['paths']['apis/example.com/v1'].serverRelativeURL;

  test('changes when, and only when, its definition does', async () => {
    const before = await hash();
    expect(before).toMatch(/^\/openapi\/v3\/apis\/example\.com\/v1\?hash=[0-9A-F]+$/);
    await api.merge(`${crds}/widgets.example.com`, { metadata: { labels: { a: 'b' } } });
    expect(await hash()).toBe(before);
    const { spec } = (await api.get(`${crds}/widgets.example.com`)).body;
    for (const version of spec.versions)
      version.schema.openAPIV3Schema.properties.spec.properties.more = { type: 'string' };
    await api.merge(`${crds}/widgets.example.com`, { spec });
    expect(await hash()).not.toBe(before);
  });
});

test('the OpenAPI v2 document comes as protobuf to clients that ask for it', async () => {
  for (const version of ['@v1.0', '.v1.0']) {
    const accept = `application/com.github.proto-openapi.spec.v2${version}+protobuf`;
    const { code, headers } = await api.get('/openapi/v2', { headers: { accept } });
    expect([code, headers['content-type']]).toEqual([200, 'application/octet-stream']);
  }
  expect((await api.get('/openapi/v2')).body['swagger']).toBe('2.0');
});

test('whoami', async () => {
  const { body } = await api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
  expect(body['status'].userInfo).toMatchObject({
    username: 'kubernetes-admin',
    groups: ['system:masters', 'system:authenticated'],
  });
});

test('a port that is taken is named', async () => {
  const port = Number(new URL(api.kube.url).port);
  await expect(startApi({ port })).rejects.toThrow(`127.0.0.1:${port}`);
});
