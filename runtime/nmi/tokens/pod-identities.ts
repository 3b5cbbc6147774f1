import { LRUCache } from 'lru-cache';
import type { AzureIdentitySpec } from '../../api/pod-identity/azure-identity.ts';
import {
  assignedIdentityName,
  bindingLabelOf,
  compareBindings,
  isExcepted,
  matchIdentities,
} from '../../api/pod-identity/matching.ts';
import type { CacheChange } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type AccountPattern, hasExceptedAccount } from '../config/excepted-accounts.ts';
import { type Decision, Decisions } from '../decisions.ts';
import type { NmiCaches } from '../nmi-caches.ts';
import type { Assigned, Binding, Identity, Pod } from '../objects.ts';

/** An identity that a pod may use, and the binding that allows it. */
export interface IdentityUse {
  readonly binding: Binding;
  readonly identity: Identity;
  /**
   * The members for token requests: the current ones, or for an identity attached to the machine those that were
   * attached.
   */
  readonly spec: AzureIdentitySpec;
}

/** The identities that a pod may use, best first; each entry has one use for every binding that allows it. */
export interface PodIdentities {
  readonly excepted: boolean;
  readonly usable: readonly (readonly IdentityUse[])[];
  /** The usable ones and those whose assignment has only begun. */
  readonly begun: readonly (readonly IdentityUse[])[];
}

/** Mode and caches that decide which identities a pod may use. */
export interface PodIdentitySources extends NmiCaches {
  readonly mode: 'standard' | 'managed';
  readonly forceNamespaced: boolean;
  /** Accounts whose pods are excepted; so are pods that `exceptions` select. */
  readonly exceptedAccounts: readonly AccountPattern[];
}

const bySelector = 'selector';
const byIdentity = 'identity';
const byPod = 'pod';
/** Most labels whose bindings are cached in order. */
const maxLabels = 1000;

/**
 * Matches pods with identities. A match is valid until an object changes that it depends on: a binding of
 * the pod's label, an identity of such a binding, an assignment of the pod, an exception of its namespace.
 */
export class PodIdentityIndex {
  readonly #sources: PodIdentitySources;
  readonly #decisions = new Decisions<PodIdentities>();
  readonly #ofPod = new WeakMap<Pod, Decision<PodIdentities>>();
  /** Bindings in their order, by label. */
  readonly #ordered = new LRUCache<string, readonly Binding[]>({ max: maxLabels });

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
        for (const label of new Set(labels)) this.#decisions.invalidate(`label ${label}`);
      }
    });
    assigned?.onChange((change) => {
      for (const object of objectsOf(change)) this.#decisions.invalidate(`pod ${podOf(object)}`);
    });
    exceptions.onChange((change) => {
      for (const { metadata } of objectsOf(change)) this.#decisions.invalidate(`namespace ${metadata.namespace}`);
    });
    pods.onChange((change) => {
      for (const { metadata } of objectsOf(change))
        this.#decisions.invalidate(`pod ${metadata.namespace}/${metadata.name}`);
    });
  }

  /** The identities of the pod as things are now. */
  of(pod: Pod): Decision<PodIdentities> {
    const podIdentities = this.#ofPod.get(pod);
    if (podIdentities?.valid) return podIdentities;
    const { namespace = '', name } = pod.metadata;
    const label = bindingLabelOf(pod);
    const value: PodIdentities = {
      excepted:
        hasExceptedAccount(pod, this.#sources.exceptedAccounts) ||
        isExcepted(pod, this.#sources.exceptions.list(namespace)),
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
      ordered = this.#sources.bindings.byIndex(bySelector, key).sort(compareBindings);
      this.#ordered.set(key, ordered);
    }
    return ordered;
  }

  /** With forceNamespaced the key has the namespace, so that bindings of others cost this namespace nothing. */
  #keyOf(namespace: string, label: string): string {
    return this.#sources.forceNamespaced ? `${namespace}/${label}` : label;
  }

  readonly #labelOf = ({ metadata, spec }: Binding): string =>
    this.#keyOf(metadata.namespace ?? '', spec?.selector ?? '');

  #endLabel(label: string): void {
    this.#ordered.delete(label);
    this.#decisions.invalidate(`label ${label}`);
  }

  #match(pod: Pod, assignedOnly: boolean): IdentityUse[][] {
    const { identities, forceNamespaced } = this.#sources;
    const specs = new Map<Identity, AzureIdentitySpec>();
    // Of two identities of one name in two namespaces only one is assigned: skip the other.
    const identityOf = (key: { readonly namespace: string; readonly name: string }) => {
      const identity = identities.get(key);
      const spec = identity && this.#specFor(pod, identity, assignedOnly);
      if (spec) specs.set(identity, spec);
      return spec && identity;
    };
    const matches = matchIdentities(pod, this.bindingsOf(pod), identityOf, forceNamespaced);
    return matches.map(({ binding, further, identity }) =>
      [binding, ...further].map((each) => ({ binding: each, identity, spec: specs.get(identity) ?? {} })),
    );
  }

  /** The members to use the identity with; undefined where the pod has no assignment of it. */
  #specFor(pod: Pod, identity: Identity, assignedOnly: boolean): AzureIdentitySpec | undefined {
    if (identity.unresolved) return undefined;
    if (this.#sources.mode === 'managed') return identity.spec ?? {};
    const assigned = this.#assignedFor(pod, identity, assignedOnly);
    return assigned && specInUse(identity, assigned);
  }

  #assignedFor(pod: Pod, identity: Identity, assignedOnly: boolean): Assigned | undefined {
    const { namespace, name } = pod.metadata;
    const assignedName = assignedIdentityName(pod, identity.metadata.name);
    // The controller's flag decides the namespace of the assignment, and may differ from the daemon's: compare the
    // name only.
    const all = this.#sources.assigned?.byIndex(byPod, `${namespace ?? ''}/${name}`);
    return all?.find(({ metadata, spec, status }) => {
      const state = status?.status ?? '';
      const inState = state === 'Assigned' || state === '' || (!assignedOnly && state === 'Created');
      const owner = spec?.azureIdentityRef?.metadata.namespace ?? identity.metadata.namespace;
      return metadata.name === assignedName && owner === identity.metadata.namespace && inState;
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
 * The current members for credentials (types 1 to 3), so that a change counts at once. For type 0 the copy in the
 * assignment, because IMDS knows only the identity that was attached. Ids of a reference are in the copy too: undefined
 * where the copy is of another reference.
 */
function specInUse(identity: Identity, assigned: Assigned): AzureIdentitySpec | undefined {
  const live = identity.spec ?? {};
  const copy = assigned.spec?.azureIdentityRef?.spec;
  if ((live.type ?? 0) === 0) return copy ?? live;
  if (!live.identityRef) return live;
  if (copy?.identityRef?.name !== live.identityRef.name) return undefined;
  const clientID = live.clientID || copy.clientID;
  const tenantID = live.tenantID || copy.tenantID;
  return { ...live, ...(clientID !== undefined && { clientID }), ...(tenantID !== undefined && { tenantID }) };
}
