/** The objects the identity controller reads and writes, as far as it does. */
import {
  type AzureAssignedIdentitySpec,
  type AzureAssignedIdentityStatus,
  azureAssignedIdentity,
} from '../api/pod-identity/azure-assigned-identity.ts';
import { type AzureIdentitySpec, type AzureIdentityStatus, azureIdentity } from '../api/pod-identity/azure-identity.ts';
import {
  type AzureIdentityBindingSpec,
  type AzureIdentityBindingStatus,
  azureIdentityBinding,
} from '../api/pod-identity/azure-identity-binding.ts';
import { bindingLabel } from '../api/pod-identity/matching.ts';
import type { KindDefinition } from '../api/types.ts';
import type { ReflectorOptions } from '../kube/cache/types.ts';
import type { KubeObject, ResourceType } from '../kube/client/types.ts';

const core = { group: '', version: 'v1' } as const;

export const podsType: ResourceType = { ...core, plural: 'pods', kind: 'Pod', namespaced: true };
export const nodesType: ResourceType = { ...core, plural: 'nodes', kind: 'Node', namespaced: false };
export const secretsType: ResourceType = { ...core, plural: 'secrets', kind: 'Secret', namespaced: true };
export const identitiesType = resourceOf(azureIdentity);
export const bindingsType = resourceOf(azureIdentityBinding);
export const assignedType = resourceOf(azureAssignedIdentity);

export interface Pod extends KubeObject {
  spec?: { nodeName?: string };
  status?: { phase?: string };
}
export interface Node extends KubeObject {
  spec?: { providerID?: string };
}
export interface Identity extends KubeObject {
  spec?: AzureIdentitySpec;
  status?: AzureIdentityStatus;
}
export interface Binding extends KubeObject {
  spec?: AzureIdentityBindingSpec;
  status?: AzureIdentityBindingStatus;
}
export interface Assigned extends KubeObject {
  spec?: AzureAssignedIdentitySpec;
  status?: AzureAssignedIdentityStatus;
}

/** `status.status` of an AzureAssignedIdentity; '' was written by releases of AAD Pod Identity before 1.5. */
export type AssignedState = '' | 'Created' | 'Assigned' | 'Unassigned';

/** Names of the indexes of the caches below. */
export const podsByLabel = 'label';
export const podsByNode = 'node';
export const bindingsBySelector = 'selector';
export const bindingsByIdentity = 'identity';

/** The server leaves out pods without the label, which are nearly all. */
export const podSelection: ReflectorOptions<Pod> = {
  type: podsType,
  labelSelector: bindingLabel,
  project: ({ apiVersion, kind, metadata, spec, status }) => {
    const { name, namespace, uid, resourceVersion, labels } = metadata;
    const label = labels?.[bindingLabel];
    return {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion, labels: only(bindingLabel, label) },
      spec: { nodeName: spec?.nodeName },
      status: { phase: status?.phase },
    };
  },
  indexes: {
    [podsByLabel]: ({ metadata }) => (metadata.labels?.[bindingLabel] ? [metadata.labels[bindingLabel]] : []),
    [podsByNode]: ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []),
  },
};

export const nodeSelection: ReflectorOptions<Node> = {
  type: nodesType,
  project: ({ apiVersion, kind, metadata, spec }) => {
    const { name, uid, resourceVersion, labels } = metadata;
    const region = labels?.['topology.kubernetes.io/region'] ?? labels?.['failure-domain.beta.kubernetes.io/region'];
    return {
      apiVersion,
      kind,
      metadata: { name, uid, resourceVersion, labels: only(regionLabel, region) },
      spec: { providerID: spec?.providerID },
    };
  },
};
export const regionLabel = 'topology.kubernetes.io/region';

export const bindingSelection: ReflectorOptions<Binding> = {
  type: bindingsType,
  indexes: {
    [bindingsBySelector]: ({ spec }) => (spec?.selector ? [spec.selector] : []),
    [bindingsByIdentity]: ({ metadata, spec }) =>
      spec?.azureIdentity ? [`${metadata.namespace}/${spec.azureIdentity}`] : [],
  },
};
export const identitySelection: ReflectorOptions<Identity> = { type: identitiesType };

function only(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

/** Whether the pod holds on to its identities: it has a node and has not run to its end. */
export function isCandidate({ spec, status }: Pod): boolean {
  return Boolean(spec?.nodeName) && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

function resourceOf({ group, versions, plural, kind, namespaced }: KindDefinition): ResourceType {
  return { group, version: versions[0]?.name ?? 'v1', plural, kind, namespaced };
}
