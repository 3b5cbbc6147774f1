import { expect, test } from '@jest/globals';
import { forNames, forStore } from '../../runtime/operator/stores.ts';

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
  expect(forNames({ apiVersion: 'v1', kind: 'Secret', metadata })).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'shop', name: 'secret', uid: '1', resourceVersion: '7', ownerReferences: [owner] },
  });
  const { ownerReferences: _, ...foreign } = metadata;
  expect(forNames({ apiVersion: 'v1', kind: 'Secret', metadata: foreign }).metadata).not.toHaveProperty(
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
  expect(forStore(object)).toEqual({
    apiVersion: 'a/v1',
    kind: 'A',
    metadata: { namespace: 'shop', name: 'a', annotations },
    status: { id: '/subscriptions/s', conditions },
  });
});
