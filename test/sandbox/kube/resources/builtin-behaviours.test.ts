import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, crds, startApi, widget, widgetCrd, widgets } from '../api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const core = (plural: string) => `/api/v1/namespaces/default/${plural}`;
const container = { name: 'c', image: 'i' };

describe('secrets', () => {
  const secrets = core('secrets');

  test('stringData becomes data, the type defaults to Opaque and never changes', async () => {
    const { body } = await api.post(secrets, { metadata: { name: 's' }, stringData: { a: 'b' } });
    expect(body).toMatchObject({ type: 'Opaque', data: { a: 'Yg==' } });
    expect(body).not.toHaveProperty('stringData');
    const changed = await api.merge(`${secrets}/s`, { type: 'foo' });
    expect(changed.body['message']).toBe('Secret "s" is invalid: type: Invalid value: "foo": field is immutable');
  });

  test('immutable ones stay as they are', async () => {
    await api.post(secrets, { metadata: { name: 'im' }, immutable: true, data: { a: 'Yg==' } });
    for (const change of [{ data: { c: 'ZGQ=' } }, { immutable: false }]) {
      const { code, body } = await api.merge(`${secrets}/im`, change);
      expect([code, body['message']]).toEqual([
        422,
        expect.stringContaining('Forbidden: field is immutable when `immutable` is set'),
      ]);
    }
    expect((await api.merge(`${secrets}/im`, { metadata: { labels: { a: 'b' } } })).code).toBe(200);
  });

  test('a value that is not base64 is refused without being repeated', async () => {
    const { code, text } = await api.post(secrets, { metadata: { name: 'bad' }, data: { a: 'hunter2!' } });
    expect(code).toBeGreaterThanOrEqual(400);
    expect(text).toContain('data');
    expect(text).not.toContain('hunter2');
  });
});

describe('pods', () => {
  const pods = core('pods');

  test('begin Pending with their service account, which must exist', async () => {
    const { body } = await api.post(pods, { metadata: { name: 'p' }, spec: { containers: [container] } });
    expect(body).toMatchObject({
      spec: { serviceAccountName: 'default', restartPolicy: 'Always' },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
    const spec = { serviceAccountName: 'none', containers: [container] };
    const refused = await api.post(pods, { metadata: { name: 'q' }, spec });
    expect([refused.code, refused.body['message']]).toEqual([
      403,
      'pods "q" is forbidden: error looking up service account default/none: serviceaccount "none" not found',
    ]);
  });

  test('get their node by a binding, once, and their state by status', async () => {
    const bind = () => api.post(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } });
    expect((await bind()).code).toBe(201);
    expect((await bind()).code).toBe(409);
    const { body } = await api.merge(`${pods}/p/status`, { status: { phase: 'Running' } });
    expect(body).toMatchObject({ spec: { nodeName: 'n1' }, status: { phase: 'Running' } });
    expect(
      (await api.get(`/api/v1/pods?fieldSelector=spec.nodeName%3Dn1,status.phase%3DRunning`)).body['items'],
    ).toHaveLength(1);
  });

  test('keep their spec but for the image', async () => {
    expect((await api.merge(`${pods}/p`, { spec: { hostNetwork: true } })).code).toBe(422);
    const operations = [{ op: 'replace', path: '/spec/containers/0/image', value: 'j' }];
    const type = 'application/json-patch+json';
    expect((await api.send('PATCH', `${pods}/p`, operations, { type })).code).toBe(200);
  });

  test('are deleted at once, by DELETE or by eviction, and have an empty log', async () => {
    expect((await api.get(`${pods}/p/log`)).text).toBe('');
    expect((await api.delete(`${pods}/p`)).body).toMatchObject({ kind: 'Pod', metadata: { name: 'p' } });
    expect((await api.get(`${pods}/p`)).code).toBe(404);
    await api.post(pods, { metadata: { name: 'e' }, spec: { containers: [container] } });
    expect((await api.post(`${pods}/e/eviction`, { metadata: { name: 'e' } })).code).toBe(201);
    expect((await api.get(`${pods}/e`)).code).toBe(404);
  });
});

test('events are one store in two shapes', async () => {
  const old = core('events');
  const current = '/apis/events.k8s.io/v1/namespaces/default/events';
  const about = { kind: 'Pod', name: 'x', namespace: 'default' };
  const first = {
    metadata: { name: 'e1' },
    involvedObject: about,
    reason: 'R',
    message: 'm',
    type: 'Normal',
    count: 2,
  };
  await api.post(old, first);
  expect((await api.get(`${current}/e1`)).body).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    regarding: about,
    note: 'm',
    deprecatedCount: 2,
  });
  const { regarding, note, ...rest } = { regarding: about, note: 'n', reason: 'R', type: 'Normal' };
  const eventTime = '2026-01-01T00:00:00.000000Z';
  const series = { count: 2, lastObservedTime: eventTime };
  const body = {
    metadata: { name: 'e2' },
    regarding,
    note,
    ...rest,
    eventTime,
    series,
    action: 'A',
    reportingController: 'c.io/x',
    reportingInstance: 'i',
  };
  expect((await api.post(current, body)).code).toBe(201);
  expect((await api.get(`${old}/e2`)).body).toMatchObject({
    apiVersion: 'v1',
    involvedObject: about,
    message: 'n',
    reportingComponent: 'c.io/x',
    series: { count: 2 },
  });
  const merged = await api.merge(`${current}/e2`, { series: { count: 3, lastObservedTime: eventTime } });
  expect(merged.body).toMatchObject({ apiVersion: 'events.k8s.io/v1', series: { count: 3 } });
  const found = await api.get(`${old}?fieldSelector=involvedObject.name%3Dx,reason%3DR`);
  expect(found.body['items']).toHaveLength(2);
  expect((await api.get(`${current}?fieldSelector=regarding.name%3Dx`)).body['items']).toHaveLength(2);
});

describe('scale', () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const labels = { a: 'b' };

  test('of a Deployment shows and sets its replicas', async () => {
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const made = await api.post(deployments, {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: labels }, template },
    });
    expect(made.body).toMatchObject({
      metadata: { generation: 1 },
      spec: { replicas: 1, strategy: { type: 'RollingUpdate' } },
    });
    expect((await api.get(`${deployments}/d/scale`)).body).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 1 },
      status: { replicas: 0, selector: 'a=b' },
    });
    expect((await api.merge(`${deployments}/d/scale`, { spec: { replicas: 3 } })).body).toMatchObject({
      spec: { replicas: 3 },
    });
    expect((await api.get(`${deployments}/d`)).body).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 3 },
    });
    expect((await api.merge(`${deployments}/d/scale`, { spec: { replicas: -1 } })).code).toBe(422);
  });

  test('of a custom resource follows the paths of its definition', async () => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    await api.post(crds, widgetCrd({ subresources: { scale } }));
    await api.post(widgets, widget('w', { size: 1 }));
    expect((await api.put(`${widgets}/w/scale`, { metadata: { name: 'w' }, spec: { replicas: 4 } })).code).toBe(200);
    expect((await api.get(`${widgets}/w`)).body['spec']).toEqual({ size: 4 });
  });

  test('a selector that does not fit the template is refused', async () => {
    const template = { metadata: { labels: { a: 'c' } }, spec: { containers: [container] } };
    const spec = { selector: { matchLabels: labels }, template };
    expect((await api.post(deployments, { metadata: { name: 'bad' }, spec })).body['message']).toContain(
      '`selector` does not match template `labels`',
    );
  });
});

test.each([
  [
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    { spec: { leaseDurationSeconds: 0 } },
    'spec.leaseDurationSeconds',
  ],
  [core('secrets'), { type: 'kubernetes.io/tls', data: {} }, 'data[tls.crt]'],
  [core('pods'), { spec: { containers: [] } }, 'spec.containers'],
  [
    core('configmaps'),
    { metadata: { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod' }] } },
    'metadata.ownerReferences.name',
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] },
    'rules[0].verbs',
  ],
])('%s refuses %j by name of the field', async (path, more, field) => {
  const { code, body } = await api.post(path, { metadata: { name: 'x' }, ...more });
  expect(code).toBe(422);
  expect(body['details'].causes[0].field).toBe(field);
});

test('a Job selects its own Pods', async () => {
  const spec = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
  const { body } = await api.post('/apis/batch/v1/namespaces/default/jobs', { metadata: { name: 'j' }, spec });
  const own = { 'controller-uid': body['metadata'].uid };
  expect(body['spec']).toMatchObject({
    selector: { matchLabels: own },
    template: { metadata: { labels: { ...own, 'job-name': 'j' } } },
  });
});

test('verbs a resource does not have are 405, paths nobody serves 404', async () => {
  expect((await api.post(`${core('pods')}/x`, {})).body).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
  expect((await api.get('/apis/foo/v1/bars')).text).toBe('404 page not found\n');
  expect((await api.get(`${core('configmaps')}/x/nothing`)).code).toBe(404);
});
