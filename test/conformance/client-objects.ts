import { beforeAll, describe, expect, test } from '@jest/globals';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
import type { ClientWorld } from './client-world.ts';
import { configMaps, secrets } from './resources.ts';

/** Creating, reading, replacing and deleting objects. */
export function objectConformance(world: ClientWorld): void {
  const { id, namespace, widgets, configMap, key, failure, names } = world;
  let client: KubeClient;
  beforeAll(() => {
    ({ client } = world);
  });

  describe('create, get and delete', () => {
    test('a created object has what the server adds, and reads back the same', async () => {
      const created = await client.create(configMaps, configMap('crud', { data: { a: '1', b: 'ö' } }));
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1', b: 'ö' } });
      const { uid, resourceVersion, creationTimestamp } = created.metadata;
      for (const member of [uid, resourceVersion, creationTimestamp]) expect(member).toMatch(/./);
      expect(await client.get(configMaps, key('crud'))).toEqual(created);
      await client.delete(configMaps, key('crud'));
      expect(await client.tryGet(configMaps, key('crud'))).toBeUndefined();
    });

    test('a missing object is NotFound for get, replace, patch and delete', async () => {
      for (const action of [
        client.get(configMaps, key('missing')),
        client.replace(configMaps, configMap('missing')),
        client.patch(configMaps, key('missing'), { type: 'merge', body: {} }),
        client.delete(configMaps, key('missing')),
      ]) {
        expect(await failure(action)).toMatchObject({ status: 404, reason: 'NotFound' });
      }
      const unknown = { ...widgets, plural: 'gadgets' };
      expect(await failure(client.list(unknown))).toMatchObject({ status: 404 });
    });

    test('a name can be taken once', async () => {
      await client.create(configMaps, configMap('once'));
      expect(await failure(client.create(configMaps, configMap('once')))).toMatchObject({
        status: 409,
        reason: 'AlreadyExists',
      });
    });

    test('generateName makes names that differ', async () => {
      const template = configMap('', {}) as KubeObject;
      const metadata = { namespace, generateName: 'gen-' } as KubeObject['metadata'];
      const made = [
        await client.create(configMaps, { ...template, metadata }),
        await client.create(configMaps, { ...template, metadata }),
      ];
      for (const { metadata: given } of made) expect(given.name).toMatch(/^gen-.{5,}$/);
      expect(new Set(names(made)).size).toBe(2);
    });

    test('a namespace must exist', async () => {
      const stray = { ...configMap('stray'), metadata: { namespace: `no-${id}`, name: 'stray' } };
      expect(await failure(client.create(configMaps, stray))).toMatchObject({ status: 404 });
    });

    test('a bad name is Invalid, with the field among the causes', async () => {
      expect(await failure(client.create(configMaps, configMap('Not_Good')))).toMatchObject({
        status: 422,
        reason: 'Invalid',
        retryable: false,
        causes: expect.arrayContaining([expect.objectContaining({ field: 'metadata.name' })]),
      });
    });

    test('a dry run answers as if, and stores nothing', async () => {
      const made = await client.create(configMaps, configMap('dry'), { dryRun: true });
      expect(made.metadata.uid).toMatch(/./);
      expect(await client.tryGet(configMaps, key('dry'))).toBeUndefined();
      await client.create(configMaps, configMap('dry', { data: { a: '1' } }));
      const patch = { type: 'merge', body: { data: { a: '2' } } } as const;
      expect((await client.patch(configMaps, key('dry'), patch, { dryRun: true }))['data']).toEqual({ a: '2' });
      expect((await client.get(configMaps, key('dry')))['data']).toEqual({ a: '1' });
    });

    test('stringData of a Secret is stored as data', async () => {
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: key('plain'), stringData: { a: 'text' } };
      await client.create(secrets, secret);
      const stored = await client.get(secrets, key('plain'));
      expect(stored['data']).toEqual({ a: Buffer.from('text').toString('base64') });
      expect(stored).not.toHaveProperty('stringData');
    });

    test('finalizers hold an object, with a deletionTimestamp, until the last one goes', async () => {
      const held = configMap('held');
      held.metadata.finalizers = ['azimuth.test/one', 'azimuth.test/two'];
      const { metadata } = await client.create(configMaps, held);
      await client.delete(configMaps, key('held'));
      const waiting = await client.get(configMaps, key('held'));
      expect(waiting.metadata).toMatchObject({ uid: metadata.uid, deletionTimestamp: expect.any(String) });
      expect(waiting.metadata.resourceVersion).not.toBe(metadata.resourceVersion);
      const keep = { type: 'merge', body: { metadata: { finalizers: ['azimuth.test/two'] } } } as const;
      await client.patch(configMaps, key('held'), keep);
      expect(await client.tryGet(configMaps, key('held'))).toBeDefined();
      await client.patch(configMaps, key('held'), { type: 'merge', body: { metadata: { finalizers: [] } } });
      expect(await client.tryGet(configMaps, key('held'))).toBeUndefined();
    });

    test('delete obeys its preconditions', async () => {
      const { metadata } = await client.create(configMaps, configMap('guarded'));
      const wrong = [{ uid: '00000000-0000-0000-0000-000000000000' }, { resourceVersion: '1' }];
      for (const preconditions of wrong) {
        expect(await failure(client.delete(configMaps, key('guarded'), { preconditions }))).toMatchObject({
          status: 409,
          reason: 'Conflict',
        });
      }
      const { uid = '', resourceVersion = '' } = metadata;
      await client.delete(configMaps, key('guarded'), { preconditions: { uid, resourceVersion } });
      expect(await client.tryGet(configMaps, key('guarded'))).toBeUndefined();
    });
  });

  describe('replace', () => {
    test('a stale resourceVersion is a conflict, a missing one overwrites', async () => {
      const first = await client.create(configMaps, configMap('versions', { data: { a: '1' } }));
      const second = await client.replace(configMaps, { ...first, data: { a: '2' } });
      expect(second.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
      expect(await failure(client.replace(configMaps, { ...first, data: { a: '3' } }))).toMatchObject({
        status: 409,
        reason: 'Conflict',
        retryable: true,
      });
      expect(await client.replace(configMaps, configMap('versions', { data: { a: '4' } }))).toMatchObject({
        metadata: { uid: first.metadata.uid, creationTimestamp: first.metadata.creationTimestamp },
        data: { a: '4' },
      });
    });

    test('a replace that changes nothing keeps the resourceVersion', async () => {
      const first = await client.create(configMaps, configMap('same', { data: { a: '1' } }));
      const again = await client.replace(configMaps, first);
      expect(again.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    });

    test('another uid is a conflict: the object was made anew', async () => {
      await client.create(configMaps, configMap('remade'));
      const other = configMap('remade');
      other.metadata.uid = '00000000-0000-0000-0000-000000000000';
      expect(await failure(client.replace(configMaps, other))).toMatchObject({ status: 409, reason: 'Conflict' });
    });
  });
}
