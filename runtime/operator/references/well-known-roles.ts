import { LRUCache } from 'lru-cache';
import { resourcePath, subscriptionPath } from '../../azure/arm/resource-ids.ts';
import type { Authorizer, SharedArmClient } from '../../azure/types.ts';
import { isObject } from '../../base/json.ts';

const apiVersion = '2022-04-01';
/** Pages of the list that are read; Azure has some 700 built-in roles in one. */
const mostPages = 20;
/** Clouds whose roles stay in memory; each has some 700. */
const mostClouds = 10;
/** Roles of a cloud, and characters of a name, that are kept: a service that a tenant runs may answer any number. */
const mostRoles = 2000;
const longestName = 512;
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The reconcile run that reads the roles. */
export interface RoleReader {
  readonly authorizer: Authorizer;
  readonly correlationId: string;
  /** Namespace of the object. */
  readonly share: string;
  readonly signal: AbortSignal;
}

/**
 * Azure's built-in roles by name, for each cloud: what one of them answers is none of another's business. They hardly
 * ever change: read once, and again only for an unknown name.
 */
export class WellKnownRoles {
  readonly #arm: SharedArmClient;
  /** By the cloud's Resource Manager. */
  readonly #names = new LRUCache<string, ReadonlyMap<string, string>>({ max: mostClouds });

  constructor(arm: SharedArmClient) {
    this.#arm = arm;
  }

  /**
   * The ARM id of a built-in role within a subscription, by name without case, or by the GUID of its definition, which
   * needs no request. Undefined if Azure has no role of the name.
   */
  async find(name: string, subscriptionId: string, reader: RoleReader): Promise<string | undefined> {
    const roleName = name.toLowerCase();
    const role = guid.test(roleName) ? roleName : await this.#byName(roleName, reader);
    if (role === undefined) return undefined;
    return resourcePath(subscriptionPath(subscriptionId), 'Microsoft.Authorization/roleDefinitions', role);
  }

  async #byName(name: string, reader: RoleReader): Promise<string | undefined> {
    const cloud = reader.authorizer.cloud?.resourceManagerEndpoint ?? '';
    const roleId = this.#names.get(cloud)?.get(name);
    if (roleId !== undefined) return roleId;
    const names = await this.#list(reader);
    this.#names.set(cloud, names);
    return names.get(name);
  }

  async #list(reader: RoleReader): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    let next: string | undefined = '/providers/Microsoft.Authorization/roleDefinitions';
    for (let pages = 0; next !== undefined && pages < mostPages; pages++) {
      const page: unknown = (await this.#arm.send({ method: 'GET', path: next, apiVersion, ...reader })).body;
      if (!isObject(page)) break;
      for (const role of Array.isArray(page['value']) ? page['value'] : []) {
        const properties = isObject(role) ? role['properties'] : undefined;
        if (!isObject(role) || !isObject(properties)) continue;
        const kind = properties['type'] ?? properties['roleType'];
        const [roleName, id] = [properties['roleName'], role['name']];
        if (kind !== 'BuiltInRole' || typeof roleName !== 'string' || typeof id !== 'string') continue;
        if (names.size >= mostRoles || roleName.length > longestName || !guid.test(id.toLowerCase())) continue;
        names.set(roleName.toLowerCase(), id);
      }
      next = typeof page['nextLink'] === 'string' ? page['nextLink'] : undefined;
    }
    return names;
  }
}
