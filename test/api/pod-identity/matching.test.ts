import { expect, test } from '@jest/globals';
import {
  assignedIdentityName,
  bindingLabel,
  compareBindings,
  isExcepted,
  matchIdentities,
  namespacesAllow,
} from '../../../runtime/api/pod-identity/matching.ts';

const pod = (namespace: string, name: string, label?: string) => ({
  metadata: { namespace, name, ...(label === undefined ? {} : { labels: { [bindingLabel]: label } }) },
});
const binding = (namespace: string, name: string, selector: string, azureIdentity: string, weight?: number) => ({
  metadata: { namespace, name },
  spec: { selector, azureIdentity, ...(weight === undefined ? {} : { weight }) },
});
const identity = (namespace: string, name: string, annotations?: Record<string, string>) => ({
  metadata: { namespace, name, ...(annotations && { annotations }) },
});

function match(
  thePod: ReturnType<typeof pod>,
  bindings: ReturnType<typeof binding>[],
  identities: ReturnType<typeof identity>[],
  forceNamespaced = false,
): string[] {
  const identityOf = (key: { namespace: string; name: string }) =>
    identities.find(({ metadata }) => metadata.namespace === key.namespace && metadata.name === key.name);
  return matchIdentities(thePod, bindings, identityOf, forceNamespaced).map(
    ({ assigned, identity: { metadata } }) => `${assigned.namespace}/${assigned.name} ${metadata.namespace}`,
  );
}

test('a pod gets the identities of all bindings whose selector equals its label, in any namespace', () => {
  const bindings = [binding('default', 'b2', 'sel', 'id2'), binding('default', 'b1', 'sel', 'id1')];
  const identities = [identity('default', 'id1'), identity('default', 'id2')];
  expect(match(pod('app', 'p', 'sel'), bindings, identities)).toEqual([
    'default/p-app-id1 default',
    'default/p-app-id2 default',
  ]);
  expect(match(pod('app', 'p', 'Sel'), bindings, identities)).toEqual([]);
});

test('a pod without the label, or with an empty one, matches no binding, not even one with an empty selector', () => {
  const open = [binding('a', 'b', '', 'id')];
  expect(match(pod('a', 'p'), open, [identity('a', 'id')])).toEqual([]);
  expect(match(pod('a', 'p', ''), open, [identity('a', 'id')])).toEqual([]);
});

test('namespaced mode, forced or by annotation, keeps pod, binding and identity together', () => {
  const bindings = [binding('default', 'b', 'sel', 'id')];
  const marked = identity('default', 'id', { 'aadpodidentity.k8s.io/Behavior': 'namespaced' });
  const pasted = identity('default', 'id', { 'aadpodidentity.k8s.io/Behavior': 'namespaced\n' });
  const wrongCase = identity('default', 'id', { 'aadpodidentity.k8s.io/behavior': 'namespaced' });
  expect(match(pod('app', 'p', 'sel'), bindings, [identity('default', 'id')], true)).toEqual([]);
  expect(match(pod('app', 'p', 'sel'), bindings, [marked])).toEqual([]);
  expect(match(pod('app', 'p', 'sel'), bindings, [pasted])).toEqual([]);
  expect(match(pod('app', 'p', 'sel'), bindings, [wrongCase])).toEqual(['default/p-app-id default']);
  const own = [binding('app', 'b', 'sel', 'id')];
  expect(match(pod('app', 'p', 'sel'), own, [identity('app', 'id')], true)).toEqual(['app/p-app-id app']);
});

test('the highest weight comes first, then namespace and name decide, whatever the order given', () => {
  const sorted = [
    binding('z', 'z', 's', 'i', 5),
    binding('default', 'b1', 's', 'i'),
    binding('default', 'b2', 's', 'i'),
    binding('test', 'a', 's', 'i', 0),
    binding('a', 'a', 's', 'i', -1),
  ];
  expect([...sorted].reverse().sort(compareBindings)).toEqual(sorted);
});

test('of two identities of one name in two namespaces the first match wins', () => {
  const bindings = [binding('b', 'x', 's', 'id'), binding('a', 'x', 's', 'id')];
  const identities = [identity('a', 'id'), identity('b', 'id')];
  expect(match(pod('p', 'p', 's'), bindings, identities)).toEqual(['default/p-p-id a']);
  bindings[0] = binding('b', 'x', 's', 'id', 1);
  expect(match(pod('p', 'p', 's'), bindings, identities)).toEqual(['default/p-p-id b']);
});

test('a binding to a missing identity is passed over in favour of the next', () => {
  const bindings = [binding('a', 'x', 's', 'id'), binding('b', 'x', 's', 'id')];
  expect(match(pod('p', 'p', 's'), bindings, [identity('b', 'id')])).toEqual(['default/p-p-id b']);
});

test('the assigned identity is named after pod, namespace and identity', () => {
  expect(assignedIdentityName(pod('ns', 'p'), 'id')).toBe('p-ns-id');
});

test.each([
  [{ foo: 'bar' }, [], false],
  [{ foo: 'except' }, [{ foo: 'notexcept' }, { foo: 'except' }], true],
  [{ Foo: 'except' }, [{ foo: 'except' }], false],
  [{ foo: 'EXCEPT' }, [{ foo: 'except', other: 'x' }], true],
  [{ app: 'custom' }, [{}], false],
])('a pod labelled %j with exceptions %j is excepted: %s', (labels, podLabels, excepted) => {
  const exceptions = podLabels.map((spec) => ({
    metadata: { namespace: 'ns', name: 'e' },
    spec: { podLabels: spec as Record<string, string> },
  }));
  expect(isExcepted({ metadata: { namespace: 'ns', name: 'p', labels: labels as never } }, exceptions)).toBe(excepted);
});

test('an exception of another namespace does not count', () => {
  const exceptions = [{ metadata: { namespace: 'other', name: 'e' }, spec: { podLabels: { a: 'b' } } }];
  expect(isExcepted({ metadata: { namespace: 'ns', name: 'p', labels: { a: 'b' } } }, exceptions)).toBe(false);
});

test('a namespaced identity is for bindings and pods of its own namespace, each for itself', () => {
  const own = { metadata: { name: 'id', namespace: 'a' } };
  for (const [binding, pod, allowed] of [
    ['a', 'a', true],
    ['b', 'a', false],
    ['a', 'b', false],
  ] as const) {
    expect(namespacesAllow(own, binding, pod, true)).toBe(allowed);
    expect(namespacesAllow(own, binding, pod, false)).toBe(true);
  }
});

test('further bindings of one identity are listed with it; a binding of another identity of the same name is not', () => {
  const bindings = [binding('a', 'b1', 'sel', 'id'), binding('a', 'b2', 'sel', 'id'), binding('c', 'b3', 'sel', 'id')];
  const found = matchIdentities(pod('app', 'p', 'sel'), bindings, ({ namespace }) => identity(namespace, 'id'), false);
  expect(found.map(({ binding: first, further }) => [first, ...further].map(({ metadata }) => metadata.name))).toEqual([
    ['b1', 'b2'],
  ]);
});
