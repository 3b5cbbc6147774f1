import { expect, test } from '@jest/globals';
import { armKinds } from '../../runtime/api/kinds.ts';
import type { FieldTree } from '../../runtime/api/types.ts';
import { readCatalogue } from '../../tools/generate/catalogue.ts';
import { referenceTargets } from '../../tools/generate/reference-targets.ts';

interface ReferenceField {
  readonly kind: string;
  readonly path: string;
  readonly targets: readonly string[];
}

function fieldsOf(kind: string, field: FieldTree | undefined, path: string): ReferenceField[] {
  if (!field) return [];
  const own = /reference/i.test(field.type) ? [{ kind, path, targets: referenceTargets(path) }] : [];
  const members = Object.entries(field.properties ?? {}).flatMap(([name, child]) =>
    fieldsOf(kind, child, path === '' ? name : `${path}.${name}`),
  );
  return [...own, ...members, ...fieldsOf(kind, field.items, path), ...fieldsOf(kind, field.values, path)];
}

const fields = readCatalogue().flatMap(({ group, kind, spec }) => fieldsOf(`${group}/${kind}`, spec as FieldTree, ''));
const targetsOf = (kind: string) =>
  Object.fromEntries(fields.filter((each) => each.kind === kind).map(({ path, targets }) => [path, targets]));

test('each kind that a field takes is a kind of the catalogue', () => {
  const known = new Set(armKinds.map(({ group, kind }) => `${group}/${kind}`));
  const unknown = fields.flatMap(({ targets }) => targets).filter((target) => !known.has(target));
  expect([...new Set(unknown)]).toEqual([]);
});

test('most references have the kinds that they take', () => {
  const typed = fields.filter(({ targets }) => targets.length > 0);
  // The rest takes any resource, a part of one such as a backend pool, or a type without a kind.
  expect(typed.length / fields.length).toBeGreaterThan(0.62);
});

test('a path that two kinds share with another meaning takes the kinds of both, or any', () => {
  expect(targetsOf('network.azure.com/AzureFirewall')['firewallPolicy.reference']).toContain(
    'network.azure.com/FirewallPolicy',
  );
  expect(targetsOf('network.azure.com/ApplicationGateway')['firewallPolicy.reference']).toContain(
    'network.azure.com/WebApplicationFirewallPolicy',
  );
  expect(targetsOf('cdn.azure.com/Route')['originGroup.reference']).toEqual(['cdn.azure.com/AfdOriginGroup']);
  expect(targetsOf('cdn.azure.com/ProfilesEndpoint')['defaultOriginGroup.reference']).toEqual([]);
  // Of a disk a disk or snapshot, of a node pool a snapshot of node pools.
  expect(targetsOf('compute.azure.com/Disk')['creationData.sourceResourceReference']).toEqual([]);
  expect(targetsOf('operationalinsights.azure.com/Workspace')['features.clusterResourceReference']).toEqual([]);
});
