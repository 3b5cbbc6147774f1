import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { importNpmPackage } from '../../fakes/npm-program.ts';
import { type Api, crds, startApi, widget, widgetCrd } from './api.ts';

/** The public JavaScript client, unmodified, as a judge; without its types, as `npm ci` does not install it. */
const { CoreV1Api, CustomObjectsApi, KubeConfig, KubernetesObjectApi, makeInformer, PatchStrategy } =
  await importNpmPackage('@kubernetes/client-node', '2.0.1');
let api: Api;
// biome-ignore lint/suspicious/noExplicitAny: the types are in the package.
let config: any;
let informer: { stop(): Promise<void> } | undefined;
beforeAll(async () => {
  api = await startApi();
  config = new KubeConfig();
  config.loadFromString(api.kube.adminKubeconfig);
});
afterAll(async () => {
  await informer?.stop();
  await api.close();
});

test('reads, writes, patches and deletes typed objects', async () => {
  const core = config.makeApiClient(CoreV1Api);
  const namespace = 'default';
  const created = await core.createNamespacedConfigMap({
    namespace,
    body: { metadata: { name: 'a' }, data: { k: '1' } },
  });
  expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const replaced = await core.replaceNamespacedConfigMap({
    namespace,
    name: 'a',
    body: { ...created, data: { k: '2' } },
  });
  expect(replaced.data).toEqual({ k: '2' });
  await expect(core.replaceNamespacedConfigMap({ namespace, name: 'a', body: created })).rejects.toMatchObject({
    code: 409,
  });
  const { items } = await core.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=a' });
  expect(items).toHaveLength(1);
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await expect(core.readNamespacedConfigMap({ namespace, name: 'a' })).rejects.toMatchObject({ code: 404 });
});

test('applies any object on the server side, found by discovery', async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const map = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'applied', namespace: 'default' },
    data: { a: '1' },
  };
  const apply = (manager: string, data: object) =>
    objects.patch({ ...map, data }, undefined, undefined, manager, false, PatchStrategy.ServerSideApply);
  await apply('one', { a: '1' });
  await expect(apply('two', { a: '2' })).rejects.toMatchObject({ code: 409 });
  expect(await apply('two', { b: '2' })).toMatchObject({ data: { a: '1', b: '2' } });
});

test('works with custom resources', async () => {
  await api.post(crds, widgetCrd());
  const custom = config.makeApiClient(CustomObjectsApi);
  const at = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'widgets' };
  await custom.createNamespacedCustomObject({ ...at, body: widget('w', { size: 1 }) });
  expect(await custom.getNamespacedCustomObject({ ...at, name: 'w' })).toMatchObject({ spec: { size: 1 } });
  const body = widget('big', { size: 9 });
  await expect(custom.createNamespacedCustomObject({ ...at, body })).rejects.toMatchObject({ code: 422 });
});

test('an informer follows what happens', async () => {
  const core = config.makeApiClient(CoreV1Api);
  const seen: string[] = [];
  const configMaps = makeInformer(config, '/api/v1/namespaces/default/configmaps', () =>
    core.listNamespacedConfigMap({ namespace: 'default' }),
  );
  informer = configMaps;
  for (const verb of ['add', 'update', 'delete'] as const) {
    configMaps.on(verb, ({ metadata }: { metadata?: { name?: string } }) => seen.push(`${verb} ${metadata?.name}`));
  }
  await configMaps.start();
  await eventually('the list is read', () => seen.includes('add kube-root-ca.crt'));
  const namespace = 'default';
  const body = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'live' } } });
  await core.replaceNamespacedConfigMap({ namespace, name: 'live', body: { ...body, data: { a: '1' } } });
  await core.deleteNamespacedConfigMap({ namespace, name: 'live' });
  await eventually('the deletion is seen', () => seen.includes('delete live'));
  expect(seen.filter((one) => one.endsWith('live'))).toEqual(['add live', 'update live', 'delete live']);
});
