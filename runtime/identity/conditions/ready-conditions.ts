import type { FurtherAuthorities } from '../../azure/identity/authorities.ts';
import { secretOf } from '../../azure/identity/identity-fields.ts';
import type { FairWork } from '../../base/fairness/fair-work.ts';
import type { ReconcileKey, ReconcileResult, Runtime, WatchedCache } from '../../kube/cache/types.ts';
import { isConflict, isNotFound } from '../../kube/client/status-error.ts';
import type { ResourceType } from '../../kube/client/types.ts';
import { objectKeyOf } from '../../kube/controller/mappers.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import { type Binding, bindingsType, type Identity, identitiesType, type Pod } from '../objects.ts';
import type { Verification } from '../verification/identity-verifier.ts';
import { outcomeOf } from '../verification/ready-reasons.ts';
import { bindingProblem, credentialProblem, identityProblem, windowProblem } from '../verification/validity.ts';
import type { Certificates } from './certificates.ts';
import { type ReadyState, usable, withReady } from './conditions.ts';
import { hostNetworkProblem } from './host-network.ts';
import type { SecretWatches } from './secret-watches.ts';

const message = 'Bindings may assign it to pods';

/** Dependencies of the Ready conditions. */
export interface ReadyConditionDeps {
  readonly runtime: Runtime;
  readonly events: EventRecorder;
  readonly pods: WatchedCache<Pod>;
  readonly identities: WatchedCache<Identity>;
  readonly bindings: WatchedCache<Binding>;
  readonly secrets: SecretWatches;
  readonly certificates: Certificates;
  /** Which authorities an AzureIdentity may name. @default those of Azure's clouds */
  readonly authorities?: FurtherAuthorities | undefined;
  readonly verification: (identity: Identity) => Verification;
  /** Whether bindings and identities apply to pods of their own namespace only. */
  readonly forceNamespaced: boolean;
  /** Computes the windows of bindings; namespaces share its time fairly. */
  readonly work: FairWork;
}

/**
 * Writes the Ready condition of AzureIdentities and AzureIdentityBindings, and an event where somebody has to fix
 * something.
 */
export class ReadyConditions {
  readonly #deps: ReadyConditionDeps;

  constructor(deps: ReadyConditionDeps) {
    this.#deps = deps;
  }

  /** Reconciles the condition of an AzureIdentity. */
  readonly identity = async (request: ReconcileKey, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const identity = this.#deps.identities.get(request);
    const user = `${request.namespace}/${request.name}`;
    if (!identity) {
      this.#deps.secrets.use(user, undefined);
      this.#deps.certificates.delete({ namespace: request.namespace ?? '', name: request.name });
      return undefined;
    }
    const ready = this.#ofIdentity(identity, user);
    this.#storeCertificate(identity, ready);
    await this.#write(identitiesType, identity, ready, signal);
    if (ready?.certificateUntil === undefined) return undefined;
    // No watch event enqueues the object when its certificate is about to expire.
    return { requeueAfterMs: this.#deps.certificates.check(ready.certificateUntil).nextCheckMs };
  };

  /** Reconciles the condition of an AzureIdentityBinding. */
  readonly binding = async (request: ReconcileKey, signal: AbortSignal): Promise<undefined> => {
    const binding = this.#deps.bindings.get(request);
    if (!binding) return;
    const { work } = this.#deps;
    const compute = () => this.#ofBinding(binding);
    const readyResult = await work.result(request.namespace ?? '', `ready ${request.key}`, compute);
    await this.#write(bindingsType, binding, readyResult, signal);
  };

  /** While the state of the Secret is unknown, the former certificate counts. */
  #storeCertificate({ metadata: { namespace = '', name } }: Identity, ready: IdentityReadyState | undefined): void {
    if (!ready || outcomeOf(ready.reason).status === 'Unknown') return;
    const { certificateUntil } = ready;
    if (certificateUntil === undefined) this.#deps.certificates.delete({ namespace, name });
    else this.#deps.certificates.set({ namespace, name, expiresAt: certificateUntil });
  }

  #ofCertificate(name: string, certificateUntil: number): IdentityReadyState {
    const { state } = this.#deps.certificates.check(certificateUntil);
    if (state === 'valid') return { ...usable(message), certificateUntil };
    const date = new Date(certificateUntil).toISOString();
    const fix = `put a new certificate into the Secret ${name} of spec.clientPassword`;
    if (state === 'expires soon') {
      const expires = `Bindings may assign it to pods until its certificate expires on ${date}: ${fix}`;
      return { reason: 'CertificateExpiresSoon', message: expires, certificateUntil };
    }
    const expired: ReadyState = { reason: 'SecretNotUsable', message: `its certificate expired on ${date}: ${fix}` };
    return { ...expired, certificateUntil };
  }

  #ofIdentity(identity: Identity, user: string): IdentityReadyState | undefined {
    const { spec } = identity;
    const verification = this.#deps.verification(identity);
    const refused = verification.state === 'refused' ? verification.problem : undefined;
    const secret = refused ? undefined : secretOf(spec);
    const state = this.#deps.secrets.use(user, secret && { ...secret, type: spec?.type });
    if (identity.unresolved) return identity.unresolved;
    const problem = identityProblem(spec) ?? credentialProblem(spec, this.#deps.authorities) ?? refused;
    if (problem) return problem;
    if (verification.state === 'pending') return verification.problem;
    if (!secret || state === 'usable' || state === undefined) return usable(message);
    if (state === 'pending') return undefined;
    const name = `${secret.namespace}/${secret.name}`;
    if (state === 'absent') {
      return {
        reason: 'SecretNotFound',
        message: `the Secret ${name} of spec.clientPassword does not exist; create it, or name another Secret`,
      };
    }
    if ('certificateUntil' in state) return this.#ofCertificate(name, state.certificateUntil);
    if ('unusable' in state) {
      return {
        reason: 'SecretNotUsable',
        message: `correct the Secret of spec.clientPassword, or name another Secret: ${state.unusable}`,
      };
    }
    return {
      reason: 'SecretNotReadable',
      message: `the controller could not check the Secret ${name}: ${state.unknown}`,
    };
  }

  #ofBinding(binding: Binding): ReadyState {
    const { metadata, spec } = binding;
    const problem = bindingProblem(spec) ?? windowProblem(binding);
    if (problem) return problem;
    const name = spec?.azureIdentity ?? '';
    const identity = this.#deps.identities.get({ namespace: metadata.namespace ?? '', name });
    if (!identity) {
      return {
        reason: 'IdentityNotFound',
        message: `there is no AzureIdentity ${name} in the namespace ${metadata.namespace}; create it here, or correct spec.azureIdentity`,
      };
    }
    const verification = this.#deps.verification(identity);
    const inner =
      identity.unresolved ??
      identityProblem(identity.spec) ??
      (verification.state === 'refused' ? verification.problem : undefined);
    if (inner) {
      return { reason: 'IdentityNotUsable', message: `the AzureIdentity ${name} cannot be used: ${inner.message}` };
    }
    const unserved = hostNetworkProblem(binding, identity, this.#deps, this.#deps.forceNamespaced);
    return unserved ?? usable(`Assigns ${name} to pods with the label value ${spec?.selector}`);
  }

  async #write(
    type: ResourceType,
    object: Identity | Binding,
    ready: ReadyState | undefined,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { runtime, events } = this.#deps;
    const { generation, resourceVersion } = object.metadata;
    const conditions = ready && withReady(object.status?.conditions, ready, generation, runtime.clock.now());
    if (!ready || !conditions) return;
    const observed = generation !== undefined && { observedGeneration: generation };
    const body = { metadata: { resourceVersion }, status: { conditions, ...observed } };
    try {
      await runtime.client.patch(type, objectKeyOf(object), { type: 'merge', body }, { subresource: 'status', signal });
    } catch (error) {
      // The watch event of the other write enqueues the object.
      if (isConflict(error) || isNotFound(error)) return;
      throw error;
    }
    // Nobody has to fix what the controller asks Azure or the API server again.
    if (ready.reason === 'Accepted' || outcomeOf(ready.reason).status === 'Unknown') return;
    events.record({
      regarding: object,
      type: 'Warning',
      reason: ready.reason,
      action: 'Validate',
      note: ready.message,
    });
  }
}

/** The condition of an identity, and the end of its certificate in milliseconds since the epoch. */
interface IdentityReadyState extends ReadyState {
  readonly certificateUntil?: number;
}
