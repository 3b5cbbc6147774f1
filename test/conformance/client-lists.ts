import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAll, paginate } from '../../runtime/kube/client/paginate.ts';
import type { KubeClient, KubeObject, WatchEvent } from '../../runtime/kube/client/types.ts';
import type { ClientWorld } from './client-world.ts';
import { configMaps } from './resources.ts';

/** Lists and watches. */
export function listConformance(world: ClientWorld): void {
  const { namespace, widgets, configMap, widget, key, failure, names, take } = world;
  let client: KubeClient;
  beforeAll(() => {
    ({ client } = world);
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
      // A later list has the same history.
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
}
