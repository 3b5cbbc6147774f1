import { expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { ObjectCache } from '../../../runtime/kube/cache/store.ts';
import type { WatchedCache } from '../../../runtime/kube/cache/types.ts';
import { KindCaches } from '../../../runtime/operator/objects/kind-caches.ts';
import {
  ObjectIndex,
  objectIndexes,
  projectMetadata,
  projectResource,
} from '../../../runtime/operator/objects/object-index.ts';

const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"aHVudGVyMg=="}}' };

test('of a Secret only its name, version and owners are kept, not the annotation that repeats its values', () => {
  const owner = { apiVersion: 'a/v1', kind: 'A', name: 'a', uid: 'u' };
  const metadata = {
    namespace: 'shop',
    name: 'secret',
    uid: '1',
    resourceVersion: '7',
    labels: { app: 'shop' },
    annotations: applied,
    managedFields: [{ manager: 'kubectl' }],
    ownerReferences: [owner],
  };
  expect(projectMetadata({ apiVersion: 'v1', kind: 'Secret', metadata })).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'shop', name: 'secret', uid: '1', resourceVersion: '7', ownerReferences: [owner] },
  });
  const { ownerReferences: _, ...foreign } = metadata;
  expect(projectMetadata({ apiVersion: 'v1', kind: 'Secret', metadata: foreign }).metadata).not.toHaveProperty(
    'ownerReferences',
  );
});

test('of a custom resource the annotations that mean something to the operator are kept, and neither spec nor answer', () => {
  const annotations = { 'azimuth.dev/adopt': 'never', 'serviceoperator.azure.com/resource-id': '/subscriptions/s' };
  const conditions = [{ type: 'Ready', status: 'True' }];
  const object = {
    apiVersion: 'a/v1',
    kind: 'A',
    metadata: { namespace: 'shop', name: 'a', annotations: { ...annotations, ...applied, 'argocd.io/x': 'y' } },
    spec: { big: true },
    status: { id: '/subscriptions/s', conditions, properties: { big: true } },
  };
  expect(projectResource(object)).toEqual({
    apiVersion: 'a/v1',
    kind: 'A',
    metadata: { namespace: 'shop', name: 'a', annotations },
    status: { id: '/subscriptions/s', conditions },
  });
});

/** Caches of two kinds that tell how many objects were handed out, and refuse to hand out all. */
function countedCaches() {
  let handedOut = 0;
  const caches = ['A', 'B'].map((kind) => {
    const cache = new ObjectCache(fail);
    for (const [name, of] of Object.entries(objectIndexes)) cache.addIndex(name, of);
    const counted = {
      type: { group: 'a', version: 'v1', plural: kind.toLowerCase(), kind, namespaced: true },
      list: fail,
      byIndex: (...args: Parameters<typeof cache.byIndex>) => {
        const found = cache.byIndex(...args);
        handedOut += found.length;
        return found;
      },
    };
    return { cache, counted: counted as unknown as WatchedCache };
  });
  return {
    caches: caches.map(({ cache }) => cache),
    objects: new ObjectIndex(new KindCaches(caches.map(({ counted }) => counted)), {
      authenticated: (object) => object,
    }),
    handedOut: () => handedOut,
  };
}

function fail(): never {
  throw new Error('not expected');
}

test('whether a credential is used is known without a scan of its users or of its namespace', () => {
  const { caches, objects, handedOut } = countedCaches();
  const put = (index: number, name: string, source: string) =>
    caches[index]?.put({
      apiVersion: 'a/v1',
      kind: 'A',
      metadata: {
        namespace: 'shop',
        name,
        uid: name,
        resourceVersion: '1',
        annotations: { [annotations.credential]: source },
      },
    });
  for (let index = 0; index < 2000; index++) put(0, `with-${index}`, 'shop/aso-credential');
  for (let index = 0; index < 2000; index++) put(1, `without-${index}`, 'global');
  put(1, 'own', 'shop/own');
  expect(objects.usesCredential('shop/aso-credential')).toBe(true);
  expect(objects.usesCredential('shop/aso-credential', 'with-0')).toBe(true);
  expect(objects.usesCredential('shop/own')).toBe(true);
  expect(objects.usesCredential('shop/own', 'own')).toBe(false);
  expect(objects.usesCredential('other/aso-credential')).toBe(false);
  expect(handedOut()).toBeLessThanOrEqual(6);
  caches[1]?.remove({ namespace: 'shop', name: 'own' });
  expect(objects.usesCredential('shop/own')).toBe(false);
});
