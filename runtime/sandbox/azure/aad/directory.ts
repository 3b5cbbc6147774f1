import { at, stringOf } from '../json.ts';
import type { AppRegistration, FederatedCredential, SandboxState, StoredResource } from '../state.ts';

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

/** Looks up apps and managed identities; the latter are the ARM resources themselves, so there is one truth. */
export class Directory {
  readonly #state: SandboxState;
  readonly #defaultTenant: string;

  constructor(state: SandboxState, defaultTenant: string) {
    this.#state = state;
    this.#defaultTenant = defaultTenant;
  }

  principals(): Principal[] {
    const apps = Object.values(this.#state.apps).map((app) => ({ ...app, app }));
    const identities = Object.values(this.#state.resources)
      .filter((resource) => resource.type.toLowerCase() === identityType)
      .map((resource) => this.#identity(resource));
    const machines = this.#state.machineIdentities.map(({ resourceId, ...identity }) => ({
      ...identity,
      ...(resourceId ? { resourceId } : {}),
      tenantId: this.#defaultTenant,
      createdAt: 0,
      federated: [],
    }));
    return [...apps, ...identities, ...machines];
  }

  byClientId(clientId: string): Principal | undefined {
    return this.principals().find((principal) => same(principal.clientId, clientId));
  }

  byObjectId(objectId: string): Principal | undefined {
    return this.principals().find((principal) => same(principal.objectId, objectId));
  }

  byResourceId(resourceId: string): Principal | undefined {
    return this.principals().find((principal) => principal.resourceId && same(principal.resourceId, resourceId));
  }

  #identity(resource: StoredResource): Principal {
    const below = `${resource.id.toLowerCase()}/federatedidentitycredentials/`;
    return {
      clientId: stringOf(at(resource.body, 'properties.clientId')),
      objectId: stringOf(at(resource.body, 'properties.principalId')),
      tenantId: stringOf(at(resource.body, 'properties.tenantId')),
      createdAt: resource.createdAt,
      resourceId: resource.id,
      federated: Object.entries(this.#state.resources)
        .filter(([id]) => id.startsWith(below))
        .map(([, credential]) => credential.body['properties'] as FederatedCredential),
    };
  }
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
