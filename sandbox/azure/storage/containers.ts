import type { StoredResource } from '../arm/resources/stored-resources.ts';
import { objectOf } from '../json.ts';
import type { SandboxState } from '../state.ts';
import type { StorageService } from './call.ts';
import { elementsIn, leavesIn } from './xml.ts';

/** A stored access policy of a container or queue. */
export interface StoredPolicy {
  readonly id: string;
  readonly start?: string;
  readonly expiry?: string;
  readonly permission?: string;
}

/** A lease of a container or blob. Times are milliseconds since the epoch. */
export interface Lease {
  id: string;
  /** -1: it has no end. */
  seconds: number;
  endsAt?: number;
  broken?: boolean;
}

/** What a data plane keeps of a container or queue, with the ARM resource. */
export interface ContainerData {
  etag?: string;
  lease?: Lease;
  policies?: StoredPolicy[];
  changedAt?: number;
}

const kinds: Readonly<Record<StorageService, { type: string; part: string }>> = {
  blob: { type: 'Microsoft.Storage/storageAccounts/blobServices/containers', part: 'blobServices/default/containers' },
  queue: { type: 'Microsoft.Storage/storageAccounts/queueServices/queues', part: 'queueServices/default/queues' },
};

/** The names that containers and queues have. */
export const containerName = /^(\$root|\$web|\$logs|[a-z0-9](?!.*--)[a-z0-9-]{1,61}[a-z0-9])$/;

/** The ARM id of a container or queue. */
export const containerId = (account: StoredResource, service: StorageService, name: string) =>
  `${account.id}/${kinds[service].part}/${name}`;

/** The ARM resource of a container or queue. */
export const findContainer = (
  state: SandboxState,
  account: StoredResource,
  service: StorageService,
  name: string,
): StoredResource | undefined => state.resources.get(containerId(account, service, name));

/** The containers or queues of an account, by name. */
export function containersOf(state: SandboxState, account: StoredResource, service: StorageService): StoredResource[] {
  const prefix = `${account.id}/`.toLowerCase();
  return state.resources
    .ofType(kinds[service].type)
    .filter(({ id }) => id.toLowerCase().startsWith(prefix))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Stores the resource that Resource Manager shows of a container or queue. */
export function makeContainer(
  state: SandboxState,
  account: StoredResource,
  service: StorageService,
  made: { name: string; properties: object; etag: string; now: number },
): StoredResource {
  const { subscriptionId, resourceGroup } = account;
  const { name, properties, etag, now } = made;
  const resource: StoredResource = {
    id: containerId(account, service, name),
    name,
    type: kinds[service].type,
    subscriptionId,
    ...(resourceGroup ? { resourceGroup } : {}),
    body: { properties, ...(service === 'blob' ? { etag: `"${etag}"` } : {}) },
    system: { itemEtag: `"${etag}"` },
    createdAt: now,
    changedAt: now,
  };
  state.resources.set(resource);
  return resource;
}

/** What the data plane keeps of a container or queue. */
export function dataOf(container: StoredResource): ContainerData {
  container.system['data'] ??= {};
  return container.system['data'] as ContainerData;
}

/** `properties.metadata` of a container or queue. */
export const metadataIn = (container: StoredResource): Record<string, string> =>
  objectOf(objectOf(container.body['properties'])['metadata']) as Record<string, string>;

/** Replaces members below `properties`. */
export function setProperties(container: StoredResource, members: object): void {
  container.body = { ...container.body, properties: { ...objectOf(container.body['properties']), ...members } };
}

/** A stored access policy by its identifier. */
export function policyOf(
  state: SandboxState,
  account: StoredResource,
  { service, container }: { service: StorageService; container: string | undefined },
  id: string,
): StoredPolicy | undefined {
  const found = container === undefined ? undefined : findContainer(state, account, service, container);
  return found && dataOf(found).policies?.find((policy) => policy.id === id);
}

/** The policies that the body of a request has. */
export function readPolicies(xml: string): StoredPolicy[] {
  return elementsIn(xml, 'SignedIdentifier').map((content) => {
    const leaves = leavesIn(content, 'Id', 'Start', 'Expiry', 'Permission');
    const values = Object.fromEntries(leaves.map(({ name, text }) => [name.toLowerCase(), text]));
    return { id: '', ...values };
  });
}
