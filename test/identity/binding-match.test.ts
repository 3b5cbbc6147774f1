/** Which pods get which identities, against the known behaviour of AAD Pod Identity 1.8.17. */
import { expect, test } from '@jest/globals';
import { matchIdentities } from '../../runtime/api/pod-identity/matching.ts';
import type { Binding, Identity } from '../../runtime/identity/objects.ts';

interface MatchRow {
  readonly name: string;
  readonly force?: boolean;
  readonly pod: [namespace: string, label: string];
  readonly bindings: [namespace: string, name: string, selector: string, identity: string, weight?: number][];
  readonly identities: [namespace: string, name: string, namespaced?: true][];
  readonly expected: string[];
}

const matchRows: MatchRow[] = [
  {
    name: 'basic',
    pod: ['default', 'sel'],
    bindings: [['default', 'b', 'sel', 'id1']],
    identities: [['default', 'id1']],
    expected: ['default/p-default-id1'],
  },
  {
    name: 'pod without label',
    pod: ['default', ''],
    bindings: [['default', 'b', '', 'id1']],
    identities: [['default', 'id1']],
    expected: [],
  },
  {
    name: 'cross-namespace',
    pod: ['app', 'sel'],
    bindings: [['default', 'b', 'sel', 'id1']],
    identities: [['default', 'id1']],
    expected: ['default/p-app-id1'],
  },
  {
    name: 'forceNamespaced',
    force: true,
    pod: ['app', 'sel'],
    bindings: [['default', 'b', 'sel', 'id1']],
    identities: [['default', 'id1']],
    expected: [],
  },
  {
    name: 'annotation',
    pod: ['app', 'sel'],
    bindings: [['default', 'b', 'sel', 'id1']],
    identities: [['default', 'id1', true]],
    expected: [],
  },
  {
    name: 'annotation, own namespace',
    pod: ['app', 'sel'],
    bindings: [['app', 'b', 'sel', 'id1']],
    identities: [['app', 'id1', true]],
    expected: ['app/p-app-id1'],
  },
  {
    name: 'two identities',
    pod: ['default', 'sel'],
    bindings: [
      ['default', 'b1', 'sel', 'id1'],
      ['default', 'b2', 'sel', 'id2'],
    ],
    identities: [
      ['default', 'id1'],
      ['default', 'id2'],
    ],
    expected: ['default/p-default-id1', 'default/p-default-id2'],
  },
  {
    name: 'case matters',
    pod: ['default', 'Sel'],
    bindings: [['default', 'b', 'sel', 'id1']],
    identities: [['default', 'id1']],
    expected: [],
  },
  {
    name: 'identity of another namespace',
    pod: ['app', 'sel'],
    bindings: [['default', 'b', 'sel', 'id1']],
    identities: [['app', 'id1']],
    expected: [],
  },
  {
    name: 'weight decides',
    pod: ['app', 'sel'],
    bindings: [
      ['a', 'b1', 'sel', 'id1'],
      ['b', 'b2', 'sel', 'id2', 5],
    ],
    identities: [
      ['a', 'id1'],
      ['b', 'id2'],
    ],
    expected: ['default/p-app-id2', 'default/p-app-id1'],
  },
  {
    name: 'one name twice: the first namespace',
    pod: ['app', 'sel'],
    bindings: [
      ['ns2', 'b', 'sel', 'id1'],
      ['ns1', 'b', 'sel', 'id1'],
    ],
    identities: [
      ['ns1', 'id1'],
      ['ns2', 'id1'],
    ],
    expected: ['default/p-app-id1'],
  },
];
test.each(matchRows)('binding_match: $name', ({ force, pod, bindings, identities, expected }) => {
  const base = { apiVersion: '', kind: '' };
  const all = identities.map(
    ([namespace, name, own]): Identity => ({
      ...base,
      metadata: { namespace, name, ...(own && { annotations: { 'aadpodidentity.k8s.io/Behavior': 'namespaced' } }) },
    }),
  );
  const matches = matchIdentities(
    { metadata: { namespace: pod[0], name: 'p', labels: pod[1] ? { aadpodidbinding: pod[1] } : {} } },
    bindings.map(
      ([namespace, name, selector, azureIdentity, weight]): Binding => ({
        ...base,
        metadata: { namespace, name },
        spec: { selector, azureIdentity, ...(weight && { weight }) },
      }),
    ),
    (key) => all.find(({ metadata }) => metadata.namespace === key.namespace && metadata.name === key.name),
    force ?? false,
  );
  expect(matches.map(({ assigned }) => `${assigned.namespace}/${assigned.name}`)).toEqual(expected);
});
