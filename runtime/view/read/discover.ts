import { messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { expectDiscovery } from '../../kube/client/expected.ts';
import { isNotFound } from '../../kube/client/status-error.ts';
import type { KubeClient, ResourceType } from '../../kube/client/types.ts';
import { type ViewKind, viewKinds } from '../model/view-kinds.ts';

/** A kind to find, under its stored version. */
type Kind = Pick<ViewKind, 'type'>;

/** The kinds that an API server serves, each under a version that it serves. */
export interface Discovery<K extends Kind = ViewKind> {
  readonly kinds: readonly K[];
  /** Groups whose discovery failed, with the reason. */
  readonly problems: readonly string[];
}

/** Asks the API server which of the kinds it has. Throws where `/apis` cannot be read. */
export async function discover(client: KubeClient, signal?: AbortSignal): Promise<Discovery> {
  return await discoverKinds(client, viewKinds, signal);
}

/** Asks the API server which of these kinds it has. Throws where `/apis` cannot be read. */
export async function discoverKinds<K extends Kind>(
  client: KubeClient,
  wanted: readonly K[],
  signal?: AbortSignal,
): Promise<Discovery<K>> {
  const groups = expectDiscovery('/apis', 'APIGroupList', await client.raw<unknown>('/apis', signal));
  const served = new Map(groups.map(({ name, versions }) => [name, versionsIn(versions)]));
  const byGroup = Map.groupBy(wanted, ({ type }) => type.group);
  const problems: string[] = [];
  const found = await Promise.all(
    [...byGroup].map(async ([group, kinds]) => {
      // The core group is not among the groups.
      if (group === '') return kinds;
      try {
        return await kindsOf(client, group, kinds, served.get(group) ?? [], signal);
      } catch (error) {
        signal?.throwIfAborted();
        problems.push(`${group}: ${messageOf(error)}`);
        return [];
      }
    }),
  );
  return { kinds: found.flat(), problems };
}

/** Reads the stored versions first; further versions of the group only while a kind is still missing. */
async function kindsOf<K extends Kind>(
  client: KubeClient,
  group: string,
  kinds: readonly K[],
  versions: readonly string[],
  signal: AbortSignal | undefined,
): Promise<K[]> {
  const stored = new Set(kinds.map(({ type }) => type.version));
  const ordered = [...versions].sort((a, b) => Number(stored.has(b)) - Number(stored.has(a)));
  const found = new Map<K, K>();
  for (const version of ordered) {
    const missing = kinds.filter((kind) => !found.has(kind));
    if (missing.length === 0) break;
    const names = await resourcesOf(client, group, version, signal);
    for (const kind of missing) {
      const type: ResourceType = { ...kind.type, version };
      if (names.has(type.plural)) found.set(kind, { ...kind, type });
    }
  }
  return [...found.values()];
}

async function resourcesOf(client: KubeClient, group: string, version: string, signal: AbortSignal | undefined) {
  try {
    const path = `/apis/${group}/${version}`;
    const resources = expectDiscovery(path, 'APIResourceList', await client.raw<unknown>(path, signal));
    return new Set(resources.map(({ name }) => name));
  } catch (error) {
    // The version went away in the meantime.
    if (isNotFound(error)) return new Set<unknown>();
    throw error;
  }
}

function versionsIn(versions: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(versions) ? versions : [];
  return all.flatMap((each) => (isObject(each) && typeof each['version'] === 'string' ? [each['version']] : []));
}
