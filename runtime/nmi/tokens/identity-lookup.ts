import type { AzureIdentitySpec } from '../../api/pod-identity/azure-identity.ts';
import {
  assignedIdentityName,
  bindingLabel,
  bindingLabelOf,
  isExcepted,
  matchIdentities,
  namespacesAllow,
} from '../../api/pod-identity/matching.ts';
import type { Changes } from '../../kube/cache/changes.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import { HttpError, httpErrors } from '../http/http-error.ts';
import { redactId, type TokenRequest } from '../http/token-request.ts';
import type { Assigned, Binding, Exception, Identity, Pod } from '../objects.ts';

/** An identity that a pod may use, and the binding that gives it. */
export interface IdentityUse {
  readonly binding: Binding;
  readonly identity: Identity;
  /** What tokens are asked with: the live identity, or for one attached to the machine what was attached. */
  readonly spec: AzureIdentitySpec;
}

export interface IdentitiesOptions {
  readonly mode: 'standard' | 'managed';
  readonly forceNamespaced: boolean;
  readonly bindings: WatchedCache<Binding>;
  readonly identities: WatchedCache<Identity>;
  readonly exceptions: WatchedCache<Exception>;
  /** Of this node; standard mode only. */
  readonly assigned: WatchedCache<Assigned> | undefined;
  readonly changes: Changes;
  /** Upstream's polls, which bound the wait here: their count times the interval. */
  readonly attemptsForCreated: number;
  readonly attemptsForAssigned: number;
  readonly intervalSeconds: number;
  /** Answer 503 with Retry-After where upstream's default is 404. */
  readonly setRetryAfter: boolean;
}

const bySelector = 'selector';
const byPod = 'pod';
/** Decisions kept for one pod; SDKs ask for the same one or two. */
const maxKnown = 20;

/**
 * Chooses the identity for a request. In standard mode an AzureAssignedIdentity must stand for it, and binding and
 * identity must still say the same, so that a deletion or a changed label counts at once; in managed mode the binding
 * decides alone. What is not there yet is waited for on the watches.
 */
export class Identities {
  readonly #options: IdentitiesOptions;
  /** What was decided for a pod, by the ids asked for, since the last change of anything that decides. */
  #known = new WeakMap<Pod, Map<string, readonly IdentityUse[]>>();

  constructor(options: IdentitiesOptions) {
    this.#options = options;
    const { bindings, identities, exceptions, assigned } = options;
    for (const cache of [bindings, identities, exceptions, assigned]) {
      cache?.onChange(() => {
        this.#known = new WeakMap();
      });
    }
    options.bindings.addIndex(bySelector, ({ spec }) => (spec?.selector ? [spec.selector] : []));
    options.assigned?.addIndex(byPod, ({ spec }) => [`${spec?.podNamespace ?? ''}/${spec?.pod ?? ''}`]);
  }

  excepted(pod: Pod): boolean {
    return isExcepted(pod, this.#options.exceptions.list(pod.metadata.namespace));
  }

  /** What `find` would give, decided once until something changes; undefined where that must decide. */
  known(pod: Pod, request: TokenRequest): readonly IdentityUse[] | undefined {
    const key = `${request.clientId.length} ${request.clientId}${request.resourceId}`;
    let decided = this.#known.get(pod);
    const known = decided?.get(key);
    if (known) return known;
    if (request.objectId !== '' || !this.synced || this.excepted(pod)) return undefined;
    const uses = this.#uses(pod, request, true);
    if (uses.length === 0) return undefined;
    if (!decided || decided.size >= maxKnown) {
      decided = new Map();
      this.#known.set(pod, decided);
    }
    decided.set(key, uses);
    return uses;
  }

  /** The same use as it is now, after a wait in which anything may have changed; undefined where it does not stand. */
  standing(pod: Pod, { binding, identity, spec }: IdentityUse, request: TokenRequest): IdentityUse | undefined {
    return this.#uses(pod, request, true).find(
      (use) =>
        use.binding.metadata.uid === binding.metadata.uid &&
        use.identity.metadata.uid === identity.metadata.uid &&
        use.spec.clientID === spec.clientID,
    );
  }

  /** Whether everything that decides has been read once. */
  get synced(): boolean {
    const { bindings, identities, exceptions, assigned } = this.#options;
    return [bindings, identities, exceptions, assigned].every((cache) => cache?.synced ?? true);
  }

  /**
   * The identities that fit the request, best first: at least one, and just one unless an object id was asked for, which
   * only a token shows. An identity that several bindings give comes once for each. Throws a refusal.
   */
  async find(pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<IdentityUse[]> {
    if (!this.synced) throw httpErrors.starting();
    if (bindingLabelOf(pod) === undefined) throw notFound(request, `the pod has no label ${bindingLabel}`);
    const { changes, attemptsForCreated, attemptsForAssigned, intervalSeconds, mode } = this.#options;
    const usable = () => {
      const uses = this.#uses(pod, request, true);
      return uses.length > 0 ? uses : undefined;
    };
    const away = () => this.#trouble() !== undefined;
    const ready = usable();
    if (ready) return ready;
    if (away()) throw httpErrors.clusterAway('the identity of this pod');
    if (mode === 'managed') {
      const found = await changes.until(usable, intervalSeconds * 1000, signal);
      if (found) return found;
      throw away() ? httpErrors.clusterAway('the identity of this pod') : notFound(request, this.#why(pod, request));
    }
    let found = await changes.until(usable, attemptsForCreated * intervalSeconds * 1000, signal);
    const created = found === undefined && this.#uses(pod, request, false).length > 0;
    if (created) found = await changes.until(usable, attemptsForAssigned * intervalSeconds * 1000, signal);
    if (found) return found;
    if (away()) throw httpErrors.clusterAway('the identity of this pod');
    throw this.#notAssigned(pod, request, created);
  }

  #uses(pod: Pod, request: TokenRequest, assignedOnly: boolean): IdentityUse[] {
    const { bindings, identities, forceNamespaced } = this.#options;
    const label = bindingLabelOf(pod);
    if (label === undefined) return [];
    const candidates = bindings.byIndex(bySelector, label);
    const given = new Map<Identity, AzureIdentitySpec>();
    // Of identities of one name in two namespaces only one is assigned: the other must not stand in its way.
    const identityOf = (key: { readonly namespace: string; readonly name: string }) => {
      const identity = identities.get(key);
      const spec = identity && this.#specFor(pod, identity, assignedOnly);
      if (spec) given.set(identity, spec);
      return spec && identity;
    };
    const matches = matchIdentities(pod, candidates, identityOf, forceNamespaced);
    const fitting = matches.filter(({ identity }) => fits(given.get(identity) ?? {}, request));
    return (request.objectId === '' ? fitting.slice(0, 1) : fitting).flatMap(({ binding, further, identity }) =>
      [binding, ...further].map((each) => ({ binding: each, identity, spec: given.get(identity) ?? {} })),
    );
  }

  /** What the identity is used with; undefined where no assignment gives it to the pod. */
  #specFor(pod: Pod, identity: Identity, assignedOnly: boolean): AzureIdentitySpec | undefined {
    if (this.#options.mode === 'managed') return identity.spec ?? {};
    const assigned = this.#assignedFor(pod, identity, assignedOnly);
    return assigned && specInUse(identity, assigned);
  }

  #assignedFor(pod: Pod, identity: Identity, assignedOnly: boolean): Assigned | undefined {
    const { namespace, name } = pod.metadata;
    const wanted = assignedIdentityName(pod, identity.metadata.name);
    // In which namespace the controller puts it depends on a flag that may differ from ours; the name is enough.
    return this.#options.assigned?.byIndex(byPod, `${namespace ?? ''}/${name}`).find(({ metadata, spec, status }) => {
      const state = status?.status ?? '';
      const inState = state === 'Assigned' || state === '' || (!assignedOnly && state === 'Created');
      const owner = spec?.azureIdentityRef?.metadata.namespace ?? identity.metadata.namespace;
      return metadata.name === wanted && owner === identity.metadata.namespace && inState;
    });
  }

  /** Why no identity fits, naming no object: those may be another tenant's. */
  #why(pod: Pod, request: TokenRequest): string {
    const { bindings, identities, forceNamespaced } = this.#options;
    const own = pod.metadata.namespace;
    const selected = bindings.byIndex(bySelector, bindingLabelOf(pod) ?? '');
    if (selected.length === 0) return `no AzureIdentityBinding selects the label ${bindingLabel} of the pod`;
    const named = selected.flatMap(({ metadata: { namespace = '' }, spec }) => {
      const identity = identities.get({ namespace, name: spec?.azureIdentity ?? '' });
      return identity ? [{ identity, namespace }] : [];
    });
    if (named.length === 0) return 'the binding names no AzureIdentity of its namespace';
    const allowed = named.filter(({ identity, namespace }) =>
      namespacesAllow(identity, namespace, own, forceNamespaced),
    );
    if (allowed.length === 0) return 'the AzureIdentity serves pods of its own namespace only';
    const fitting = allowed.filter(({ identity }) => fits(identity.spec ?? {}, request));
    if (fitting.length === 0) return 'no AzureIdentity of the pod has the id that was asked for';
    const problem = fitting
      .flatMap(({ identity }) => identity.status?.conditions ?? [])
      .find(({ type, status }) => type === 'Ready' && status === 'False');
    if (problem) return `the AzureIdentity cannot be used (${problem.reason})`;
    return 'it is not assigned on this node yet; the events of the pod tell what keeps it';
  }

  #trouble(): string | undefined {
    const { bindings, identities, assigned } = this.#options;
    return assigned?.trouble() ?? bindings.trouble() ?? identities.trouble();
  }

  #notAssigned(pod: Pod, request: TokenRequest, created: boolean): HttpError {
    const { attemptsForCreated, attemptsForAssigned, intervalSeconds, setRetryAfter } = this.#options;
    const state = created ? 'ASSIGNED' : 'CREATED';
    const attempts = created ? attemptsForAssigned : attemptsForCreated;
    const asked =
      request.clientId !== ''
        ? `clientID in request: ${redactId(request.clientId)}, `
        : request.resourceId !== ''
          ? `resourceID in request: ${redactId(request.resourceId)}, `
          : '';
    const text =
      `${asked}getting assigned identities for pod ${pod.metadata.namespace}/${pod.metadata.name} in ${state} state ` +
      `failed after ${attempts} attempts, retry duration [${intervalSeconds}]s, error: <nil>. ` +
      `Check MIC pod logs for identity assignment errors. Reason: ${this.#why(pod, request)}`;
    return setRetryAfter
      ? new HttpError(503, text, { reason: 'NotAssigned', retryAfterSeconds: 20 })
      : new HttpError(404, text, { reason: 'NotAssigned' });
  }
}

/** 404 for a request that no identity of the pod fits. */
export function notFound({ clientId, resourceId, objectId }: TokenRequest, why?: string): HttpError {
  const asked =
    resourceId !== '' && clientId === ''
      ? `resourceID ${redactId(resourceId)}`
      : objectId !== '' && clientId === ''
        ? `objectID ${redactId(objectId)}`
        : `clientID ${redactId(clientId)}`;
  const reason = why === undefined ? '' : `: ${why}`;
  return new HttpError(404, `no azure identity found for request ${asked}${reason}`, { reason: 'NoIdentity' });
}

/**
 * Credentials (types 1 to 3) are read live, so that a change counts at once. An identity of type 0 works only as it was
 * attached to the machine, which the copy in the assignment records.
 */
function specInUse(identity: Identity, assigned: Assigned): AzureIdentitySpec {
  const live = identity.spec ?? {};
  return (live.type ?? 0) === 0 ? (assigned.spec?.azureIdentityRef?.spec ?? live) : live;
}

/** Every id given must be the identity's, whatever the case. */
function fits(spec: AzureIdentitySpec, { clientId, resourceId }: TokenRequest): boolean {
  const same = (asked: string, own: string | undefined) => asked === '' || asked.toLowerCase() === own?.toLowerCase();
  return same(clientId, spec.clientID) && same(resourceId, spec.resourceID);
}
