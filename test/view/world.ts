import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import type { ResourceType } from '../../runtime/kube/client/types.ts';
import { type Cluster, startCluster } from '../fakes/cluster.ts';

export { core } from '../conformance/resources.ts';
export type { Cluster };

const kinds = [
  kindOf('resources.azure.com', 'ResourceGroup'),
  kindOf('storage.azure.com', 'StorageAccount'),
  kindOf('aadpodidentity.k8s.io', 'AzureIdentity'),
  kindOf('aadpodidentity.k8s.io', 'AzureIdentityBinding'),
];
export const [groups, accounts, identities, bindings] = kinds.map(resourceOf) as [
  ResourceType,
  ResourceType,
  ResourceType,
  ResourceType,
];

/** A cluster with a few kinds of the view, and `more`. */
export const startViewWorld = (more: readonly KindDefinition[] = []): Promise<Cluster> =>
  startCluster({ kinds: [...kinds, ...more], namespaces: ['demo', 'other', 'labels'] });
