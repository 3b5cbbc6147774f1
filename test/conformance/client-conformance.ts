/** What is demanded of any API server. Long, as it is one list: both servers get all of it, in one namespace. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { listAll, paginate } from '../../runtime/kube/client/paginate.ts';
import { isForbidden, isNotFound } from '../../runtime/kube/client/status-error.ts';
import type {
  KubeClient,
  KubeObject,
  ResourceType,
  WatchEvent,
  WatchOptions,
} from '../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../runtime/kube/config/connection.ts';
import { bearerToken } from '../../runtime/kube/config/credentials.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { fixedText } from '../../runtime/kube/config/text-source.ts';
import { eventually } from '../fakes/eventually.ts';
import {
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  widgetDefinition,
  widgetType,
} from './resources.ts';

/**
 * What the client and any Kubernetes API must agree on. Needs the rights of an administrator; works in a namespace and
 * an API group of its own, both removed at the end. Neither controllers nor nodes are needed.
 */
export function clientConformance(name: string, kubeconfigPath: () => string | Promise<string>): void {
  describe(`client conformance: ${name}`, () => {
    const id = randomBytes(4).toString('hex');
    const namespace = `conformance-${id}`;
    const widgets = widgetType(`conformance-${id}.azimuth.test`);
    let connection: KubeConnection;
    let client: KubeClient;

    const configMap = (mapName: string, more: Partial<KubeObject> & { labels?: Record<string, string> } = {}) => {
      const { labels, ...rest } = more;
      const metadata = { namespace, name: mapName, ...(labels ? { labels } : {}) };
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...rest } as KubeObject;
    };
    const widget = (widgetName: string, spec: object): KubeObject => ({
      apiVersion: `${widgets.group}/v1`,
      kind: 'Widget',
      metadata: { namespace, name: widgetName },
      spec,
    });
    const key = (objectName: string) => ({ namespace, name: objectName });
    const failure = async (action: Promise<unknown>): Promise<unknown> =>
      action.then(
        () => new Error('the request was accepted'),
        (error) => error,
      );
    const names = (items: readonly KubeObject[]) => items.map(({ metadata }) => metadata.name).sort();

    /** Events until `count` have come; bookmarks are left out. */
    const take = async (type: ResourceType, count: number, options: WatchOptions): Promise<string[]> => {
      const seen: string[] = [];
      const signal = AbortSignal.timeout(60_000);
      for await (const event of client.watch(type, { namespace, signal, ...options })) {
        if (event.type !== 'BOOKMARK') seen.push(`${event.type} ${event.object.metadata.name}`);
        if (seen.length === count) break;
      }
      return seen;
    };

    beforeAll(async () => {
      connection = loadKubeConnection({ kubeconfig: await kubeconfigPath() });
      client = createKubeClient(connection, { userAgent: 'azimuth-conformance' });
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await client.create(customResourceDefinitions, widgetDefinition(widgets));
      await eventually('the custom resource is served', async () => {
        try {
          await client.list(widgets);
          return true;
        } catch (error) {
          if (isNotFound(error)) return false;
          throw error;
        }
      });
    });

    afterAll(async () => {
      for (const item of (await listAll(client, widgets)).items) {
        const removal = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
        await client.patch(widgets, item.metadata, removal);
      }
      await client.delete(customResourceDefinitions, { name: `widgets.${widgets.group}` });
      for (const type of [configMaps, secrets, serviceAccounts, roles, roleBindings, deployments]) {
        for (const { metadata } of (await listAll(client, type, { namespace })).items) {
          await client.delete(type, metadata, { propagationPolicy: 'Background' });
        }
      }
      await client.delete(namespaces, { name: namespace });
      const left = await client.tryGet(namespaces, { name: namespace });
      if (left) {
        // Where no controller finalizes namespaces, this does.
        const done = { ...left, spec: { finalizers: [] } };
        await client.replace(namespaces, done, { subresource: 'finalize' }).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      }
      await client.close();
    });

    test('version and discovery are readable', async () => {
      expect(await client.raw('/version')).toMatchObject({ gitVersion: expect.stringMatching(/^v\d+\.\d+/) });
      const path = `/apis/${widgets.group}/v1`;
      // A server that has just had other CRDs taken away serves the kind before its discovery tells of it.
      await eventually(
        'the group is discoverable',
        async () => {
          try {
            return (await client.raw(path)) !== undefined;
          } catch (error) {
            if (isNotFound(error)) return false;
            throw error;
          }
        },
        60_000,
      );
      expect(await client.raw(path)).toMatchObject({
        resources: expect.arrayContaining([
          expect.objectContaining({ name: 'widgets', kind: 'Widget', namespaced: true }),
          expect.objectContaining({ name: 'widgets/status' }),
        ]),
      });
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
        expect(
          await failure(client.patch(configMaps, key('json'), { type: 'json', operations: failing })),
        ).toMatchObject({ status: 422 });
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

    describe('list', () => {
      const labelled = 'azimuth.test/set=list';

      beforeAll(async () => {
        for (let i = 0; i < 7; i++) {
          const labels = {
            'azimuth.test/set': 'list',
            parity: i % 2 ? 'odd' : 'even',
            ...(i === 6 ? { last: '' } : {}),
          };
          await client.create(configMaps, configMap(`item-${i}`, { labels }));
        }
      });

      test('pages are cut at the limit, complete, and of one moment', async () => {
        const sizes: number[] = [];
        const seen: KubeObject[] = [];
        for await (const page of paginate(client, configMaps, { namespace, labelSelector: labelled, limit: 3 })) {
          sizes.push(page.items.length);
          seen.push(...page.items);
          if (sizes.length === 1) {
            const labels = { 'azimuth.test/set': 'list' };
            await client.create(configMaps, configMap('item-late', { labels }));
          }
        }
        await client.delete(configMaps, key('item-late'));
        expect(Math.max(...sizes)).toBe(3);
        expect(names(seen)).toEqual(Array.from({ length: 7 }, (_, i) => `item-${i}`));
        expect(seen[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
      });

      test('a continue token that is none is a bad request', async () => {
        expect(await failure(client.list(configMaps, { namespace, limit: 1, continue: 'nonsense' }))).toMatchObject({
          status: 400,
        });
      });

      test.each([
        ['parity=odd', ['item-1', 'item-3', 'item-5']],
        ['parity!=odd', ['item-0', 'item-2', 'item-4', 'item-6']],
        ['parity in (odd,even),last', ['item-6']],
        ['parity notin (even)', ['item-1', 'item-3', 'item-5']],
        ['parity=even,!last', ['item-0', 'item-2', 'item-4']],
      ])('the label selector %s finds what it should', async (selector, expected) => {
        const { items } = await client.list(configMaps, { namespace, labelSelector: `${labelled},${selector}` });
        expect(names(items)).toEqual(expected);
      });

      test('field selectors find by name, and unknown fields are refused', async () => {
        const named = await client.list(configMaps, { namespace, fieldSelector: 'metadata.name=item-3' });
        expect(names(named.items)).toEqual(['item-3']);
        const everywhere = await client.list(configMaps, { fieldSelector: `metadata.namespace=${namespace}` });
        expect(names(everywhere.items)).toContain('item-3');
        expect(await failure(client.list(configMaps, { namespace, fieldSelector: 'data.a=1' }))).toMatchObject({
          status: 400,
        });
        expect(await failure(client.list(configMaps, { namespace, labelSelector: 'a in (' }))).toMatchObject({
          status: 400,
        });
      });

      test('a list across namespaces holds its objects, and the version of a list moves on', async () => {
        const before = await listAll(client, configMaps, { labelSelector: labelled });
        expect(names(before.items)).toEqual(Array.from({ length: 7 }, (_, i) => `item-${i}`));
        await client.create(configMaps, configMap('mover'));
        const after = await client.list(configMaps, { namespace, limit: 1 });
        expect(after.resourceVersion).not.toBe(before.resourceVersion);
        expect(after.continue).toMatch(/./);
      });
    });

    describe('watch', () => {
      const selected = { 'azimuth.test/watch': 'yes' };
      const labelSelector = 'azimuth.test/watch=yes';

      test('every change after a list comes in order', async () => {
        const { resourceVersion } = await client.list(configMaps, { namespace, limit: 1 });
        const seen = take(configMaps, 4, { resourceVersion, labelSelector });
        await client.create(configMaps, configMap('w1', { labels: selected }));
        await client.create(configMaps, configMap('unselected'));
        await client.patch(configMaps, key('w1'), { type: 'merge', body: { data: { a: '1' } } });
        await client.create(configMaps, configMap('w2', { labels: selected }));
        await client.delete(configMaps, key('w1'));
        expect(await seen).toEqual(['ADDED w1', 'MODIFIED w1', 'ADDED w2', 'DELETED w1']);
        // The same history is told to whoever asks later.
        expect(await take(configMaps, 4, { resourceVersion, labelSelector })).toEqual(await seen);
      });

      test('an object that enters or leaves the selector is added or deleted', async () => {
        const { resourceVersion } = await client.list(configMaps, { namespace, limit: 1 });
        const made = await client.create(configMaps, configMap('w3'));
        const relabel = async (labels: object) => {
          await client.patch(configMaps, key('w3'), { type: 'merge', body: { metadata: { labels } } });
        };
        await relabel(selected);
        await relabel({ 'azimuth.test/watch': null });
        expect(made.metadata.resourceVersion).not.toBe(resourceVersion);
        expect(await take(configMaps, 2, { resourceVersion, labelSelector })).toEqual(['ADDED w3', 'DELETED w3']);
      });

      test('finalizers show as a change before the deletion', async () => {
        const { resourceVersion } = await client.list(widgets, { namespace });
        const held = widget('w4', { size: 1 });
        held.metadata.finalizers = ['azimuth.test/hold'];
        await client.create(widgets, held);
        await client.delete(widgets, key('w4'));
        await client.patch(widgets, key('w4'), { type: 'merge', body: { metadata: { finalizers: null } } });
        const options = { resourceVersion, fieldSelector: 'metadata.name=w4' };
        expect(await take(widgets, 3, options)).toEqual(['ADDED w4', 'MODIFIED w4', 'DELETED w4']);
      });

      test('a watch has bookmarks, ends by itself after timeoutSeconds, and bookmarks can be resumed from', async () => {
        const { resourceVersion } = await client.list(configMaps, { namespace, limit: 1 });
        await client.create(configMaps, configMap('w5'));
        const events: WatchEvent[] = [];
        // Servers send a bookmark two seconds before the end; those of 2020 only if something changed meanwhile.
        for await (const event of client.watch(configMaps, { namespace, resourceVersion, timeoutSeconds: 8 })) {
          if (events.length === 0) await client.create(configMaps, configMap('w5-later'));
          events.push(event);
        }
        const bookmarks = events.flatMap((event) => (event.type === 'BOOKMARK' ? [event.resourceVersion] : []));
        expect(bookmarks.length).toBeGreaterThan(0);
        await client.create(configMaps, configMap('w6'));
        expect(await take(configMaps, 1, { resourceVersion: bookmarks.at(-1) ?? '' })).toEqual(['ADDED w6']);
      });

      test('a version that is too old is expired, one that is none is refused', async () => {
        const expired = async (resourceVersion: string) => failure(take(widgets, 1, { resourceVersion }));
        expect(await expired('1')).toMatchObject({ code: 'AZ_WATCH_EXPIRED', status: 410 });
        // 400 by today's servers, 500 by those of 2020.
        expect(await expired('nonsense')).toMatchObject({ code: 'AZ_KUBE_STATUS', status: expect.any(Number) });
      });

      test('an abort ends a quiet watch', async () => {
        const { resourceVersion } = await client.list(configMaps, { namespace, limit: 1 });
        const controller = new AbortController();
        const labels = { labelSelector: 'azimuth.test/watch=never' };
        const pending = take(configMaps, 1, { resourceVersion, signal: controller.signal, ...labels });
        const reason = new Error('enough');
        controller.abort(reason);
        expect(await failure(pending)).toBe(reason);
      });
    });

    describe('service accounts', () => {
      let restricted: KubeClient;
      let token: string;

      beforeAll(async () => {
        const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key('reader') };
        await client.create(serviceAccounts, account);
        const issued = await client.createSubresource<{ status: { token: string; expirationTimestamp: string } }>(
          serviceAccounts,
          key('reader'),
          'token',
          {
            apiVersion: 'authentication.k8s.io/v1',
            kind: 'TokenRequest',
            spec: { expirationSeconds: 3600 },
          },
        );
        token = issued.status.token;
        expect(Date.parse(issued.status.expirationTimestamp)).toBeGreaterThan(Date.now());
        restricted = createKubeClient({ ...connection, credential: bearerToken(fixedText(token)) });
      });
      afterAll(() => restricted?.close());

      test('an issued token names the account and its audience', async () => {
        const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
        expect(claims).toMatchObject({ sub: `system:serviceaccount:${namespace}:reader` });
        expect(claims.exp - claims.iat).toBe(3600);
        const audience = { spec: { audiences: ['api://AzureADTokenExchange'], expirationSeconds: 600 } };
        const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', ...audience };
        const other = await client.createSubresource<{ status: { token: string } }>(
          serviceAccounts,
          key('reader'),
          'token',
          body,
        );
        const { aud } = JSON.parse(Buffer.from(other.status.token.split('.')[1] ?? '', 'base64url').toString());
        expect([aud].flat()).toEqual(['api://AzureADTokenExchange']);
        const foreign = createKubeClient({ ...connection, credential: bearerToken(fixedText(other.status.token)) });
        expect(await failure(foreign.list(configMaps, { namespace }))).toMatchObject({ status: 401 });
        await foreign.close();
      });

      test('a token that nobody issued is unauthorized', async () => {
        const stranger = createKubeClient({ ...connection, credential: bearerToken(fixedText('a.b.c')) });
        expect(await failure(stranger.list(configMaps, { namespace }))).toMatchObject({ status: 401 });
        await stranger.close();
      });

      test('what no role allows is forbidden, for every verb, and a role opens just what it says', async () => {
        const denied = await Promise.all([
          failure(restricted.get(configMaps, key('any'))),
          failure(restricted.list(configMaps, { namespace })),
          failure(restricted.create(configMaps, configMap('any'))),
          failure(restricted.delete(configMaps, key('any'))),
          failure(restricted.watch(configMaps, { namespace, resourceVersion: '0' })[Symbol.asyncIterator]().next()),
        ]);
        for (const error of denied) expect(error).toMatchObject({ status: 403, reason: 'Forbidden' });
        expect(String(denied[1])).toContain('list');

        await client.create(roles, {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: key('reader'),
          rules: [
            { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
            { apiGroups: [widgets.group], resources: ['widgets/status'], verbs: ['patch'] },
          ],
        });
        await client.create(roleBindings, {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: key('reader'),
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
          subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace }],
        });
        await eventually('the role is in force', async () => {
          try {
            await restricted.list(configMaps, { namespace });
            return true;
          } catch (error) {
            if (isForbidden(error)) return false;
            throw error;
          }
        });
        expect(isForbidden(await failure(restricted.create(configMaps, configMap('any'))))).toBe(true);
        expect(isForbidden(await failure(restricted.list(configMaps)))).toBe(true);
        expect(isForbidden(await failure(restricted.list(secrets, { namespace })))).toBe(true);

        await client.create(widgets, widget('restricted', { size: 1 }));
        const patch = { type: 'merge', body: { status: { phase: 'Seen' } } } as const;
        expect(isForbidden(await failure(restricted.patch(widgets, key('restricted'), patch)))).toBe(true);
        const options = { subresource: 'status' };
        expect(await restricted.patch(widgets, key('restricted'), patch, options)).toMatchObject({
          status: { phase: 'Seen' },
        });
      });
    });
  });
}
