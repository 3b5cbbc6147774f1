import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Unstructured } from '../../../../sandbox/kube/model/types.ts';
import { type Api, configMaps, startApi } from '../api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ bookmarkMs: 100 });
});
afterAll(() => api.close());

const show = (events: Unstructured[]) => events.map(({ type, object }) => `${type} ${object.metadata.name}`);
const revision = async () => (await api.get(configMaps)).body['metadata'].resourceVersion as string;
const upTo = (count: number) => (events: Unstructured[]) => events.length >= count;

test('a watch from a revision replays what came after it, then goes on', async () => {
  const from = await revision();
  await api.post(configMaps, { metadata: { name: 'w1' } });
  await api.merge(`${configMaps}/w1`, { data: { a: '1' } });
  const events = api.watch(`${configMaps}?watch=true&resourceVersion=${from}`, upTo(4));
  await api.post(configMaps, { metadata: { name: 'w2' } });
  await api.delete(`${configMaps}/w1`);
  expect(show(await events)).toEqual(['ADDED w1', 'MODIFIED w1', 'ADDED w2', 'DELETED w1']);
});

test('a watch without a revision begins with what is there', async () => {
  const [first] = await api.watch(`${configMaps}?watch=1&fieldSelector=metadata.name=kube-root-ca.crt`, upTo(1));
  expect(first).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'kube-root-ca.crt' } } });
});

test('an object that begins or ceases to match a selector is added or deleted', async () => {
  const from = await revision();
  await api.post(configMaps, { metadata: { name: 'sel', labels: { on: 'no' } } });
  await api.merge(`${configMaps}/sel`, { metadata: { labels: { on: 'yes' } } });
  const { body } = await api.merge(`${configMaps}/sel`, { metadata: { labels: { on: 'no' } } });
  const events = await api.watch(`${configMaps}?watch=1&resourceVersion=${from}&labelSelector=on%3Dyes`, upTo(2));
  expect(show(events)).toEqual(['ADDED sel', 'DELETED sel']);
  expect(events[1]?.['object'].metadata).toMatchObject({
    labels: { on: 'yes' },
    resourceVersion: body['metadata'].resourceVersion,
  });
});

test('bookmarks carry the position, and only where they are wanted', async () => {
  const bookmarks = (events: Unstructured[]) => events.filter(({ type }) => type === 'BOOKMARK');
  const query = `watch=1&resourceVersion=${await revision()}`;
  const events = await api.watch(`${configMaps}?${query}&allowWatchBookmarks=true`, (all) => bookmarks(all).length > 1);
  expect(bookmarks(events)[0]).toMatchObject({
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: await revision() } },
  });
  expect(await api.watch(`${configMaps}?${query}&timeoutSeconds=1`)).toEqual([]);
});

test('initial events end with a bookmark that says so', async () => {
  const query = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const events = await api.watch(`${configMaps}?${query}`, (all) => all.some(({ type }) => type === 'BOOKMARK'));
  expect(events.at(-1)?.['object'].metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  expect(events.length).toBeGreaterThan(1);
});

test('a position that is too old is an ERROR event with 410', async () => {
  const from = await revision();
  await api.merge(`${configMaps}/sel`, { data: { a: '1' } });
  api.kube.store.compact();
  expect(await api.watch(`${configMaps}?watch=1&resourceVersion=${from}`)).toMatchObject([
    { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
  ]);
});

test('the server ends a watch after timeoutSeconds', async () => {
  const started = performance.now();
  await api.watch(`${configMaps}?watch=1&resourceVersion=${await revision()}&timeoutSeconds=1`);
  expect(performance.now() - started).toBeGreaterThan(900);
});

test('a burst of writes reaches a watcher complete and in order', async () => {
  const from = await revision();
  const watching = api.watch(`${configMaps}?watch=1&resourceVersion=${from}`, (all) =>
    all.some(({ object }) => object.metadata.name === 'burst-1999'),
  );
  const resource = api.kube.objects.registry.get('', 'v1', 'configmaps');
  if (!resource) throw new Error('config maps are not served');
  const context = { manager: 'test', dryRun: false, fieldValidation: 'Ignore', warnings: [] } as const;
  for (let index = 0; index < 2000; index += 1) {
    api.kube.objects.create(
      resource,
      'default',
      { metadata: { name: `burst-${index}` } },
      { ...context, warnings: [] },
    );
  }
  const events = await watching;
  expect(show(events)).toEqual(Array.from({ length: 2000 }, (_, index) => `ADDED burst-${index}`));
});

test('a watch as Table sends the columns once', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const { body, headers } = await api.stream(
    'GET',
    `${configMaps}?watch=1&timeoutSeconds=1&labelSelector=on`,
    undefined,
    {
      headers: { accept },
    },
  );
  expect(headers['content-type']).toContain('as=Table');
  const [first] = (await body.text()).split('\n');
  expect(JSON.parse(first as string).object).toMatchObject({
    kind: 'Table',
    rows: [{ cells: ['sel', '1', expect.any(String)] }],
  });
});
