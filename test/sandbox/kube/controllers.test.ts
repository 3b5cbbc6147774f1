import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { type Api, configMaps, crds, startApi, widget, widgetCrd, widgets } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  await api.post(crds, widgetCrd());
});
afterAll(() => api.close());

const code = async (path: string) => (await api.get(path)).code;
const goes = (path: string) => eventually(`${path} is gone`, async () => (await code(path)) === 404);
const make = async (name: string, owner?: { kind?: string; name: string; uid: string }, more: object = {}) => {
  const ownerReferences = owner && [{ apiVersion: 'v1', kind: 'ConfigMap', ...owner }];
  const { body } = await api.post(configMaps, { metadata: { name, ownerReferences, ...more } });
  return { name, uid: body['metadata'].uid as string };
};

describe('garbage collection', () => {
  test('dependents go with their owner, and theirs with them', async () => {
    const owner = await make('owner');
    const child = await make('child', owner);
    await make('grandchild', child);
    await make('bystander');
    await api.delete(`${configMaps}/owner`);
    await goes(`${configMaps}/grandchild`);
    expect(await code(`${configMaps}/child`)).toBe(404);
    expect(await code(`${configMaps}/bystander`)).toBe(200);
  });

  test('an object with a living owner stays and loses the reference to the dead one', async () => {
    const [one, two] = [await make('one'), await make('two')];
    const reference = (owner: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...owner });
    await api.post(configMaps, { metadata: { name: 'shared', ownerReferences: [reference(one), reference(two)] } });
    await api.delete(`${configMaps}/one`);
    await eventually('the dead owner is dropped', async () => {
      const { body } = await api.get(`${configMaps}/shared`);
      return body['metadata'].ownerReferences.length === 1;
    });
    expect((await api.get(`${configMaps}/shared`)).body['metadata'].ownerReferences[0].uid).toBe(two.uid);
  });

  test('an owner that never was, or that lives in another namespace, does not hold an object', async () => {
    await make('orphaned', { name: 'none', uid: '00000000-0000-0000-0000-000000000000' });
    await goes(`${configMaps}/orphaned`);
    const { body } = await api.post('/api/v1/namespaces/kube-system/configmaps', { metadata: { name: 'far' } });
    await make('across', { name: 'far', uid: body['metadata'].uid });
    await goes(`${configMaps}/across`);
  });

  test('a recreated owner of the same name is another owner', async () => {
    const first = await make('again');
    await api.delete(`${configMaps}/again`);
    await make('again');
    await make('stale-child', first);
    await goes(`${configMaps}/stale-child`);
  });

  test('Orphan leaves the dependents without the reference', async () => {
    const owner = await make('leaving');
    await make('left', owner);
    await api.delete(`${configMaps}/leaving?propagationPolicy=Orphan`);
    await goes(`${configMaps}/leaving`);
    expect((await api.get(`${configMaps}/left`)).body['metadata'].ownerReferences).toBeUndefined();
  });

  test('Foreground waits for the dependents that block', async () => {
    const owner = await make('waiting');
    const blocking = { ...owner, blockOwnerDeletion: true };
    await make('blocker', blocking, { finalizers: ['x.io/hold'] });
    await api.delete(`${configMaps}/waiting`, { propagationPolicy: 'Foreground' });
    await eventually('the dependent is being deleted', async () =>
      Boolean((await api.get(`${configMaps}/blocker`)).body['metadata'].deletionTimestamp),
    );
    expect((await api.get(`${configMaps}/waiting`)).body['metadata'].finalizers).toEqual(['foregroundDeletion']);
    await api.merge(`${configMaps}/blocker`, { metadata: { finalizers: null } });
    await goes(`${configMaps}/waiting`);
  });
});

describe('namespaces', () => {
  const inside = '/api/v1/namespaces/team/configmaps';

  test('come with a service account and the root certificate', async () => {
    const { body } = await api.post('/api/v1/namespaces', { metadata: { name: 'team' } });
    expect(body).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'team' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    expect(await code('/api/v1/namespaces/team/serviceaccounts/default')).toBe(200);
    const { body: ca } = await api.get(`${inside}/kube-root-ca.crt`);
    expect(ca['data']['ca.crt']).toBe(api.kube.caPem);
  });

  test('are emptied before they go, and take nothing new meanwhile', async () => {
    await api.post(inside, { metadata: { name: 'held', finalizers: ['x.io/hold'] } });
    await api.post(inside, { metadata: { name: 'free' } });
    const { body } = await api.delete('/api/v1/namespaces/team');
    expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    await goes(`${inside}/free`);
    const refused = await api.post(inside, { metadata: { name: 'late' } });
    expect(refused.body).toMatchObject({
      code: 403,
      message:
        'configmaps "late" is forbidden: unable to create new content in namespace team because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    });
    expect(await code('/api/v1/namespaces/team')).toBe(200);
    await api.merge(`${inside}/held`, { metadata: { finalizers: null } });
    await goes('/api/v1/namespaces/team');
  });

  test('default cannot be deleted', async () => {
    const { body } = await api.delete('/api/v1/namespaces/default');
    expect(body['message']).toBe('namespaces "default" is forbidden: this namespace may not be deleted');
  });
});

describe('custom resource definitions', () => {
  const crd = `${crds}/widgets.example.com`;
  const [version] = widgetCrd()['spec'].versions;

  test('report that their names are accepted and that they are established', async () => {
    await eventually('established', async () => (await api.get(crd)).body['status'].conditions.length === 2);
    const { status } = (await api.get(crd)).body;
    expect(status.conditions).toEqual([
      expect.objectContaining({ type: 'NamesAccepted', status: 'True' }),
      expect.objectContaining({ type: 'Established', status: 'True' }),
    ]);
    expect(status).toMatchObject({
      storedVersions: ['v1'],
      acceptedNames: { plural: 'widgets', listKind: 'WidgetList' },
    });
  });

  test('serve all their versions from one object', async () => {
    const versioned = widgetCrd();
    const [v1] = versioned['spec'].versions;
    versioned['spec'].versions.push({ ...v1, name: 'v2', storage: false });
    const { metadata } = (await api.get(crd)).body;
    versioned['metadata'].resourceVersion = metadata.resourceVersion;
    expect((await api.put(crd, versioned)).code).toBe(200);
    await api.post(widgets, widget('both', { size: 1 }));
    const path = '/apis/example.com/v2/namespaces/default/widgets';
    expect((await api.get(`${path}/both`)).body).toMatchObject({ apiVersion: 'example.com/v2', spec: { size: 1 } });
    expect((await api.merge(`${path}/both`, { spec: { size: 2 } })).body['apiVersion']).toBe('example.com/v2');
    expect((await api.get(`${widgets}/both`)).body).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: 2 } });
  });

  test.each([
    ['a name that is not plural.group', { metadata: { name: 'gadgets.example.com' } }, 'metadata.name'],
    ['no schema', { spec: { versions: [{ name: 'v1', served: true, storage: true }] } }, 'spec.versions[0].schema'],
    [
      'a schema that is not structural',
      { spec: { versions: [{ ...version, schema: { openAPIV3Schema: { properties: {} } } }] } },
      'spec.versions[0].schema.openAPIV3Schema.type',
    ],
    ['a version twice', { spec: { versions: [version, { ...version, storage: false }] } }, 'unique version names'],
    ['no storage version', { spec: { versions: [{ ...version, storage: false }] } }, 'exactly one version'],
    ['a Webhook conversion', { spec: { conversion: { strategy: 'Webhook' } } }, 'spec.conversion.strategy'],
  ])('%s is refused', async (_name, change: { metadata?: object; spec?: object }, field) => {
    const bad = widgetCrd({}, 'other.example.com');
    Object.assign(bad['metadata'], change.metadata);
    Object.assign(bad['spec'], change.spec);
    const { code: status, body } = await api.post(crds, bad);
    expect(status).toBe(422);
    expect(body['message']).toContain(field);
  });

  test('an object that breaks the schema is refused with the field', async () => {
    const { code: status, body } = await api.post(widgets, widget('broken', { size: 9 }));
    expect(status).toBe(422);
    expect(body['message']).toBe(
      'Widget.example.com "broken" is invalid: spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5',
    );
  });

  test('hold objects to their CEL rules, with the old object at hand', async () => {
    const rule = { rule: 'self.size >= oldSelf.size', message: 'size never shrinks' };
    const spec = { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': [rule] };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    await api.post(crds, widgetCrd({ schema }, 'cel.example.com'));
    const path = '/apis/cel.example.com/v1/namespaces/default/widgets';
    await api.post(path, { ...widget('grows', { size: 3 }), apiVersion: 'cel.example.com/v1' });
    expect((await api.merge(`${path}/grows`, { spec: { size: 4 } })).code).toBe(200);
    const { code: status, body } = await api.merge(`${path}/grows`, { spec: { size: 1 } });
    expect([status, body['message']]).toEqual([422, expect.stringContaining('size never shrinks')]);
  });

  test('take their objects with them, after the finalizers of these', async () => {
    await api.post(widgets, widget('last', {}, { finalizers: ['x.io/hold'] }));
    await api.delete(crd);
    await goes(`${widgets}/both`);
    expect(await code(crd)).toBe(200);
    await api.merge(`${widgets}/last`, { metadata: { finalizers: null } });
    await goes(crd);
    expect(await code(widgets)).toBe(404);
    expect((await api.get('/apis')).text).not.toContain('"example.com"');
  });
});
