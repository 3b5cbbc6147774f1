/** The objects that the node daemon reads, reduced to the members that it reads. */
import type { AzureAssignedIdentitySpec } from '../api/pod-identity/azure-assigned-identity.ts';
import type { AzureIdentitySpec } from '../api/pod-identity/azure-identity.ts';
import type { AzureIdentityBindingSpec } from '../api/pod-identity/azure-identity-binding.ts';
import type { AzurePodIdentityExceptionSpec } from '../api/pod-identity/azure-pod-identity-exception.ts';
import type { ReferencedIdentity, UnresolvedReference } from '../api/pod-identity/identity-reference.ts';
import type { KubeObject, ObjectMeta, ResourceType } from '../kube/client/types.ts';

const core = { group: '', version: 'v1', namespaced: true } as const;
const podIdentity = { group: 'aadpodidentity.k8s.io', version: 'v1', namespaced: true } as const;

/** Pods of this node. */
export const podsType: ResourceType = { ...core, plural: 'pods', kind: 'Pod' };
/** Secrets, which the daemon reads by name. */
export const secretsType: ResourceType = { ...core, plural: 'secrets', kind: 'Secret' };
/** Service accounts, for TokenRequest. */
export const serviceAccountsType: ResourceType = { ...core, plural: 'serviceaccounts', kind: 'ServiceAccount' };
/** AzureIdentity. */
export const identitiesType: ResourceType = { ...podIdentity, plural: 'azureidentities', kind: 'AzureIdentity' };
/** AzureIdentityBinding. */
export const bindingsType: ResourceType = {
  ...podIdentity,
  plural: 'azureidentitybindings',
  kind: 'AzureIdentityBinding',
};
/** AzureAssignedIdentity, which the identity controller writes. */
export const assignedType: ResourceType = {
  ...podIdentity,
  plural: 'azureassignedidentities',
  kind: 'AzureAssignedIdentity',
};
/** AzurePodIdentityException. */
export const exceptionsType: ResourceType = {
  ...podIdentity,
  plural: 'azurepodidentityexceptions',
  kind: 'AzurePodIdentityException',
};

/** UserAssignedIdentity, read in managed mode only. */
export { userAssignedIdentitiesType } from '../api/pod-identity/identity-reference.ts';

interface ContainerStatus {
  state?: { running?: { startedAt?: string } };
}

/** A pod as `projectPod` leaves it. */
export interface Pod extends KubeObject {
  spec?: {
    nodeName?: string | undefined;
    hostNetwork?: boolean | undefined;
    serviceAccountName?: string | undefined;
  };
  status?: {
    phase?: string | undefined;
    podIP?: string | undefined;
    podIPs?: { ip?: string }[] | undefined;
    containerStatuses?: ContainerStatus[] | undefined;
    initContainerStatuses?: ContainerStatus[] | undefined;
    ephemeralContainerStatuses?: ContainerStatus[] | undefined;
  };
}

/** An AzureIdentity; conditions are the identity controller's. */
export interface Identity extends KubeObject {
  spec?: AzureIdentitySpec;
  /** In managed mode: why its reference gives no ids. */
  unresolved?: UnresolvedReference;
  status?: { conditions?: { type: string; status: string; reason?: string }[] };
}

/** An AzureIdentityBinding. */
export interface Binding extends KubeObject {
  spec?: AzureIdentityBindingSpec;
}

/** An AzureAssignedIdentity. `status.status`: upstream's state, such as Created or Assigned. */
export interface Assigned extends KubeObject {
  spec?: AzureAssignedIdentitySpec;
  status?: { status?: string };
}

/** An AzurePodIdentityException. */
export interface Exception extends KubeObject {
  spec?: AzurePodIdentityExceptionSpec;
}

/** A UserAssignedIdentity as `projectReferenced` leaves it. */
export type Referenced = KubeObject & ReferencedIdentity;

/** Reduces a UserAssignedIdentity to its ids. */
export function projectReferenced({ apiVersion, kind, metadata, status }: Referenced): Referenced {
  const { name, namespace, uid, resourceVersion } = metadata;
  const { id, clientId, tenantId } = status ?? {};
  const ids = { ...(id && { id }), ...(clientId && { clientId }), ...(tenantId && { tenantId }) };
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } as ObjectMeta, status: ids };
}

/** Reduces a pod to the members that identify it and that decide its requests. */
export function projectPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, labels, deletionTimestamp } = pod.metadata;
  const { phase, podIP, podIPs } = pod.status ?? {};
  const states = (list?: ContainerStatus[]) =>
    list?.map(({ state }) => {
      const startedAt = state?.running?.startedAt;
      return { state: state?.running ? { running: { ...(startedAt && { startedAt }) } } : {} };
    });
  return {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: { name, namespace, uid, resourceVersion, labels, deletionTimestamp },
    spec: { hostNetwork: pod.spec?.hostNetwork, serviceAccountName: pod.spec?.serviceAccountName },
    status: {
      phase,
      podIP,
      podIPs,
      containerStatuses: states(pod.status?.containerStatuses),
      initContainerStatuses: states(pod.status?.initContainerStatuses),
      ephemeralContainerStatuses: states(pod.status?.ephemeralContainerStatuses),
    },
  };
}
