import type { Embedded } from '../../api/pod-identity/azure-assigned-identity.ts';
import { isNamespaced } from '../../api/pod-identity/matching.ts';
import { apiVersionOf, type KubeObject } from '../../kube/client/types.ts';
import { type Assigned, type AssignedState, assignedType } from '../objects.ts';
import type { Desired } from './desired.ts';
import { sameExceptEmpty } from './same-except-empty.ts';

/** Upstream's finalizer of AzureAssignedIdentities. */
export const assignedFinalizer = 'azureassignedidentity.finalizers.aadpodidentity.k8s.io';
/** The label by which node daemons select the assignments of their node. */
export const nodeLabel = 'nodename';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The client id read from Azure, for the node daemon: only the controller may write the kind. */
export const clientIdAnnotation = 'azimuth.dev/client-id';
/** Annotations of earlier versions, which the controller removes. */
export const formerAnnotations = ['azimuth.dev/machine', 'azimuth.dev/claims'] as const;

/** The object to store for an assignment. Keeps the metadata of `current`, except the controller's own. */
export function assignedObject(desired: Desired, state: AssignedState, current?: Assigned): Assigned {
  const [namespace = '', name = ''] = desired.key.split('/');
  const annotations: Record<string, string> = { ...current?.metadata.annotations };
  for (const former of formerAnnotations) delete annotations[former];
  const clientId = verifiedClientId(desired);
  if (clientId === undefined) delete annotations[clientIdAnnotation];
  else annotations[clientIdAnnotation] = clientId;
  const finalizers = new Set([...(current?.metadata.finalizers ?? []), assignedFinalizer]);
  return {
    apiVersion: apiVersionOf(assignedType),
    kind: assignedType.kind,
    metadata: {
      ...current?.metadata,
      name,
      namespace,
      labels: { ...current?.metadata.labels, [nodeLabel]: desired.node },
      ...(Object.keys(annotations).length > 0 ? { annotations } : { annotations: undefined }),
      finalizers: [...finalizers],
    },
    spec: {
      azureIdentityRef: embedded(desired.identity),
      azureBindingRef: embedded(desired.binding),
      pod: desired.pod.metadata.name,
      podNamespace: desired.pod.metadata.namespace ?? '',
      nodename: desired.node,
    },
    status: { status: state, availableReplicas: 1 },
  };
}

/** The client id of a user-assigned identity as read from Azure; undefined while it is not verified. */
export function verifiedClientId({ attachable, verification }: Desired): string | undefined {
  return attachable && verification?.state === 'verified' ? verification.clientId : undefined;
}

/** Why the API server would refuse the object: the limits of names (253) and of label values (63). */
export function nameProblem({ key, node }: Desired): string | undefined {
  const { length } = key.slice(key.indexOf('/') + 1);
  if (length > 253) {
    return `an assignment is called <pod>-<namespace>-<AzureIdentity>, which has ${length} characters here, and 253 at most; shorten one of them`;
  }
  if (node.length <= 63) return undefined;
  return `the name of the node has ${node.length} characters, and 63 at most, because node daemons select their assignments by it as a label`;
}

/**
 * Whether the stored object has the desired content. Compares specs, names, namespaces and the namespaced behaviour
 * only, so that an edited label or annotation of an identity or binding changes no assignment.
 */
export function hasDesiredContent({ metadata, spec = {} }: Assigned, desired: Desired): boolean {
  const { azureIdentityRef: identity, azureBindingRef: binding } = spec;
  return (
    spec.pod === desired.pod.metadata.name &&
    spec.podNamespace === desired.pod.metadata.namespace &&
    spec.nodename === desired.node &&
    metadata.labels?.[nodeLabel] === desired.node &&
    identity !== undefined &&
    binding !== undefined &&
    sameObject(identity, desired.identity) &&
    sameObject(binding, desired.binding) &&
    isNamespaced(identity) === isNamespaced(desired.identity)
  );
}

function sameObject(a: Pick<KubeObject, 'metadata'> & { spec?: unknown }, b: KubeObject): boolean {
  const sameName = a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;
  return sameName && sameExceptEmpty(a.spec, b['spec']);
}

/** A copy as AAD Pod Identity embeds it: the whole object except its status. */
function embedded<Spec>(object: KubeObject & { spec?: Spec }): Embedded<Spec> {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, labels } = object.metadata;
  const { [lastApplied]: _, ...annotations } = object.metadata.annotations ?? {};
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      generation,
      creationTimestamp,
      labels,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    } as Embedded<Spec>['metadata'],
    spec: structuredClone(object.spec ?? ({} as Spec)),
  };
}
