import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, configMaps, crds, startApi, widget, widgetCrd, widgets } from '../api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  await api.post(crds, widgetCrd());
});
afterAll(() => api.close());

describe('delete', () => {
  test('answers with a Status that names what went', async () => {
    const { body } = await api.post(configMaps, { metadata: { name: 'gone' } });
    expect((await api.delete(`${configMaps}/gone`)).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid: body['metadata'].uid },
    });
    expect((await api.delete(`${configMaps}/gone`)).body).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  test('preconditions that do not hold are a Conflict', async () => {
    await api.post(configMaps, { metadata: { name: 'pre' } });
    for (const preconditions of [{ uid: 'x' }, { resourceVersion: '1' }]) {
      expect((await api.delete(`${configMaps}/pre`, { preconditions })).body).toMatchObject({ code: 409 });
    }
    expect((await api.get(`${configMaps}/pre`)).code).toBe(200);
  });

  test('finalizers hold the object; none can be added; the last one lets it go', async () => {
    await api.post(widgets, widget('held', {}, { finalizers: ['x.io/a'] }));
    const marked = await api.delete(`${widgets}/held`);
    expect(marked.body['metadata']).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
    expect(marked.body['metadata'].deletionTimestamp).toMatch(/Z$/);
    const added = await api.merge(`${widgets}/held`, { metadata: { finalizers: ['x.io/a', 'y.io/b'] } });
    expect(added.body['message']).toContain('found new finalizers []string{"y.io/b"}');
    expect((await api.merge(`${widgets}/held`, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await api.get(`${widgets}/held`)).code).toBe(404);
  });

  test('a collection is deleted by selector', async () => {
    for (const name of ['c1', 'c2']) await api.post(configMaps, { metadata: { name, labels: { set: 'c' } } });
    await api.post(configMaps, { metadata: { name: 'c3' } });
    const { body } = await api.delete(`${configMaps}?labelSelector=set=c`);
    expect(body['items']).toHaveLength(2);
    expect((await api.get(`${configMaps}/c1`)).code).toBe(404);
    expect((await api.get(`${configMaps}/c3`)).code).toBe(200);
  });

  test('an unknown propagation policy is refused', async () => {
    const { body } = await api.delete(`${configMaps}/c3?propagationPolicy=Slow`);
    expect(body['message']).toContain('propagationPolicy: Unsupported value: "Slow"');
  });
});
