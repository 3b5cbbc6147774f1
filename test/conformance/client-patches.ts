import { beforeAll, describe, expect, test } from '@jest/globals';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
import type { ClientWorld } from './client-world.ts';
import { configMaps, deployments } from './resources.ts';

/** Patches, server-side apply, and the status of custom resources. */
export function patchConformance(world: ClientWorld): void {
  const { widgets, configMap, widget, key, failure } = world;
  let client: KubeClient;
  beforeAll(() => {
    ({ client } = world);
  });

  describe('patch', () => {
    test('a merge patch sets members and removes those that are null', async () => {
      await client.create(configMaps, configMap('merge', { data: { a: '1', b: '2' } }));
      const body = { data: { a: null, c: '3' }, metadata: { labels: { x: 'y' } } };
      expect(await client.patch(configMaps, key('merge'), { type: 'merge', body })).toMatchObject({
        data: { b: '2', c: '3' },
        metadata: { labels: { x: 'y' } },
      });
      expect((await client.get(configMaps, key('merge')))['data']).toEqual({ b: '2', c: '3' });
    });

    test('a merge patch with a stale resourceVersion is a conflict', async () => {
      const { metadata } = await client.create(configMaps, configMap('merge-stale'));
      await client.patch(configMaps, key('merge-stale'), { type: 'merge', body: { data: { a: '1' } } });
      const body = { metadata: { resourceVersion: metadata.resourceVersion }, data: { a: '2' } };
      expect(await failure(client.patch(configMaps, key('merge-stale'), { type: 'merge', body }))).toMatchObject({
        status: 409,
        reason: 'Conflict',
      });
    });

    test('a JSON patch applies its operations all or not at all', async () => {
      const labels = { 'azimuth.test/a': 'x' };
      await client.create(configMaps, configMap('json', { labels, data: { a: '1', b: '2' } }));
      const operations = [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '9' },
        { op: 'move', from: '/data/b', path: '/data/d' },
        { op: 'copy', from: '/data/a', path: '/data/e' },
        { op: 'add', path: '/data/f', value: '4' },
        { op: 'remove', path: '/data/e' },
        { op: 'add', path: '/metadata/labels/azimuth.test~1a', value: 'y' },
      ] as const;
      const patched = await client.patch(configMaps, key('json'), { type: 'json', operations });
      expect(patched).toMatchObject({ metadata: { labels: { 'azimuth.test/a': 'y' } } });
      expect(patched['data']).toEqual({ a: '9', d: '2', f: '4' });
      const failing = [
        { op: 'replace', path: '/data/a', value: '0' },
        { op: 'test', path: '/data/d', value: 'other' },
      ] as const;
      expect(await failure(client.patch(configMaps, key('json'), { type: 'json', operations: failing }))).toMatchObject(
        { status: 422 },
      );
      expect(await client.get(configMaps, key('json'))).toEqual(patched);
    });

    test('a strategic merge patch joins lists by their merge key, and custom resources refuse it', async () => {
      const labels = { app: 'x' };
      await client.create(deployments, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: key('strategic'),
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              containers: [
                { name: 'one', image: 'one:1', env: [{ name: 'A', value: '1' }] },
                { name: 'two', image: 'two:1' },
              ],
            },
          },
        },
      });
      const containers = [
        { name: 'one', env: [{ name: 'B', value: '2' }] },
        { name: 'two', $patch: 'delete' },
        { name: 'three', image: 'three:1' },
      ];
      const body = { spec: { template: { spec: { containers } } } };
      const patched = await client.patch(deployments, key('strategic'), { type: 'strategic', body });
      const found = patched['spec'].template.spec.containers as { name: string; image: string; env?: object[] }[];
      expect(found.map(({ name: container, image }) => `${container} ${image}`).sort()).toEqual([
        'one one:1',
        'three three:1',
      ]);
      expect(found.find((container) => container.name === 'one')?.env).toHaveLength(2);
      await client.create(widgets, widget('strategic', { size: 1 }));
      expect(
        await failure(client.patch(widgets, key('strategic'), { type: 'strategic', body: { spec: { size: 2 } } })),
      ).toMatchObject({ status: 415 });
    });
  });

  describe('server-side apply', () => {
    const one = { fieldManager: 'manager-one' };
    const two = { fieldManager: 'manager-two' };

    test('apply creates, and the manager owns what it applied', async () => {
      const applied = await client.apply(configMaps, configMap('apply', { data: { a: '1', b: '1' } }), one);
      expect(applied.metadata.managedFields).toEqual([
        expect.objectContaining({ manager: 'manager-one', operation: 'Apply' }),
      ]);
      const again = await client.apply(configMaps, configMap('apply', { data: { a: '1', b: '1' } }), one);
      expect(again.metadata.resourceVersion).toBe(applied.metadata.resourceVersion);
    });

    test('another manager meets a conflict that names field and owner, and may force it', async () => {
      await client.apply(configMaps, configMap('contested', { data: { a: '1', b: '1' } }), one);
      const wanted = configMap('contested', { data: { a: '2' } });
      const error = await failure(client.apply(configMaps, wanted, two));
      expect(error).toMatchObject({
        status: 409,
        reason: 'Conflict',
        message: expect.stringContaining('manager-one'),
        causes: [expect.objectContaining({ reason: 'FieldManagerConflict', field: '.data.a' })],
      });
      const forced = await client.apply(configMaps, wanted, { ...two, force: true });
      expect(forced['data']).toEqual({ a: '2', b: '1' });
      expect(
        await failure(client.apply(configMaps, configMap('contested', { data: { a: '1', b: '1' } }), one)),
      ).toMatchObject({ status: 409 });
    });

    test('a value that managers agree on is shared, and stays when one of them lets go', async () => {
      await client.apply(configMaps, configMap('shared', { data: { a: '1', b: '1' } }), one);
      await client.apply(configMaps, configMap('shared', { data: { a: '1' } }), two);
      const after = await client.apply(configMaps, configMap('shared', { data: { b: '1' } }), one);
      expect(after['data']).toEqual({ a: '1', b: '1' });
    });

    test('a field that its only manager leaves out is removed', async () => {
      await client.apply(configMaps, configMap('dropped', { data: { a: '1', b: '1' } }), one);
      const after = await client.apply(configMaps, configMap('dropped', { data: { a: '1' } }), one);
      expect(after['data']).toEqual({ a: '1' });
    });

    test('custom resources and their status can be applied', async () => {
      const applied = await client.apply(widgets, widget('apply', { size: 3 }), one);
      expect(applied['spec']).toEqual({ size: 3, color: 'red' });
      const { spec: _, ...bare } = widget('apply', {});
      const status = { ...bare, status: { phase: 'Good' } } as KubeObject;
      const after = await client.apply(widgets, status, { ...two, subresource: 'status' });
      expect(after).toMatchObject({ spec: { size: 3 }, status: { phase: 'Good' } });
    });
  });

  describe('custom resources', () => {
    test('defaults are filled in and unknown fields dropped', async () => {
      const made = await client.create(widgets, widget('pruned', { size: 1, unknown: true, notes: { a: 'b' } }));
      expect(made['spec']).toEqual({ size: 1, color: 'red', notes: { a: 'b' } });
    });

    test.each([
      ['a missing member', {}, 'spec.size'],
      ['a value out of range', { size: 0 }, 'spec.size'],
      ['a value of another type', { size: 'large' }, 'spec.size'],
      ['a value not in the enum', { size: 1, color: 'green' }, 'spec.color'],
    ])('%s is Invalid and names the field', async (_, spec, field) => {
      expect(await failure(client.create(widgets, widget('invalid', spec)))).toMatchObject({
        status: 422,
        reason: 'Invalid',
        message: expect.stringContaining(field),
        causes: expect.arrayContaining([expect.objectContaining({ field })]),
      });
    });

    test('spec and status are written apart, and only spec moves the generation', async () => {
      const made = await client.create(widgets, { ...widget('split', { size: 1 }), status: { phase: 'Early' } });
      expect(made['status']).toBeUndefined();
      expect(made.metadata.generation).toBe(1);

      const changed = { ...made, spec: { size: 5 }, status: { phase: 'Good' } };
      const status = await client.replace(widgets, changed, { subresource: 'status' });
      expect(status).toMatchObject({ spec: { size: 1 }, status: { phase: 'Good' }, metadata: { generation: 1 } });

      const patch = { type: 'merge', body: { spec: { size: 2 }, status: { phase: 'Ignored' } } } as const;
      const spec = await client.patch(widgets, key('split'), patch);
      expect(spec).toMatchObject({ spec: { size: 2 }, status: { phase: 'Good' }, metadata: { generation: 2 } });

      const onlyStatus = { type: 'merge', body: { spec: { size: 9 }, status: { phase: 'Late' } } } as const;
      const after = await client.patch(widgets, key('split'), onlyStatus, { subresource: 'status' });
      expect(after).toMatchObject({ spec: { size: 2 }, status: { phase: 'Late' }, metadata: { generation: 2 } });

      const stale = { ...made, status: { phase: 'Stale' } };
      expect(await failure(client.replace(widgets, stale, { subresource: 'status' }))).toMatchObject({ status: 409 });
    });

    test('a replace must name the resourceVersion', async () => {
      await client.create(widgets, widget('versioned', { size: 1 }));
      expect(await failure(client.replace(widgets, widget('versioned', { size: 2 })))).toMatchObject({ status: 422 });
    });

    test('an object being deleted takes no new finalizer', async () => {
      const held = widget('closing', { size: 1 });
      held.metadata.finalizers = ['azimuth.test/hold'];
      await client.create(widgets, held);
      await client.delete(widgets, key('closing'));
      const finalizers = ['azimuth.test/hold', 'azimuth.test/late'];
      const patch = { type: 'merge', body: { metadata: { finalizers } } } as const;
      expect(await failure(client.patch(widgets, key('closing'), patch))).toMatchObject({ status: 422 });
      await client.patch(widgets, key('closing'), { type: 'merge', body: { metadata: { finalizers: null } } });
      expect(await client.tryGet(widgets, key('closing'))).toBeUndefined();
    });
  });
}
