import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, configMaps, crds, startApi, widget, widgetCrd, widgets } from '../api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  await api.post(crds, widgetCrd());
});
afterAll(() => api.close());

const causes = (body: Record<string, unknown>) =>
  (body as { details: { causes: { reason: string; field: string }[] } }).details.causes;

describe('create', () => {
  test('adds uid, creationTimestamp and resourceVersion, and answers 201', async () => {
    const { code, body } = await api.post(configMaps, { metadata: { name: 'made' }, data: { a: '1' } });
    expect(code).toBe(201);
    expect(body).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        namespace: 'default',
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
      },
    });
    expect((await api.get(`${configMaps}/made`)).body).toEqual(body);
  });

  test('a second object of the name is AlreadyExists', async () => {
    await api.post(configMaps, { metadata: { name: 'twice' } });
    const { code, body } = await api.post(configMaps, { metadata: { name: 'twice' } });
    expect(code).toBe(409);
    expect(body).toMatchObject({
      kind: 'Status',
      reason: 'AlreadyExists',
      message: 'configmaps "twice" already exists',
      details: { name: 'twice', kind: 'configmaps' },
    });
  });

  test('generateName makes a new name each time', async () => {
    const bodies = await Promise.all(
      [1, 2].map(async () => (await api.post(configMaps, { metadata: { generateName: 'g-' } })).body['metadata'].name),
    );
    for (const name of bodies) expect(name).toMatch(/^g-[a-z0-9]{5}$/);
    expect(bodies[0]).not.toBe(bodies[1]);
  });

  test('every offending field is a cause', async () => {
    const { code, body } = await api.post(configMaps, {
      metadata: { name: 'X_', labels: { 'a b': '-' } },
      data: { 'a b': '1' },
    });
    expect(code).toBe(422);
    expect(body['message']).toMatch(
      /^ConfigMap "X_" is invalid: \[metadata\.name: Invalid value: "X_": a lowercase RFC/,
    );
    expect(causes(body).map(({ field }) => field)).toEqual([
      'metadata.name',
      'metadata.labels',
      'metadata.labels',
      'data[a b]',
    ]);
  });

  test.each([
    ['no name', {}, 422, 'metadata.name: Required value: name or generateName is required'],
    ['another namespace', { metadata: { name: 'x', namespace: 'other' } }, 400, 'the namespace of the provided object'],
    ['a resourceVersion', { metadata: { name: 'x', resourceVersion: '1' } }, 500, 'resourceVersion should not be set'],
    ['another kind', { kind: 'Secret', metadata: { name: 'x' } }, 400, 'cannot be handled as a ConfigMap'],
    ['a value of the wrong type', { metadata: { name: 'x' }, data: { a: 1 } }, 400, 'data.a'],
    ['no JSON', '{bad', 400, "couldn't get version/kind; json parse error"],
    ['a list in place of an object', '[]', 400, 'expected an object'],
  ])('%s is refused', async (_name, sent, code, message) => {
    const answer = await api.post(configMaps, sent);
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code });
    expect(answer.body['message']).toContain(message);
  });

  test('YAML is read, other media types are not', async () => {
    const yaml = { type: 'application/yaml' };
    expect((await api.post(configMaps, 'metadata:\n  name: from-yaml\n', yaml)).code).toBe(201);
    const refused = await api.post(configMaps, 'x', { type: 'text/plain' });
    expect(refused.body).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
  });

  test('a body above the limit is refused', async () => {
    const data = { a: 'x'.repeat(3 * 1024 * 1024) };
    expect((await api.post(configMaps, { metadata: { name: 'big' }, data })).code).toBe(413);
  });

  test('a missing namespace is NotFound', async () => {
    const { code, body } = await api.post('/api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'x' } });
    expect([code, body['message']]).toEqual([404, 'namespaces "nowhere" not found']);
  });

  test('a dry run answers as if and stores nothing', async () => {
    const made = await api.post(`${configMaps}?dryRun=All`, { metadata: { name: 'dry' } });
    expect(made.code).toBe(201);
    expect(made.body['metadata'].resourceVersion).toBeUndefined();
    expect((await api.get(`${configMaps}/dry`)).code).toBe(404);
    expect((await api.post(`${configMaps}?dryRun=some`, { metadata: { name: 'dry' } })).code).toBe(422);
  });
});

describe('update', () => {
  test('a stale resourceVersion is a Conflict and changes nothing', async () => {
    const { body } = await api.post(configMaps, { metadata: { name: 'stale' }, data: { a: '1' } });
    const second = await api.put(`${configMaps}/stale`, { ...body, data: { a: '2' } });
    expect(second.code).toBe(200);
    const third = await api.put(`${configMaps}/stale`, { ...body, data: { a: '3' } });
    expect(third.body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(third.body['message']).toContain('the object has been modified');
    expect((await api.get(`${configMaps}/stale`)).body).toEqual(second.body);
  });

  test('what the server sets survives whatever is sent', async () => {
    const { body } = await api.post(configMaps, { metadata: { name: 'kept' } });
    const { uid, creationTimestamp } = body['metadata'];
    const metadata = {
      name: 'kept',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
    };
    const answer = await api.put(`${configMaps}/kept`, { metadata, data: { a: '1' } });
    expect(answer.body['metadata']).toMatchObject({ uid, creationTimestamp });
    expect(answer.body['metadata'].deletionTimestamp).toBeUndefined();
  });

  test('a write that changes nothing keeps the resourceVersion', async () => {
    const { body } = await api.post(configMaps, { metadata: { name: 'same' }, data: { a: '1' } });
    const again = await api.put(`${configMaps}/same`, body);
    expect(again.body['metadata'].resourceVersion).toBe(body['metadata'].resourceVersion);
  });

  test('the name on the URL must be the name of the object', async () => {
    await api.post(configMaps, { metadata: { name: 'named' } });
    const { body } = await api.put(`${configMaps}/named`, { metadata: { name: 'other' } });
    expect(body['message']).toBe('the name of the object (other) does not match the name on the URL (named)');
  });

  test('another uid is a Conflict', async () => {
    await api.post(configMaps, { metadata: { name: 'uid' } });
    expect((await api.put(`${configMaps}/uid`, { metadata: { name: 'uid', uid: 'other' } })).code).toBe(409);
  });

  test('a custom resource cannot be replaced without a resourceVersion', async () => {
    await api.post(widgets, widget('bare', { size: 1 }));
    const { code, body } = await api.put(`${widgets}/bare`, widget('bare', { size: 2 }));
    expect([code, body['message']]).toEqual([
      422,
      'widgets.example.com "bare" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    ]);
  });

  test('a Lease is created by PUT', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
    const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'a' } };
    expect((await api.put(path, lease)).code).toBe(201);
    expect((await api.put(path, lease)).code).toBe(422);
  });
});

describe('status and generation', () => {
  test('status changes through its subresource only, and nothing else does there', async () => {
    const made = await api.post(widgets, { ...widget('st', { size: 1 }), status: { phase: 'Sent' } });
    expect(made.body).not.toHaveProperty('status');
    const main = await api.merge(`${widgets}/st`, { status: { phase: 'Main' }, spec: { size: 2 } });
    expect(main.body).not.toHaveProperty('status');
    expect(main.body).toMatchObject({ spec: { size: 2 }, metadata: { generation: 2 } });
    const sub = await api.merge(`${widgets}/st/status`, { status: { phase: 'Good' }, spec: { size: 3 } });
    expect(sub.body).toMatchObject({ spec: { size: 2 }, status: { phase: 'Good' }, metadata: { generation: 2 } });
    const label = await api.merge(`${widgets}/st`, { metadata: { labels: { a: 'b' } } });
    expect(label.body).toMatchObject({ status: { phase: 'Good' }, metadata: { generation: 2 } });
  });
});

describe('patch', () => {
  test('a JSON patch whose test fails is 422 and changes nothing', async () => {
    const { body } = await api.post(configMaps, { metadata: { name: 'jp' }, data: { a: '1' } });
    const operations = [
      { op: 'replace', path: '/data/a', value: '2' },
      { op: 'test', path: '/data/a', value: '9' },
    ];
    const type = 'application/json-patch+json';
    expect((await api.send('PATCH', `${configMaps}/jp`, operations, { type })).body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
    expect((await api.get(`${configMaps}/jp`)).body).toEqual(body);
  });

  test('a strategic merge patch is refused for custom resources, with the accepted types', async () => {
    await api.post(widgets, widget('sm', { size: 1 }));
    const type = 'application/strategic-merge-patch+json';
    const { code, body } = await api.send('PATCH', `${widgets}/sm`, {}, { type });
    expect(code).toBe(415);
    expect(body['message']).toMatch(
      /include: application\/json-patch\+json, application\/merge-patch\+json, application\/apply/,
    );
  });

  test('uid and name cannot be patched', async () => {
    await api.post(configMaps, { metadata: { name: 'fixed' } });
    expect((await api.merge(`${configMaps}/fixed`, { metadata: { uid: '1' } })).code).toBe(422);
    expect((await api.merge(`${configMaps}/fixed`, { metadata: { name: 'c' } })).code).toBe(400);
    expect((await api.merge(`${configMaps}/fixed`, { metadata: { resourceVersion: '1' } })).code).toBe(409);
  });

  test('a patch for an object that was deleted and created again is a conflict, as its version is old', async () => {
    await api.post(configMaps, { metadata: { name: 'again' } });
    const { uid, resourceVersion } = (await api.get(`${configMaps}/again`)).body['metadata'];
    await api.delete(`${configMaps}/again`);
    await api.post(configMaps, { metadata: { name: 'again' } });
    const former = { metadata: { uid, resourceVersion, finalizers: [] } };
    expect((await api.merge(`${configMaps}/again`, former)).code).toBe(409);
  });

  test('force belongs to server-side apply, and apply needs a manager', async () => {
    await api.post(configMaps, { metadata: { name: 'opts' } });
    const forced = await api.merge(`${configMaps}/opts?force=true`, {});
    expect(forced.body['message']).toContain('force: Forbidden: may not be specified for non-apply patch');
    const type = 'application/apply-patch+yaml';
    const nobody = await api.send('PATCH', `${configMaps}/opts`, '{}', { type });
    expect(nobody.body['message']).toContain('fieldManager: Required value: is required for apply patch');
  });
});

describe('unknown fields', () => {
  const body = widget('unknown', { size: 1, colour: 'red' });

  test('are dropped with a warning unless asked otherwise', async () => {
    const warned = await api.post(widgets, body);
    expect(warned.body['spec']).toEqual({ size: 1 });
    expect(warned.headers['warning']).toBe('299 - "unknown field \\"spec.colour\\""');
    await api.delete(`${widgets}/unknown`);
    const ignored = await api.post(`${widgets}?fieldValidation=Ignore`, body);
    expect([ignored.code, ignored.headers['warning']]).toEqual([201, undefined]);
  });

  test('are refused by Strict', async () => {
    const { code, body: status } = await api.post(`${widgets}?fieldValidation=Strict`, body);
    expect(code).toBe(400);
    expect(status['message']).toContain('strict decoding error: unknown field "spec.colour"');
  });
});
