import { expect, test } from '@jest/globals';
import {
  expectDeleted,
  expectDiscovery,
  expectEventObject,
  expectList,
  expectObject,
  expectReview,
  expectSubresource,
} from '../../../runtime/kube/client/expected.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';

const type: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const subject = { verb: 'list', resource: 'pods' };
const list = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: [] as unknown[] };
const item = { metadata: { name: 'a', namespace: 'app' } };
const status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' };

test.each([
  ['an empty object', {}],
  ['an array', []],
  ['a Status with 200', status],
  ['null for the items', { ...list, items: null }],
  ['no items', { ...list, items: undefined }],
  ['the list of another kind', { ...list, kind: 'NodeList' }],
  ['the list of another group', { ...list, apiVersion: 'metrics.k8s.io/v1' }],
  ['no resourceVersion', { ...list, metadata: {} }],
  ['an empty resourceVersion', { ...list, metadata: { resourceVersion: '' } }],
  ['an item without a name', { ...list, items: [{ metadata: { namespace: 'app' } }] }],
  ['an item without a namespace', { ...list, items: [{ metadata: { name: 'a' } }] }],
  ['an item of another kind', { ...list, items: [{ ...item, kind: 'Node' }] }],
  ['an item of another group', { ...list, items: [{ ...item, kind: 'Pod', apiVersion: 'metrics.k8s.io/v1' }] }],
  ['an item that is null', { ...list, items: [null] }],
  ['metadata of objects that nobody asked to shorten', { ...list, kind: 'PartialObjectMetadataList' }],
])('an answer to a LIST with %s is an error, and no empty list', (_, answer) => {
  const read = () => expectList({ subject, type }, answer);
  expect(read).toThrow(expect.objectContaining({ code: 'AZ_KUBE_ANSWER', retryable: true }));
  expect(read).toThrow(/^list pods: expected .*, got /);
});

test('a list of the kind that was asked for is read, custom names of lists and metadata alone included', () => {
  const read = (answer: unknown, more = {}) => expectList({ subject, type, ...more }, answer).items;
  expect(read({ ...list, items: [item] })).toEqual([item]);
  expect(read({ ...list, kind: 'Pods', items: [{ ...item, kind: 'Pod' }] })).toHaveLength(1);
  const partial = { ...list, apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList', items: [item] };
  expect(read(partial, { metadataOnly: true })).toHaveLength(1);
  expect(read({ ...partial, items: null }, { metadataOnly: true })).toEqual([]);
  expect(() => read({ ...list, items: null }, { metadataOnly: true })).toThrow(/got .* without a list of items/);
  expect(() => read({ ...list, items: [item] }, { namespace: 'other' })).toThrow(/namespace other, got one of "app"/);
});

test.each([
  ['an empty object', {}],
  ['a Status', status],
  ['another kind', { apiVersion: 'v1', kind: 'Node', metadata: item.metadata }],
  ['another object', { apiVersion: 'v1', kind: 'Pod', metadata: { ...item.metadata, name: 'b' } }],
  ['another namespace', { apiVersion: 'v1', kind: 'Pod', metadata: { ...item.metadata, namespace: 'b' } }],
  ['no metadata', { apiVersion: 'v1', kind: 'Pod' }],
])('an answer to a GET with %s is an error', (_, answer) => {
  const read = () => expectObject({ subject: { verb: 'get', resource: 'pods' }, type, ...item.metadata }, answer);
  expect(read).toThrow(expect.objectContaining({ code: 'AZ_KUBE_ANSWER' }));
});

test('a deletion and a subresource are over with the object or the document that was sent, or a Status of a success', () => {
  expect(() => expectDeleted({ subject, type }, {})).toThrow(/expected a Pod or a Status/);
  expect(() => expectDeleted({ subject, type }, { ...status, status: 'Failure' })).toThrow();
  expectDeleted({ subject, type }, status);
  expectDeleted({ subject, type }, { kind: 'Pod' });
  const request = { kind: 'TokenRequest' };
  expect(() => expectSubresource(subject, request, {})).toThrow(/expected a TokenRequest/);
  expect(expectSubresource(subject, request, request)).toBe(request);
});

test('an event of another kind, or without a name, is an error; a bookmark needs no name', () => {
  const read = (object: object, isBookmark = false) =>
    expectEventObject({ subject, type }, object as unknown as KubeObject, isBookmark);
  const other = { kind: 'Pod', apiVersion: 'metrics.k8s.io/v1', ...item };
  for (const object of [{}, { kind: 'Node', ...item }, other, { kind: 'Pod', metadata: {} }, { kind: 'Pod' }]) {
    expect(() => read(object)).toThrow(expect.objectContaining({ code: 'AZ_KUBE_ANSWER' }));
  }
  read({ kind: 'Pod', ...item });
  read({ kind: 'Pod', metadata: { resourceVersion: '9' } }, true);
  expect(() => read({ kind: 'Node', metadata: { resourceVersion: '9' } }, true)).toThrow(/events of Pod/);
});

test.each([
  ['{}', {}],
  ['a JSON array', []],
  ['a Status of a success', status],
  ['the list of the other kind', { kind: 'APIGroupList', groups: [] }],
  ['no resources', { kind: 'APIResourceList', resources: null }],
  ['the types of another version', { kind: 'APIResourceList', groupVersion: 'azimuth.dev/v2', resources: [] }],
  ['types of no version', { kind: 'APIResourceList', resources: [] }],
])('discovery that is answered with %s is an error, and not the absence of all types', (_, answer) => {
  const read = () => expectDiscovery('/apis/azimuth.dev/v1', 'APIResourceList', answer);
  expect(read).toThrow(expect.objectContaining({ code: 'AZ_KUBE_ANSWER' }));
  expect(expectDiscovery('/apis', 'APIGroupList', { kind: 'APIGroupList', groups: [{ name: 'a' }, 1] })).toEqual([
    { name: 'a' },
  ]);
});

test('a review decides by its status alone; one that comes back as it was sent is an error', () => {
  const review = (kind: string, decision?: object) =>
    expectReview({ kind, metadata: {}, ...(decision && { status: decision }) } as unknown as KubeObject);
  expect(review('SubjectAccessReview', { allowed: false })).toEqual({ allowed: false });
  // The API server leaves out `authenticated: false`.
  expect(review('TokenReview', {})).toEqual({});
  const undecided = [['TokenReview'], ['SubjectAccessReview'], ['SubjectAccessReview', {}]] as const;
  for (const [kind, decision] of undecided) {
    expect(() => review(kind, decision)).toThrow(expect.objectContaining({ code: 'AZ_KUBE_ANSWER' }));
  }
});
