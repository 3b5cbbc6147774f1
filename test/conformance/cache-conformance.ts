import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../runtime/base/clock.ts';
import { Reflector } from '../../runtime/kube/cache/reflector.ts';
import type { ReflectorOptions, Runtime } from '../../runtime/kube/cache/types.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { listAll } from '../../runtime/kube/client/paginate.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { updateWithRetry } from '../../runtime/kube/client/update-with-retry.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { Controller } from '../../runtime/kube/controller/controller.ts';
import { addFinalizer, removeFinalizer } from '../../runtime/kube/controller/finalizers.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import { eventsType } from '../../runtime/kube/events/event-object.ts';
import { KubeEventRecorder } from '../../runtime/kube/events/recorder.ts';
import { type Lease, leasesType } from '../../runtime/kube/leader-election/lease-record.ts';
import { eventually } from '../fakes/eventually.ts';
import { runtimeOf } from '../fakes/kube-objects.ts';
import {
  configMaps,
  customResourceDefinitions,
  namespaces,
  secrets,
  widgetDefinition,
  widgetType,
} from './resources.ts';

/**
 * What caches, controllers, leases, events and finalizers need from any Kubernetes API. Needs the rights of an
 * administrator; works in a namespace of its own, removed at the end. Neither controllers nor nodes are needed.
 */
export function cacheConformance(name: string, kubeconfigPath: () => string | Promise<string>): void {
  describe(`cache conformance: ${name}`, () => {
    const namespace = `cache-${randomBytes(4).toString('hex')}`;
    let client: KubeClient;
    let runtime: Runtime;

    beforeAll(async () => {
      client = createKubeClient(loadKubeConnection({ kubeconfig: await kubeconfigPath() }));
      runtime = runtimeOf(client);
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    });

    afterAll(async () => {
      for (const type of [configMaps, secrets, leasesType, eventsType]) {
        for (const { metadata } of (await listAll(client, type, { namespace })).items)
          await client.delete(type, metadata);
      }
      await client.delete(namespaces, { name: namespace });
      const left = await client.tryGet(namespaces, { name: namespace });
      // Where no controller finalizes namespaces, this does.
      const done = left && { ...left, spec: { finalizers: [] } };
      if (done) await client.replace(namespaces, done, { subresource: 'finalize' }).catch(() => undefined);
      await client.close();
    });

    const configMap = (mapName: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) =>
      ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: mapName, labels }, data }) as KubeObject;
    const key = (objectName: string) => ({ namespace, name: objectName });
    const versions = (objects: readonly KubeObject[]) =>
      objects.map(({ metadata }) => `${metadata.name}@${metadata.uid}@${metadata.resourceVersion}`).sort();

    async function reflecting(
      options: Partial<ReflectorOptions> & { readonly type: ResourceType },
      check: (reflector: Reflector) => Promise<void>,
      through: Runtime = runtime,
    ): Promise<void> {
      const stop = new AbortController();
      const reflector = new Reflector(through, { namespaces: [namespace], backoff: { initialMs: 10 }, ...options });
      const running = reflector.run(stop.signal);
      try {
        await reflector.whenSynced(AbortSignal.timeout(60_000));
        await check(reflector);
      } finally {
        stop.abort();
        await running;
      }
    }

    const equal = async (reflector: Reflector, labelSelector = '') => {
      const wanted = versions((await listAll(client, reflector.type, { namespace, labelSelector })).items);
      await eventually('the cache is equal', () => versions(reflector.list()).join() === wanted.join());
    };

    test('a cache is filled in pages and follows creation, change and deletion', async () => {
      for (let i = 0; i < 7; i++) await client.create(configMaps, configMap(`map-${i}`, { value: '0' }));
      const options = {
        type: configMaps,
        pageSize: 3,
        indexes: { value: ({ data }: KubeObject) => [data?.value ?? ''] },
      };
      await reflecting(options, async (reflector) => {
        await equal(reflector);
        await client.create(configMaps, configMap('map-7'));
        await client.patch(configMaps, key('map-1'), { type: 'merge', body: { data: { value: '1' } } });
        await client.delete(configMaps, key('map-2'));
        await client.delete(configMaps, key('map-3'));
        await client.create(configMaps, configMap('map-3', { value: '3' }));
        await equal(reflector);
        expect(reflector.byIndex('value', '1').map(({ metadata }) => metadata.name)).toEqual(['map-1']);
        const [held] = reflector.byIndex('value', '3');
        expect(held).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { value: '3' } });
        expect(held?.metadata.managedFields).toBeUndefined();
      });
    });

    test('a cache from the server memory and one by label hold the same as a list', async () => {
      await client.create(configMaps, configMap('labelled', {}, { side: 'left' }));
      const options = { type: configMaps, labelSelector: 'side=left', listFrom: 'cache' as const };
      await reflecting(options, async (reflector) => {
        await equal(reflector, 'side=left');
        await client.patch(configMaps, key('labelled'), {
          type: 'merge',
          body: { metadata: { labels: { side: 'right' } } },
        });
        // Leaving the selection is a deletion.
        await eventually('it is gone', () => reflector.size === 0);
      });
    });

    test('metadata-only caches hold no secret content', async () => {
      const value = `hidden-${randomBytes(8).toString('hex')}`;
      const secret = (secretName: string): KubeObject => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace, name: secretName },
        stringData: { value },
      });
      await client.create(secrets, secret('first'));
      await reflecting({ type: secrets, metadataOnly: true }, async (reflector) => {
        await client.create(secrets, secret('second'));
        await eventually('both are known', () => ['first', 'second'].every((each) => reflector.get(key(each))));
        expect(reflector.get(key('second'))).toMatchObject({ apiVersion: 'v1', kind: 'Secret' });
        const text = JSON.stringify(reflector.list());
        expect(text).not.toContain(value);
        expect(text).not.toContain(Buffer.from(value).toString('base64'));
      });
    });

    // A server that has just begun to serve a kind knows nothing from before, however young the server itself is.
    test('a position that is too old ends in a new list', async () => {
      const widgets = widgetType(`${namespace}.azimuth.test`);
      const widget = (widgetName: string): KubeObject => ({
        apiVersion: `${widgets.group}/v1`,
        kind: 'Widget',
        metadata: key(widgetName),
        spec: { size: 1 },
      });
      await client.create(customResourceDefinitions, widgetDefinition(widgets));
      try {
        await eventually('the kind is served', () =>
          client.list(widgets).then(
            () => true,
            () => false,
          ),
        );
        await client.create(widgets, widget('before'));
        let watches = 0;
        // Only the position is not what the reflector asked for; the refusal is the server's own.
        const late = new Proxy(client, {
          get(target, member: keyof KubeClient) {
            if (member !== 'watch') return (target[member] as (...given: unknown[]) => unknown).bind(target);
            return (type: ResourceType, options: Parameters<KubeClient['watch']>[1]) =>
              target.watch(type, watches++ === 0 ? { ...options, resourceVersion: '1' } : options);
          },
        });
        await reflecting(
          { type: widgets },
          async (reflector) => {
            await eventually('it watches again', () => watches >= 2);
            await client.create(widgets, widget('after-the-gap'));
            await equal(reflector);
          },
          { ...runtimeOf(late) },
        );
      } finally {
        await client.delete(customResourceDefinitions, { name: `widgets.${widgets.group}` });
      }
    });

    test('a program elects one replica, reconciles, reports an event and hands over', async () => {
      const worked: string[] = [];
      const start = (identity: string) => {
        const own = runtimeOf(client);
        const lease = {
          namespace,
          name: 'election',
          identity,
          leaseDurationMs: 10_000,
          renewDeadlineMs: 8000,
          retryPeriodMs: 100,
        };
        const manager = new Manager(own, { name: 'conformance', lease });
        const primary = manager.watch({ type: configMaps, namespaces: [namespace], labelSelector: 'elect=yes' });
        const controller = new Controller(own, {
          name: 'maps',
          primary,
          reconcile: async (request) => {
            const regarding = primary.get(request);
            worked.push(identity);
            if (regarding) manager.events.record({ regarding, reason: 'Seen', action: 'Look', note: 'seen' });
            return undefined;
          },
        });
        manager.addController(controller);
        const stop = new AbortController();
        return { running: manager.run(stop.signal), stop, primary };
      };
      await client.create(configMaps, configMap('elected', {}, { elect: 'yes' }));
      const a = start('a');
      await eventually('a works', () => worked.length === 1);
      const b = start('b');
      await b.primary.whenSynced();
      await client.patch(configMaps, key('elected'), { type: 'merge', body: { data: { round: '2' } } });
      await eventually('a works again', () => worked.length === 2);
      a.stop.abort();
      await a.running;
      await eventually('b works', () => worked.includes('b'));
      expect(worked).toEqual(['a', 'a', 'b']);
      const lease = await client.get<Lease>(leasesType, key('election'));
      expect(lease.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1, leaseDurationSeconds: 10 });
      b.stop.abort();
      await b.running;
      expect((await client.get<Lease>(leasesType, key('election'))).spec.holderIdentity).toBeUndefined();
      const { items: events } = await listAll(client, eventsType, { namespace });
      const seen = events.filter(({ reason, regarding }) => reason === 'Seen' && regarding.name === 'elected');
      expect(seen.map(({ series }) => series?.count ?? 1).sort()).toEqual([1, 2]);
      expect(events.map(({ reason }) => reason)).toContain('StartedLeading');
    });

    test('events in a series, with long notes and about cluster-scoped objects are accepted', async () => {
      const recorder = new KubeEventRecorder(runtime, { controller: 'azimuth.dev/conformance', seriesIntervalMs: 50 });
      const regarding = await client.create(configMaps, configMap('eventful'));
      const about = async (objectName: string, where: string) =>
        (await listAll(client, eventsType, { namespace: where })).items.filter(
          (event) => event['regarding'].name === objectName,
        );
      const long = { reason: 'R'.repeat(128), action: 'A'.repeat(128), note: '€'.repeat(1000) };
      for (let i = 0; i < 3; i++) recorder.record({ regarding, type: 'Warning', ...long });
      await systemClock.sleep(200);
      for (let i = 0; i < 4; i++) recorder.record({ regarding, type: 'Warning', ...long });
      const owner = await client.get(namespaces, { name: namespace });
      recorder.record({ regarding: owner, reason: 'Cluster', action: 'Look', note: 'about a namespace' });
      await recorder.close();
      const [series] = await about('eventful', namespace);
      expect(series?.['series'].count).toBe(7);
      expect(Buffer.byteLength(series?.['note'])).toBeLessThanOrEqual(1024);
      const cluster = await about(namespace, 'kube-system');
      expect(cluster).toHaveLength(1);
      for (const { metadata } of cluster) await client.delete(eventsType, metadata);
    });

    test('finalizers hold an object until they are removed, and stale copies do no harm', async () => {
      const finalizer = 'azimuth.dev/conformance';
      const stale = await client.create(configMaps, configMap('finalized'));
      await client.patch(configMaps, key('finalized'), { type: 'merge', body: { data: { changed: 'yes' } } });
      const held = await addFinalizer(client, configMaps, stale, finalizer);
      expect(held).toMatchObject({ metadata: { finalizers: [finalizer] }, data: { changed: 'yes' } });
      await client.delete(configMaps, key('finalized'));
      const deleting = await client.get(configMaps, key('finalized'));
      expect(deleting.metadata.deletionTimestamp).toBeDefined();
      expect(await addFinalizer(client, configMaps, deleting, 'azimuth.dev/other')).toEqual(deleting);
      await removeFinalizer(client, configMaps, held, finalizer);
      expect(await client.tryGet(configMaps, key('finalized'))).toBeUndefined();
      expect(await removeFinalizer(client, configMaps, deleting, finalizer)).toBeUndefined();
    });

    test('updateWithRetry loses no writer', async () => {
      await client.create(configMaps, configMap('counter', { count: '0' }));
      const increment = () =>
        updateWithRetry(
          client,
          configMaps,
          key('counter'),
          (object) => ({ ...object, data: { count: String(Number(object['data'].count) + 1) } }),
          { attempts: 50 },
        );
      await Promise.all(Array.from({ length: 5 }, increment));
      expect((await client.get(configMaps, key('counter')))['data'].count).toBe('5');
    });
  });
}
