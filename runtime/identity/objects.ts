/** The objects of the identity controller, reduced to the members that it reads or writes. */
import {
  type AzureAssignedIdentitySpec,
  type AzureAssignedIdentityStatus,
  azureAssignedIdentity,
} from '../api/pod-identity/azure-assigned-identity.ts';
import { type AzureIdentitySpec, azureIdentity } from '../api/pod-identity/azure-identity.ts';
import { type AzureIdentityBindingSpec, azureIdentityBinding } from '../api/pod-identity/azure-identity-binding.ts';
import type { PodIdentityStatus } from '../api/pod-identity/common.ts';
import {
  type ReferencedIdentity,
  referenceOf,
  resolveIdentity,
  type UnresolvedReference,
  userAssignedIdentitiesType,
} from '../api/pod-identity/identity-reference.ts';
import { bindingLabel } from '../api/pod-identity/matching.ts';
import type { KindDefinition } from '../api/types.ts';
import type { Derivation } from '../kube/cache/derived-cache.ts';
import { withNormalizedSpec } from '../kube/cache/projection.ts';
import type { ReflectorOptions } from '../kube/cache/types.ts';
import type { KubeObject, ResourceType } from '../kube/client/types.ts';

const core = { group: '', version: 'v1' } as const;

/** Pods of all namespaces. */
export const podsType: ResourceType = { ...core, plural: 'pods', kind: 'Pod', namespaced: true };
/** Nodes, for their providerID and region. */
export const nodesType: ResourceType = { ...core, plural: 'nodes', kind: 'Node', namespaced: false };
/** Secrets of service principals; the controller reads those that identities name. */
export const secretsType: ResourceType = { ...core, plural: 'secrets', kind: 'Secret', namespaced: true };
/** AzureIdentity. */
export const identitiesType = resourceOf(azureIdentity);
/** AzureIdentityBinding. */
export const bindingsType = resourceOf(azureIdentityBinding);
/** AzureAssignedIdentity. */
export const assignedType = resourceOf(azureAssignedIdentity);

/** A pod as `podSelection` leaves it. */
export interface Pod extends KubeObject {
  spec?: { nodeName?: string | undefined; hostNetwork?: boolean | undefined };
  status?: { phase?: string | undefined };
}

/** A node as `nodeSelection` leaves it. */
export interface Node extends KubeObject {
  spec?: { providerID?: string | undefined };
}

/** An AzureIdentity with the ids of its reference; `unresolved` where the reference gives none. */
export interface Identity extends KubeObject {
  spec?: AzureIdentitySpec;
  status?: PodIdentityStatus;
  unresolved?: UnresolvedReference;
}

/** A UserAssignedIdentity as `referencedSelection` leaves it. */
export type Referenced = KubeObject & ReferencedIdentity;

/** An AzureIdentityBinding. */
export interface Binding extends KubeObject {
  spec?: AzureIdentityBindingSpec;
  status?: PodIdentityStatus;
}

/** An AzureAssignedIdentity. */
export interface Assigned extends KubeObject {
  spec?: AzureAssignedIdentitySpec;
  status?: AzureAssignedIdentityStatus;
}

/** `status.status` of an AzureAssignedIdentity; '' was written by releases of AAD Pod Identity before 1.5. */
export type AssignedState = '' | 'Created' | 'Assigned' | 'Unassigned';

/** Index of pods by `labelKey` of their binding label. */
export const podsByLabel = 'label';
/** Index of pods on the host network by the same key. */
export const hostNetworkPodsByLabel = 'hostNetworkLabel';
/** Index of pods by node name. */
export const podsByNode = 'node';
/** Index of bindings by `labelKey` of `spec.selector`. */
export const bindingsBySelector = 'selector';
/** Index of bindings by `<namespace>/<name>` of their AzureIdentity. */
export const bindingsByIdentity = 'identity';

/**
 * The key of a label's value in the two indexes. With `forceNamespaced` it has the namespace, so that bindings of
 * others cost the pods of this namespace nothing.
 */
export function labelKey({ namespace = '' }: KubeObject['metadata'], label: string, forceNamespaced: boolean): string {
  return forceNamespaced ? `${namespace}/${label}` : label;
}

/** Watches pods with the binding label only; nearly all pods have none. */
export const podSelection = (forceNamespaced: boolean): ReflectorOptions<Pod> => ({
  type: podsType,
  labelSelector: bindingLabel,
  project: ({ apiVersion, kind, metadata, spec, status }) => {
    const { name, namespace, uid, resourceVersion, labels } = metadata;
    const label = labels?.[bindingLabel];
    return {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion, labels: only(bindingLabel, label) },
      spec: { nodeName: spec?.nodeName, ...(spec?.hostNetwork === true && { hostNetwork: true }) },
      status: { phase: status?.phase },
    };
  },
  indexes: {
    [podsByLabel]: (pod) => labelKeys(pod, forceNamespaced),
    [hostNetworkPodsByLabel]: (pod) => hostNetworkLabels(pod, forceNamespaced),
    [podsByNode]: ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []),
  },
});

function labelKeys({ metadata }: Pod, forceNamespaced: boolean): string[] {
  const label = metadata.labels?.[bindingLabel];
  return label ? [labelKey(metadata, label, forceNamespaced)] : [];
}

/** The key of the pod's binding label; none for a pod that is not on the host network. */
export function hostNetworkLabels(pod: Pod, forceNamespaced: boolean): string[] {
  return pod.spec?.hostNetwork ? labelKeys(pod, forceNamespaced) : [];
}

/** Watches nodes, reduced to providerID and region. */
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

/** The label under which `nodeSelection` stores the region, whichever label the node has. */
export const regionLabel = 'topology.kubernetes.io/region';

/** Watches AzureIdentityBindings. */
export const bindingSelection = (forceNamespaced: boolean): ReflectorOptions<Binding> => ({
  type: bindingsType,
  project: withNormalizedSpec,
  indexes: {
    [bindingsBySelector]: ({ metadata, spec }) =>
      spec?.selector ? [labelKey(metadata, spec.selector, forceNamespaced)] : [],
    [bindingsByIdentity]: ({ metadata, spec }) =>
      spec?.azureIdentity ? [`${metadata.namespace}/${spec.azureIdentity}`] : [],
  },
});

/** Watches AzureIdentities. */
export const identitySelection: ReflectorOptions<Identity> = { type: identitiesType, project: withNormalizedSpec };

/** Watches the UserAssignedIdentities that AzureIdentities refer to, reduced to their ids and conditions. */
export const referencedSelection: ReflectorOptions<Referenced> = {
  type: userAssignedIdentitiesType,
  project: ({ apiVersion, kind, metadata, status }) => {
    const { name, namespace, uid, resourceVersion } = metadata;
    const { id, clientId, tenantId, conditions } = status ?? {};
    return {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion },
      status: { id, clientId, tenantId, conditions },
    } as Referenced;
  },
};

/** How an AzureIdentity gets the ids of its reference. */
export const identityDerivation: Derivation<Identity, Referenced> = {
  dependency: referenceOf,
  derive: resolveIdentity,
};

function only(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

/** Whether the pod needs its identities: it has a node, and its phase is neither Succeeded nor Failed. */
export function isCandidate({ spec, status }: Pod): boolean {
  return Boolean(spec?.nodeName) && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

function resourceOf({ group, versions, plural, kind, namespaced }: KindDefinition): ResourceType {
  return { group, version: versions[0]?.name ?? 'v1', plural, kind, namespaced };
}
