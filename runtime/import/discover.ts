import { type ArmKindDefinition, armKinds, armKindsOfType } from '../api/kinds.ts';
import { getPath } from '../arm-kinds/values/json-object.ts';
import type { ArmReader } from '../azure/arm/arm-reader.ts';
import { isGone } from '../azure/arm/not-found.ts';
import {
  normalizeResourceId,
  parseResourceId,
  resourcePath,
  subscriptionPath,
  tryParseResourceId,
} from '../azure/arm/resource-ids.ts';
import { AzimuthError, expected, messageOf } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { isSystemOwned } from './system-owned.ts';

/** A resource in Azure, as ARM shows it. */
export interface Found {
  /** As Azure spells it. */
  readonly id: string;
  readonly live: JsonObject;
  /** Undefined: the catalogue has no kind for the type. */
  readonly kind: ArmKindDefinition | undefined;
  readonly apiVersion: string;
}

/** A resource or member that the manifests lack, and the reason. */
export interface ImportProblem {
  /** The ARM id, or that of the list. */
  readonly id: string;
  readonly message: string;
}

/** The resources that an import found. */
export interface Discovery {
  /** Parents before their children. */
  readonly found: readonly Found[];
  readonly problems: readonly ImportProblem[];
}

/** Options of a discovery. */
export interface DiscoverOptions {
  readonly reader: ArmReader;
  /** Whether the children of the resources are read too. */
  readonly recursive: boolean;
  /** Requests at a time. */
  readonly workers: number;
}

const resourceManagerVersion = '2021-04-01';
const roleAssignments = 'Microsoft.Authorization/roleAssignments';
const groupType = 'microsoft.resources/resourcegroups';

/**
 * Reads the resources, and with `recursive` all that lies in them: the resources that the group lists, the children
 * by the table of kinds, and the role assignments made within. A subscription is no resource of its own: it stands for
 * its resource groups. A failed read is a problem; the rest goes on.
 *
 * @throws AzimuthError AZ_CONFIG_INVALID for an id that names no resource, and for a subscription without `recursive`
 */
export async function discover(ids: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const roots = ids.map((id) => {
    if (!isSubscription(id) || options.recursive) return id.replace(/\/$/, '');
    throw expected('resource to import', 'a resource or a resource group, or --recursive with a subscription', id);
  });
  const walk = new Walk(options);
  await walk.from(roots);
  // Two ways to name one resource are one resource.
  const found = [...new Map([...walk.found.values()].map((each) => [normalizeResourceId(each.id), each])).values()];
  found.sort((a, b) => (normalizeResourceId(a.id) < normalizeResourceId(b.id) ? -1 : 1));
  return { found, problems: walk.problems };
}

interface Candidate {
  readonly id: string;
  /** Whether the user named it: then nothing about it is skipped. */
  readonly asked: boolean;
  /** Whether it may be missing without that being a problem. */
  readonly optional: boolean;
}

class Walk {
  readonly found = new Map<string, Found>();
  readonly problems: ImportProblem[] = [];
  readonly #seen = new Set<string>();
  readonly #options: DiscoverOptions;
  readonly #providers = new Map<string, Promise<JsonObject>>();

  constructor(options: DiscoverOptions) {
    this.#options = options;
  }

  async from(roots: readonly string[]): Promise<void> {
    const subscriptions = roots.filter(isSubscription);
    const named = roots.filter((id) => !isSubscription(id));
    const groups = await this.#all(subscriptions, (id) => this.#list(`${id}/resourcegroups`, resourceManagerVersion));
    let level = [...named.map((id): Candidate => ({ id, asked: true, optional: false })), ...groups.flat()];
    while (level.length > 0) {
      level = (await this.#all(this.#fresh(level), (candidate) => this.#visit(candidate))).flat();
    }
    if (!this.#options.recursive) return;
    const read = roots.filter((root) => isSubscription(root) || this.found.has(normalizeResourceId(root)));
    const assignments = await this.#all(read, (root) => this.#roleAssignments(root));
    await this.#all(this.#fresh(assignments.flat()), (candidate) => this.#visit(candidate));
  }

  #fresh(candidates: readonly Candidate[]): Candidate[] {
    return candidates.filter(({ id }) => {
      const key = normalizeResourceId(id);
      const isNew = !this.#seen.has(key);
      this.#seen.add(key);
      return isNew;
    });
  }

  /** Reads one resource; resolves to the ids to read next. */
  async #visit({ id, asked, optional }: Candidate): Promise<Candidate[]> {
    return this.#noting(id, async () => {
      const { reader, recursive } = this.#options;
      const kind = kindOfId(id);
      const apiVersion = kind ? newestVersion(kind) : await this.#apiVersionOf(id);
      const method = kind?.arm.presence ?? 'GET';
      const answer = await (optional ? reader.tryGet(id, apiVersion, method) : reader.get(id, apiVersion, method));
      // A type without GET has nothing but its name.
      const live = answer && method === 'HEAD' ? { id, name: id.split('/').at(-1) ?? '' } : answer;
      if (!live || (!asked && kind && isSystemOwned(kind, id, live))) return [];
      const own = spelling(id, live['id']);
      this.found.set(normalizeResourceId(id), { id: own, live, kind, apiVersion });
      return recursive && kind ? this.#childrenOf(kind, own) : [];
    });
  }

  async #childrenOf(kind: ArmKindDefinition, id: string): Promise<Candidate[]> {
    const isGroup = kind.arm.armType.toLowerCase() === groupType;
    const lists = isGroup
      ? [this.#list(`${id}/resources`, resourceManagerVersion)]
      : childKinds(kind).map((child) => this.#listKind(child, id));
    return (await Promise.all(lists)).flat();
  }

  async #listKind(child: ArmKindDefinition, owner: string): Promise<Candidate[]> {
    const type = child.arm.armType.split('/').at(-1) as string;
    const { azureNameFixed } = child.arm;
    // Singleton: no LIST.
    if (azureNameFixed !== undefined)
      return [{ id: `${owner}/${type}/${azureNameFixed}`, asked: false, optional: true }];
    return this.#list(`${owner}/${type}`, newestVersion(child), { optional: true });
  }

  /** The resources of a list; where a page fails, those of the pages before. One may be gone when its turn comes. */
  async #list(path: string, apiVersion: string, { optional = false } = {}): Promise<Candidate[]> {
    const named: Candidate[] = [];
    await this.#noting(path, async () => {
      try {
        for await (const page of this.#options.reader.pages(path, apiVersion)) {
          for (const { id } of page) if (typeof id === 'string') named.push({ id, asked: false, optional: true });
        }
      } catch (error) {
        if (!optional || !isGone(error)) throw error;
      }
      return [];
    });
    return named;
  }

  /** Those made on the root and on resources in it; those above apply to it too, but are not its own. */
  async #roleAssignments(root: string): Promise<Candidate[]> {
    const kind = armKindsOfType(roleAssignments)[0] as ArmKindDefinition;
    const all = await this.#list(resourceListPath(root), newestVersion(kind));
    const within = `${normalizeResourceId(root)}/`;
    return all.filter(({ id }) => normalizeResourceId(id).startsWith(within));
  }

  /** The newest version of the type that is no preview, as its provider lists it. */
  async #apiVersionOf(id: string): Promise<string> {
    const { subscriptionId, provider, type } = parseResourceId(id);
    const path = `${subscriptionId === undefined ? '' : subscriptionPath(subscriptionId)}/providers/${provider}`;
    const asked = this.#providers.get(path) ?? this.#options.reader.get(path, resourceManagerVersion);
    this.#providers.set(path, asked);
    const types = (await asked)['resourceTypes'];
    const own = (Array.isArray(types) ? types : []).find(
      (each) => `${provider}/${String(getPath(each, 'resourceType'))}`.toLowerCase() === type.toLowerCase(),
    );
    const versions = getPath(own, 'apiVersions');
    const known = Array.isArray(versions) ? versions.map(String) : [];
    const stable = known.filter((version) => /^\d{4}-\d{2}-\d{2}$/.test(version));
    const chosen = stable.sort().at(-1) ?? known[0];
    if (chosen !== undefined) return chosen;
    throw new AzimuthError('AZ_KIND_UNKNOWN', `Azure names no api-version for the type ${type}`);
  }

  async #noting<T>(id: string, work: () => Promise<T[]>): Promise<T[]> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AzimuthError)) throw error;
      this.problems.push({ id, message: messageOf(error) });
      return [];
    }
  }

  async #all<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T);
    };
    await Promise.all(Array.from({ length: Math.min(this.#options.workers, items.length) }, worker));
    return results;
  }
}

/** The id as Azure spells it, if `shown` is an id of the same type at all. */
function spelling(id: string, shown: unknown): string {
  const parsed = typeof shown === 'string' ? tryParseResourceId(shown) : undefined;
  return parsed?.type.toLowerCase() === parseResourceId(id).type.toLowerCase() ? parsed.id : id;
}

/** Throws AZ_CONFIG_INVALID for a text that is no id. */
const isSubscription = (id: string) => parseResourceId(id).type === 'Microsoft.Resources/subscriptions';
const resourceListPath = (root: string) => resourcePath(root, roleAssignments, 'x').slice(0, -'/x'.length);

/** The kind of an ARM id's type; undefined where no kind has this type. Throws AZ_CONFIG_INVALID for no ARM id. */
export function kindOfId(id: string): ArmKindDefinition | undefined {
  return armKindsOfType(parseResourceId(id).type)[0];
}

/** The api-version of the stored version, under which manifests are written. */
export function newestVersion({ arm }: ArmKindDefinition): string {
  return Object.values(arm.apiVersions)[0] as string;
}

/** The kinds whose resources are listed below one of this kind. */
function childKinds({ group, kind }: ArmKindDefinition): ArmKindDefinition[] {
  return armKinds.filter(
    ({ arm: { owner, dataPlane } }) =>
      owner && !owner.extension && !dataPlane && owner.group === group && owner.kinds.includes(kind),
  );
}
