import type { AzureIdentitySpec } from '../../api/pod-identity/azure-identity.ts';
import {
  assignedIdentityName,
  bindingLabelOf,
  compareBindings,
  isExcepted,
  matchIdentities,
} from '../../api/pod-identity/matching.ts';
import type { CacheChange, WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type Decision, Decisions } from '../decisions.ts';
import type { Assigned, Binding, Exception, Identity, Pod } from '../objects.ts';

/** An identity that a pod may use, and the binding that gives it. */
export interface IdentityUse {
  readonly binding: Binding;
  readonly identity: Identity;
  /** The members that tokens are asked with: the live identity's, or for one attached to the machine those that were attached. */
  readonly spec: AzureIdentitySpec;
}

/** The identities of a pod by what its assignments allow, best first; each with every binding that gives it. */
export interface PodIdentities {
  readonly excepted: boolean;
  readonly usable: readonly (readonly IdentityUse[])[];
  /** The same with those whose assignment has only begun. */
  readonly begun: readonly (readonly IdentityUse[])[];
}

export interface PodIdentitySources {
  readonly mode: 'standard' | 'managed';
  readonly forceNamespaced: boolean;
  readonly pods: WatchedCache<Pod>;
  readonly bindings: WatchedCache<Binding>;
  readonly identities: WatchedCache<Identity>;
  readonly exceptions: WatchedCache<Exception>;
  /** Of this node; standard mode only. */
  readonly assigned: WatchedCache<Assigned> | undefined;
}

const bySelector = 'selector';
const byIdentity = 'identity';
const byPod = 'pod';
/** Labels whose bindings are kept in their order. */
const maxLabels = 1000;

/**
 * Matches pods with identities. A match is computed once and holds until an object changes that it depends on: a binding of
 * the pod's label, an identity of such a binding, an assignment of the pod, an exception of its namespace.
 */
export class PodIdentityIndex {
  readonly #sources: PodIdentitySources;
  readonly #decisions = new Decisions<PodIdentities>();
  readonly #ofPod = new WeakMap<Pod, Decision<PodIdentities>>();
  /** Bindings in their order, by label. */
  readonly #ordered = new Map<string, readonly Binding[]>();

  constructor(sources: PodIdentitySources) {
    this.#sources = sources;
    const { pods, bindings, identities, exceptions, assigned } = sources;
    bindings.addIndex(bySelector, (binding) => (binding.spec?.selector ? [this.#labelOf(binding)] : []));
    bindings.addIndex(byIdentity, ({ metadata, spec }) => [`${metadata.namespace}/${spec?.azureIdentity ?? ''}`]);
    assigned?.addIndex(byPod, (object) => [podOf(object)]);
    bindings.onChange((change) => {
      for (const binding of objectsOf(change)) this.#endLabel(this.#labelOf(binding));
    });
    identities.onChange((change) => {
      for (const { metadata } of objectsOf(change).slice(0, 1)) {
        const labels = bindings.byIndex(byIdentity, `${metadata.namespace}/${metadata.name}`).map(this.#labelOf);
        for (const label of new Set(labels)) this.#decisions.end(`label ${label}`);
      }
    });
    assigned?.onChange((change) => {
      for (const object of objectsOf(change)) this.#decisions.end(`pod ${podOf(object)}`);
    });
    exceptions.onChange((change) => {
      for (const { metadata } of objectsOf(change)) this.#decisions.end(`namespace ${metadata.namespace}`);
    });
    pods.onChange((change) => {
      for (const { metadata } of objectsOf(change)) this.#decisions.end(`pod ${metadata.namespace}/${metadata.name}`);
    });
  }

  /** The identities of the pod as things are now. */
  of(pod: Pod): Decision<PodIdentities> {
    const known = this.#ofPod.get(pod);
    if (known?.valid) return known;
    const { namespace = '', name } = pod.metadata;
    const label = bindingLabelOf(pod);
    const value: PodIdentities = {
      excepted: isExcepted(pod, this.#sources.exceptions.list(namespace)),
      usable: this.#match(pod, true),
      begun: this.#sources.mode === 'managed' ? [] : this.#match(pod, false),
    };
    const keys = [`pod ${namespace}/${name}`, `namespace ${namespace}`];
    if (label !== undefined) keys.push(`label ${this.#keyOf(namespace, label)}`);
    const decision = this.#decisions.add(value, keys);
    this.#ofPod.set(pod, decision);
    return decision;
  }

  /** Bindings that select the pod, in their order. */
  bindingsOf(pod: Pod): readonly Binding[] {
    const label = bindingLabelOf(pod);
    if (label === undefined) return [];
    const key = this.#keyOf(pod.metadata.namespace ?? '', label);
    let ordered = this.#ordered.get(key);
    if (!ordered) {
      if (this.#ordered.size >= maxLabels) this.#ordered.clear();
      ordered = this.#sources.bindings.byIndex(bySelector, key).sort(compareBindings);
      this.#ordered.set(key, ordered);
    }
    return ordered;
  }

  /** With namespaces apart, bindings of others are not looked at: their changes cost this namespace nothing. */
  #keyOf(namespace: string, label: string): string {
    return this.#sources.forceNamespaced ? `${namespace}/${label}` : label;
  }

  readonly #labelOf = ({ metadata, spec }: Binding): string =>
    this.#keyOf(metadata.namespace ?? '', spec?.selector ?? '');

  #endLabel(label: string): void {
    this.#ordered.delete(label);
    this.#decisions.end(`label ${label}`);
  }

  #match(pod: Pod, assignedOnly: boolean): IdentityUse[][] {
    const { identities, forceNamespaced } = this.#sources;
    const given = new Map<Identity, AzureIdentitySpec>();
    // Of identities of one name in two namespaces only one is assigned: the other must not stand in its way.
    const identityOf = (key: { readonly namespace: string; readonly name: string }) => {
      const identity = identities.get(key);
      const spec = identity && this.#specFor(pod, identity, assignedOnly);
      if (spec) given.set(identity, spec);
      return spec && identity;
    };
    const matches = matchIdentities(pod, this.bindingsOf(pod), identityOf, forceNamespaced);
    return matches.map(({ binding, further, identity }) =>
      [binding, ...further].map((each) => ({ binding: each, identity, spec: given.get(identity) ?? {} })),
    );
  }

  /** The members that the identity is used with; undefined where no assignment gives it to the pod. */
  #specFor(pod: Pod, identity: Identity, assignedOnly: boolean): AzureIdentitySpec | undefined {
    if (this.#sources.mode === 'managed') return identity.spec ?? {};
    const assigned = this.#assignedFor(pod, identity, assignedOnly);
    return assigned && specInUse(identity, assigned);
  }

  #assignedFor(pod: Pod, identity: Identity, assignedOnly: boolean): Assigned | undefined {
    const { namespace, name } = pod.metadata;
    const wanted = assignedIdentityName(pod, identity.metadata.name);
    // In which namespace the controller puts it depends on a flag that may differ from ours; the name is enough.
    const all = this.#sources.assigned?.byIndex(byPod, `${namespace ?? ''}/${name}`);
    return all?.find(({ metadata, spec, status }) => {
      const state = status?.status ?? '';
      const inState = state === 'Assigned' || state === '' || (!assignedOnly && state === 'Created');
      const owner = spec?.azureIdentityRef?.metadata.namespace ?? identity.metadata.namespace;
      return metadata.name === wanted && owner === identity.metadata.namespace && inState;
    });
  }
}

/** The object before and after the change. */
function objectsOf<T extends KubeObject>(change: CacheChange<T>): T[] {
  if (change.type === 'added') return [change.object];
  return change.type === 'deleted' ? [change.old] : [change.object, change.old];
}

function podOf({ spec }: Assigned): string {
  return `${spec?.podNamespace ?? ''}/${spec?.pod ?? ''}`;
}

/**
 * Credentials (types 1 to 3) are read live, so that a change counts at once. An identity of type 0 works only as it was
 * attached to the machine, which the copy in the assignment records.
 */
function specInUse(identity: Identity, assigned: Assigned): AzureIdentitySpec {
  const live = identity.spec ?? {};
  return (live.type ?? 0) === 0 ? (assigned.spec?.azureIdentityRef?.spec ?? live) : live;
}
