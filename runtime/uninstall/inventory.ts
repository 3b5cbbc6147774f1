import { tryKindByResource } from '../api/kinds.ts';
import { isOwnDefinition } from '../api/own-definition.ts';
import { policyOf, type ReconcilePolicy } from '../arm-kinds/policy.ts';
import { AzimuthError } from '../base/errors.ts';
import { forEachAtMost } from '../base/scheduling/for-each.ts';
import { bounded } from '../kube/cache/projection.ts';
import { definitionsType, namespacesType } from '../kube/client/core-types.ts';
import { listAll, paginate } from '../kube/client/paginate.ts';
import { isNotFound } from '../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../kube/client/types.ts';
import { type Row, rowTitle } from '../view/model/row.ts';
import { type ViewKind, viewKinds } from '../view/model/view-kinds.ts';
import { discoverKinds } from '../view/read/discover.ts';

/** An object of one of Azimuth's kinds. */
export interface Item {
  readonly type: ResourceType;
  /** Its metadata. */
  readonly object: KubeObject;
  /** The object as text for people, with its links. */
  readonly row: Row;
  /** Its own or its namespace's; manage where neither has one. The operator may run with another default. */
  readonly policy: ReconcilePolicy;
}

/** Azimuth's definitions in the cluster, metadata only, and their kinds under a version that the API server serves. */
export interface Definitions {
  readonly objects: readonly KubeObject[];
  readonly kinds: readonly ViewKind[];
}

/** Lists at a time. */
const lists = 8;

/**
 * Lists Azimuth's definitions. Throws AZ_KIND_UNKNOWN where one is not of this version of Azimuth, and where the API
 * server does not let the caller list them.
 */
export async function readDefinitions(client: KubeClient, signal: AbortSignal): Promise<Definitions> {
  const { items } = await listAll(client, definitionsType, { metadataOnly: true, signal });
  const objects = items.filter(({ metadata }) => isOwnDefinition(metadata));
  const unknown = objects.map(({ metadata: { name } }) => name).filter((name) => !isKnown(name));
  if (unknown.length > 0) {
    const message = `${unknown.join(', ')}: this version of Azimuth does not have the kind; use the version that installed it`;
    throw new AzimuthError('AZ_KIND_UNKNOWN', message);
  }
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  const installedKinds = viewKinds.filter(({ type: { plural, group } }) => names.has(`${plural}.${group}`));
  const { kinds, problems } = await discoverKinds(client, installedKinds, signal);
  if (problems.length > 0) throw new AzimuthError('AZ_KUBE_ANSWER', `discovery failed: ${problems.join('; ')}`);
  return { objects, kinds };
}

function isKnown(definition: string): boolean {
  const dot = definition.indexOf('.');
  return tryKindByResource(definition.slice(dot + 1), definition.slice(0, dot)) !== undefined;
}

/** All objects of the kinds, in all namespaces. Throws where the caller may not list namespaces or one of the kinds. */
export async function readItems(client: KubeClient, kinds: readonly ViewKind[], signal: AbortSignal): Promise<Item[]> {
  const { items: namespaces } = await listAll(client, namespacesType, { metadataOnly: true, signal });
  const namespaceOf = new Map(namespaces.map((namespace) => [namespace.metadata.name, namespace]));
  const items: Item[] = [];
  await forEachAtMost(lists, kinds, async ({ type, rowsOf }) => {
    try {
      let kindItems: Item[] = [];
      for await (const page of paginate(client, type, { signal })) {
        if (page.fresh) kindItems = [];
        for (const object of page.items) {
          const policy = policyOf(object, namespaceOf.get(object.metadata.namespace ?? ''), 'manage');
          const kept = metadataOf(object);
          for (const row of rowsOf(object)) kindItems.push({ type, object: kept, row, policy });
        }
      }
      for (const item of kindItems) items.push(item);
    } catch (error) {
      // Somebody removed the definition in the meantime.
      if (!isNotFound(error)) throw error;
    }
  });
  return items.sort((a, b) => compare(a.row.namespace, b.row.namespace) || compare(a.row.id, b.row.id));
}

/** The metadata of an object, cut where it is long: a tenant's objects may have a megabyte each. */
function metadataOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  return bounded({ apiVersion, kind, metadata: { ...metadata, managedFields: undefined } });
}

/** Kind, name and namespace of an object. */
export function nameOf({ row }: Item): string {
  return row.namespace === '' ? rowTitle(row) : `${rowTitle(row)} in ${row.namespace}`;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
