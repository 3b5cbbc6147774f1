import { groupVersion, type Registry, type Resource } from '../model/resource.ts';
import type { JsonObject } from '../model/types.ts';

const gv = (group: string, version: string) => ({ groupVersion: groupVersion({ group, version }), version });

const groupEntry = ({ name, versions }: { name: string; versions: readonly string[] }): JsonObject => ({
  name,
  versions: versions.map((version) => gv(name, version)),
  preferredVersion: gv(name, versions[0] as string),
});

/** `/api`. */
export const coreVersions = (address: string): JsonObject => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
});

/** `/apis`. */
export const groupList = (registry: Registry): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: registry.groups().map(groupEntry),
});

/** `/apis/<group>`; undefined for a group that is not served. */
export function group(registry: Registry, name: string): JsonObject | undefined {
  const found = registry.groups().find((one) => one.name === name);
  return found && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(found) };
}

/** `/api/v1` or `/apis/<group>/<version>`; undefined where nothing is served. */
export function resourceList(registry: Registry, group: string, version: string): JsonObject | undefined {
  const resources = registry.inVersion(group, version);
  if (resources.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion({ group, version }),
    resources: resources.flatMap((resource) => [
      {
        name: resource.plural,
        singularName: resource.singular,
        namespaced: resource.namespaced,
        kind: resource.kind,
        verbs: [...resource.verbs],
        shortNames: resource.shortNames.length > 0 ? [...resource.shortNames] : undefined,
        categories: resource.categories.length > 0 ? [...resource.categories] : undefined,
      },
      ...resource.subresources.map((subresource) => ({
        name: `${resource.plural}/${subresource.name}`,
        singularName: '',
        namespaced: resource.namespaced,
        group: subresource.group,
        version: subresource.version,
        kind: subresource.kind ?? resource.kind,
        verbs: [...subresource.verbs],
      })),
    ]),
  };
}

const aggregatedResource = (resource: Resource): JsonObject => {
  const { group, version, kind } = resource;
  return {
    resource: resource.plural,
    responseKind: { group, version, kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    shortNames: resource.shortNames.length > 0 ? [...resource.shortNames] : undefined,
    categories: resource.categories.length > 0 ? [...resource.categories] : undefined,
    subresources:
      resource.subresources.length === 0
        ? undefined
        : resource.subresources.map((subresource) => ({
            subresource: subresource.name,
            responseKind: {
              group: subresource.group ?? group,
              version: subresource.version ?? version,
              kind: subresource.kind ?? kind,
            },
            verbs: [...subresource.verbs],
          })),
  };
};

/** Everything below `/api` or `/apis` in one document (apidiscovery.k8s.io, KEP-3352). */
export function aggregated(registry: Registry, core: boolean, version: string): JsonObject {
  const groups = core ? [{ name: '', versions: ['v1'] }] : registry.groups();
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { name, creationTimestamp: null },
      versions: versions.map((one) => ({
        version: one,
        freshness: 'Current',
        resources: registry.inVersion(name, one).map(aggregatedResource),
      })),
    })),
  };
}
