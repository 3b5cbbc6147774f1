import type { StoredResource } from '../arm/resources/stored-resources.ts';
import { at, stringOf } from '../json.ts';
import type { AppRegistration, FederatedCredential, SandboxState } from '../state.ts';

/** Anybody a token can be issued to. */
export interface Principal {
  readonly clientId: string;
  readonly objectId: string;
  readonly tenantId: string;
  readonly createdAt: number;
  /** The app registration, unless it is a managed identity. */
  readonly app?: AppRegistration;
  /** Resource id of the managed identity. */
  readonly resourceId?: string;
  readonly federated: readonly FederatedCredential[];
}

const identityType = 'microsoft.managedidentity/userassignedidentities';

/** Looks up apps and managed identities; the latter are the ARM resources themselves. */
export class Directory {
  readonly #state: SandboxState;
  readonly #defaultTenant: string;

  constructor(state: SandboxState, defaultTenant: string) {
    this.#state = state;
    this.#defaultTenant = defaultTenant;
  }

  principals(): Principal[] {
    return [...this.#all()];
  }

  byClientId(clientId: string): Principal | undefined {
    return first(this.#all(), (principal) => same(principal.clientId, clientId));
  }

  byObjectId(objectId: string): Principal | undefined {
    const found = first(this.#all(), (principal) => same(principal.objectId, objectId));
    if (found) return found;
    const owner = [...this.#state.resources].find(({ system }) => same(stringOf(system['principalId']), objectId));
    return owner && this.systemIdentity(owner.id);
  }

  /** Whether this object id is that of a group, and since when, in milliseconds since the epoch. */
  groupSince(objectId: string): number | undefined {
    return this.#state.groups[objectId.toLowerCase()]?.createdAt;
  }

  /**
   * The system-assigned identity of a resource, or the one that AKS assigns to an extension of a cluster; its resource id
   * is that of the resource.
   */
  systemIdentity(resourceId: string): Principal | undefined {
    const resource = this.#state.resources.get(resourceId);
    const [own, ofExtension] = ['identity', 'properties.aksAssignedIdentity'].map((member) =>
      stringOf(at(resource?.body, `${member}.principalId`)),
    );
    const objectId = own || (ofExtension ?? '');
    if (!resource || objectId === '') return undefined;
    const clientId = stringOf(resource.system['identityClientId']);
    const { createdAt, id } = resource;
    return { clientId, objectId, tenantId: this.#defaultTenant, createdAt, resourceId: id, federated: [] };
  }

  byResourceId(resourceId: string): Principal | undefined {
    const resource = this.#state.resources.get(resourceId);
    if (resource && isIdentity(resource)) return identityOf(resource, this.#state);
    return first(
      this.#machines(),
      (principal) => principal.resourceId !== undefined && same(principal.resourceId, resourceId),
    );
  }

  *#all(): Generator<Principal> {
    for (const app of Object.values(this.#state.apps)) yield { ...app, app };
    for (const resource of this.#state.resources.ofType(identityType)) yield identityOf(resource, this.#state);
    yield* this.#machines();
  }

  *#machines(): Generator<Principal> {
    for (const { resourceId, ...identity } of this.#state.machineIdentities) {
      const federated: FederatedCredential[] = [];
      yield {
        ...identity,
        ...(resourceId ? { resourceId } : {}),
        tenantId: this.#defaultTenant,
        createdAt: 0,
        federated,
      };
    }
  }
}

function isIdentity({ type }: StoredResource): boolean {
  return type.toLowerCase() === identityType;
}

function identityOf(resource: StoredResource, { resources }: SandboxState): Principal {
  return {
    clientId: stringOf(at(resource.body, 'properties.clientId')),
    objectId: stringOf(at(resource.body, 'properties.principalId')),
    tenantId: stringOf(at(resource.body, 'properties.tenantId')),
    createdAt: resource.createdAt,
    resourceId: resource.id,
    // A search through all resources, so only on demand.
    get federated() {
      return resources
        .below(`${resource.id}/federatedIdentityCredentials`)
        .map(({ body }) => body['properties'] as FederatedCredential);
    },
  };
}

function first(principals: Iterable<Principal>, fits: (principal: Principal) => boolean): Principal | undefined {
  for (const principal of principals) if (fits(principal)) return principal;
  return undefined;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
