import type { AzureIdentitySpec } from '../../api/pod-identity/azure-identity.ts';
import { bindingLabel, bindingLabelOf, namespacesAllow } from '../../api/pod-identity/matching.ts';
import type { Decision } from '../decisions.ts';
import type { Pod } from '../objects.ts';
import { HttpError, httpErrors } from '../protocol/http-error.ts';
import { redactId, type TokenRequest } from '../protocol/token-request.ts';
import type { WaitingRequests } from '../waiting-requests.ts';
import { type IdentityUse, type PodIdentities, PodIdentityIndex, type PodIdentitySources } from './pod-identities.ts';

/** Caches and longest waits of the identity lookup. */
export interface IdentityLookupDeps extends PodIdentitySources {
  readonly waiting: WaitingRequests;
  /** Upstream's count of polls; times the interval, it limits the wait for an assignment to begin. */
  readonly attemptsForCreated: number;
  /** The same for an assignment that has begun. */
  readonly attemptsForAssigned: number;
  readonly intervalSeconds: number;
  /** Answer 503 with Retry-After where upstream's default is 404. */
  readonly setRetryAfter: boolean;
}

const noIdentity = 'NoIdentity';
const notAssigned = 'NotAssigned';

/** The error with this status where it is 404 because the pod has no identity for the request. */
export function withStatus(error: HttpError, status: number): HttpError {
  const { text, reason, detail } = error;
  if (error.status !== 404 || ![noIdentity, notAssigned].includes(reason)) return error;
  return new HttpError(status, text, { reason, ...(detail !== undefined && { detail }) });
}

/**
 * Chooses the identity for a request. In standard mode the pod needs an AzureAssignedIdentity, and binding and
 * identity must still match, so that a deletion or a changed label counts at once. In managed mode the binding alone
 * decides. A request waits on the watches for missing objects.
 */
export class Identities {
  readonly #deps: IdentityLookupDeps;
  readonly #index: PodIdentityIndex;

  constructor(deps: IdentityLookupDeps) {
    this.#deps = deps;
    this.#index = new PodIdentityIndex(deps);
  }

  /** The identities of the pod, and whether nothing has changed since. */
  of(pod: Pod): Decision<PodIdentities> {
    return this.#index.of(pod);
  }

  /** The current state of a use after a wait; undefined where the pod may no longer use the identity. */
  stillValid(pod: Pod, { binding, identity, spec }: IdentityUse, request: TokenRequest): IdentityUse | undefined {
    return select(this.#index.of(pod).value.usable, request).find(
      (use) =>
        use.binding.metadata.uid === binding.metadata.uid &&
        use.identity.metadata.uid === identity.metadata.uid &&
        use.spec.clientID === spec.clientID,
    );
  }

  /** Whether the caches of all kinds that decide have been read once. */
  get synced(): boolean {
    const { bindings, identities, exceptions, assigned } = this.#deps;
    return [bindings, identities, exceptions, assigned].every((cache) => cache?.synced ?? true);
  }

  /**
   * The identities that fit the request, best first: at least one. More than one only for an object id, which only
   * a token contains. An identity of several bindings is listed once for each. Throws an HTTP error.
   */
  async find(pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<readonly IdentityUse[]> {
    if (!this.synced) throw httpErrors.starting();
    if (bindingLabelOf(pod) === undefined) throw notFound(request, `the pod has no label ${bindingLabel}`);
    const { waiting, attemptsForCreated, attemptsForAssigned, intervalSeconds, mode } = this.#deps;
    const { namespace = '' } = pod.metadata;
    const usable = () => {
      const uses = select(this.#index.of(pod).value.usable, request);
      return uses.length > 0 ? uses : undefined;
    };
    const unreachable = () => this.#trouble() !== undefined;
    const ready = usable();
    if (ready) return ready;
    if (unreachable()) throw httpErrors.apiServerUnreachable('the identity of this pod');
    if (mode === 'managed') {
      const usableIdentities = await waiting.until(namespace, usable, intervalSeconds * 1000, signal);
      if (usableIdentities) return usableIdentities;
      throw unreachable()
        ? httpErrors.apiServerUnreachable('the identity of this pod')
        : notFound(request, this.#reasonFor(pod, request));
    }
    const createdMs = attemptsForCreated * intervalSeconds * 1000;
    // An assignment may be on its way; an identity that no binding names is not, apart from objects that were written
    // together with the pod.
    const named = () => this.#namesFitting(pod, request) || usable() !== undefined || undefined;
    if (!(await waiting.until(namespace, named, Math.min(createdMs, intervalSeconds * 1000), signal))) {
      if (unreachable()) throw httpErrors.apiServerUnreachable('the identity of this pod');
      throw notFound(request, this.#reasonFor(pod, request));
    }
    let createdIdentities = await waiting.until(namespace, usable, createdMs, signal);
    const created = createdIdentities === undefined && select(this.#index.of(pod).value.begun, request).length > 0;
    if (created)
      createdIdentities = await waiting.until(namespace, usable, attemptsForAssigned * intervalSeconds * 1000, signal);
    if (createdIdentities) return createdIdentities;
    if (unreachable()) throw httpErrors.apiServerUnreachable('the identity of this pod');
    throw this.#notAssigned(pod, request, created);
  }

  /** The identities that bindings of the pod name, and those of them that may serve its namespace. */
  #namedFor(pod: Pod) {
    const { identities, forceNamespaced } = this.#deps;
    const podNamespace = pod.metadata.namespace;
    const selected = this.#index.bindingsOf(pod);
    const named = selected.flatMap(({ metadata: { namespace = '' }, spec }) => {
      const identity = identities.get({ namespace, name: spec?.azureIdentity ?? '' });
      return identity ? [{ identity, namespace }] : [];
    });
    const allowed = named.filter(({ identity, namespace }) =>
      namespacesAllow(identity, namespace, podNamespace, forceNamespaced),
    );
    return { selected, named, allowed };
  }

  /** Whether a binding names an identity that fits the request, or whose ids are not known yet. */
  #namesFitting(pod: Pod, request: TokenRequest): boolean {
    const { allowed } = this.#namedFor(pod);
    const begun = select(this.#index.of(pod).value.begun, request);
    return (
      begun.length > 0 || allowed.some(({ identity }) => identity.unresolved || fits(identity.spec ?? {}, request))
    );
  }

  /** Why no identity fits. Names no object, because it may be another tenant's. */
  #reasonFor(pod: Pod, request: TokenRequest): string {
    const { selected, named, allowed } = this.#namedFor(pod);
    if (selected.length === 0) return `no AzureIdentityBinding selects the label ${bindingLabel} of the pod`;
    if (named.length === 0) return 'the binding names no AzureIdentity of its namespace';
    if (allowed.length === 0) return 'the AzureIdentity serves pods of its own namespace only';
    const waiting = allowed.filter(({ identity }) => identity.unresolved !== undefined);
    if (waiting.length === allowed.length) return 'the identityRef of the AzureIdentity gives no ids yet';
    const fitting = allowed.filter(({ identity }) => fits(identity.spec ?? {}, request));
    if (fitting.length === 0) return 'no AzureIdentity of the pod has the id of the request';
    const problem = fitting
      .flatMap(({ identity }) => identity.status?.conditions ?? [])
      .find(({ type, status }) => type === 'Ready' && status === 'False');
    if (problem) return `the AzureIdentity cannot be used (${problem.reason})`;
    return 'it is not assigned on this node yet; see the events of the pod';
  }

  #trouble(): string | undefined {
    const { bindings, identities, assigned } = this.#deps;
    return assigned?.trouble() ?? bindings.trouble() ?? identities.trouble();
  }

  #notAssigned(pod: Pod, request: TokenRequest, created: boolean): HttpError {
    const { attemptsForCreated, attemptsForAssigned, intervalSeconds, setRetryAfter } = this.#deps;
    const state = created ? 'ASSIGNED' : 'CREATED';
    const attempts = created ? attemptsForAssigned : attemptsForCreated;
    const requested =
      request.clientId !== ''
        ? `clientID in request: ${redactId(request.clientId)}, `
        : request.resourceId !== ''
          ? `resourceID in request: ${redactId(request.resourceId)}, `
          : '';
    const text =
      `${requested}getting assigned identities for pod ${pod.metadata.namespace}/${pod.metadata.name} in ${state} state ` +
      `failed after ${attempts} attempts, retry duration [${intervalSeconds}]s, error: <nil>. ` +
      `Check MIC pod logs for identity assignment errors. Reason: ${this.#reasonFor(pod, request)}`;
    return setRetryAfter
      ? new HttpError(503, text, { reason: notAssigned, retryAfterSeconds: 20 })
      : new HttpError(404, text, { reason: notAssigned });
  }
}

/** 404 for a request that no identity of the pod fits. */
export function notFound({ clientId, resourceId, objectId }: TokenRequest, why?: string): HttpError {
  const requested =
    resourceId !== '' && clientId === ''
      ? `resourceID ${redactId(resourceId)}`
      : objectId !== '' && clientId === ''
        ? `objectID ${redactId(objectId)}`
        : `clientID ${redactId(clientId)}`;
  const reason = why === undefined ? '' : `: ${why}`;
  return new HttpError(404, `no azure identity found for request ${requested}${reason}`, { reason: noIdentity });
}

/** The identities of a pod that fit the request: the first one, or all where the request has an object id. */
function select(identities: readonly (readonly IdentityUse[])[], request: TokenRequest): readonly IdentityUse[] {
  const fitting = identities.filter(([use]) => fits(use?.spec ?? {}, request));
  return request.objectId === '' ? (fitting[0] ?? []) : fitting.flat();
}

/** Whether every id of the request is the identity's, regardless of case. */
function fits(spec: AzureIdentitySpec, { clientId, resourceId }: TokenRequest): boolean {
  const same = (wanted: string, own: string | undefined) =>
    wanted === '' || wanted.toLowerCase() === own?.toLowerCase();
  return same(clientId, spec.clientID) && same(resourceId, spec.resourceID);
}
