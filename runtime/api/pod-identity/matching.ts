/**
 * Which pod gets which identity: pure rules that the identity controller and the node daemon share.
 * Source: AAD Pod Identity 1.8.
 */
import { normalizeText } from '../../base/text/normalize.ts';
import type { AzureIdentitySpec } from './azure-identity.ts';
import type { AzureIdentityBindingSpec } from './azure-identity-binding.ts';
import type { AzurePodIdentityExceptionSpec } from './azure-pod-identity-exception.ts';

/** The pod label that bindings select by its value. */
export const bindingLabel = 'aadpodidbinding';
/** An identity with this annotation and value serves pods and bindings of its own namespace only. */
export const behaviorAnnotation = 'aadpodidentity.k8s.io/Behavior';
/** Value of the annotation aadpodidentity.k8s.io/Behavior that limits an identity to its own namespace. */
export const namespacedBehavior = 'namespaced';
/** Namespace of assigned identities that are not namespaced. */
export const sharedAssignedNamespace = 'default';

interface Named {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
}
/** The members of an AzureIdentityBinding that matching reads. */
export type MatchedBinding = Named & { readonly spec?: AzureIdentityBindingSpec };
/** The members of an AzureIdentity that matching reads. */
export type MatchedIdentity = Named & { readonly spec?: AzureIdentitySpec };
/** The members of an AzurePodIdentityException that matching reads. */
export type MatchedException = Named & { readonly spec?: AzurePodIdentityExceptionSpec };

/** A pod together with one identity that it may use. */
export interface IdentityMatch<B extends MatchedBinding, I extends MatchedIdentity> {
  readonly binding: B;
  /** Those that give it to the pod as well, in their order. */
  readonly further: readonly B[];
  readonly identity: I;
  /** Name and namespace of the AzureAssignedIdentity that stands for the match. */
  readonly assigned: { readonly namespace: string; readonly name: string };
}

/** The value by which bindings select the pod; undefined when it has none, so that an empty selector never matches. */
export function bindingLabelOf(pod: Named): string | undefined {
  return pod.metadata.labels?.[bindingLabel] || undefined;
}

/** Order among bindings of one pod: highest weight first, then namespace, then name (by code unit, as Go sorts). */
export function compareBindings(a: MatchedBinding, b: MatchedBinding): number {
  const weight = (b.spec?.weight ?? 0) - (a.spec?.weight ?? 0);
  return (
    weight ||
    compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
    compare(a.metadata.name, b.metadata.name)
  );
}

/** Whether the identity carries the namespaced annotation; apart from blanks around the value, both are exact. */
export function isNamespaced(identity: MatchedIdentity): boolean {
  return normalizeText(identity.metadata.annotations?.[behaviorAnnotation] ?? '') === namespacedBehavior;
}

/** Whether namespaces allow a pod of `podNamespace` the identity by a binding of `bindingNamespace`. */
export function namespacesAllow(
  identity: MatchedIdentity,
  bindingNamespace: string | undefined,
  podNamespace: string | undefined,
  forceNamespaced: boolean,
): boolean {
  if (!forceNamespaced && !isNamespaced(identity)) return true;
  const identityNamespace = identity.metadata.namespace;
  return identityNamespace === bindingNamespace && identityNamespace === podNamespace;
}

/** `<pod>-<pod namespace>-<identity>`. Two identities of one name in two namespaces collide; the first match wins. */
export function assignedIdentityName(pod: Named, identityName: string): string {
  return `${pod.metadata.name}-${pod.metadata.namespace ?? ''}-${identityName}`;
}

/**
 * Every identity the pod may use, best first, one per AzureAssignedIdentity name. `bindings` may hold all bindings or
 * only those with the pod's label value as selector; `identityOf` returns undefined for a missing or unusable identity.
 */
export function matchIdentities<B extends MatchedBinding, I extends MatchedIdentity>(
  pod: Named,
  bindings: Iterable<B>,
  identityOf: (key: { readonly namespace: string; readonly name: string }) => I | undefined,
  forceNamespaced: boolean,
): IdentityMatch<B, I>[] {
  const label = bindingLabelOf(pod);
  if (label === undefined) return [];
  const matches = new Map<string, IdentityMatch<B, I> & { readonly further: B[] }>();
  for (const binding of [...bindings].filter(({ spec }) => spec?.selector === label).sort(compareBindings)) {
    const identityName = binding.spec?.azureIdentity;
    if (!identityName) continue;
    const namespace = binding.metadata.namespace ?? '';
    const name = assignedIdentityName(pod, identityName);
    const matcher = matches.get(name);
    if (matcher?.binding.metadata.namespace === namespace) matcher?.further.push(binding);
    if (matcher) continue;
    const identity = identityOf({ namespace, name: identityName });
    if (!identity || !namespacesAllow(identity, namespace, pod.metadata.namespace, forceNamespaced)) continue;
    const isNamespacedIdentity = forceNamespaced || isNamespaced(identity);
    const assigned = { namespace: isNamespacedIdentity ? namespace : sharedAssignedNamespace, name };
    matches.set(name, { binding, further: [], identity, assigned });
  }
  return [...matches.values()];
}

/**
 * Whether the pod is excepted: any one label of any exception of the pod's own namespace; the key is exact, the value
 * ignores case.
 */
export function isExcepted(pod: Named, exceptions: Iterable<MatchedException>): boolean {
  const labels = pod.metadata.labels ?? {};
  for (const { metadata, spec } of exceptions) {
    if (metadata.namespace !== pod.metadata.namespace) continue;
    for (const [key, value] of Object.entries(spec?.podLabels ?? {})) {
      if (Object.hasOwn(labels, key) && labels[key]?.toLowerCase() === value.toLowerCase()) return true;
    }
  }
  return false;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
