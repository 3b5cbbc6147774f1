import type { ReconcileRequest, Runtime, WatchedCache } from '../../kube/cache/types.ts';
import { isConflict, isNotFound } from '../../kube/client/status-error.ts';
import type { ResourceType } from '../../kube/client/types.ts';
import { objectKeyOf } from '../../kube/controller/mappers.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import { type Binding, bindingsType, type Identity, identitiesType } from '../objects.ts';
import { unusable, usable, type Verdict, withVerdict } from './conditions.ts';
import type { SecretWatches } from './secret-watches.ts';
import { bindingProblem, credentialProblem, identityProblem, openingProblem, secretOf } from './validity.ts';

export interface VerdictParts {
  readonly runtime: Runtime;
  readonly events: EventRecorder;
  readonly identities: WatchedCache<Identity>;
  readonly bindings: WatchedCache<Binding>;
  readonly secrets: SecretWatches;
}

/** Writes the condition Ready of AzureIdentities and AzureIdentityBindings, and an event where something is to be mended. */
export class Verdicts {
  readonly #parts: VerdictParts;

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  readonly identity = async (request: ReconcileRequest, signal: AbortSignal): Promise<undefined> => {
    const identity = this.#parts.identities.get(request);
    const user = `${request.namespace}/${request.name}`;
    if (!identity) this.#parts.secrets.use(user, undefined);
    else await this.#write(identitiesType, identity, this.#ofIdentity(identity, user), signal);
  };

  readonly binding = async (request: ReconcileRequest, signal: AbortSignal): Promise<undefined> => {
    const binding = this.#parts.bindings.get(request);
    if (binding) await this.#write(bindingsType, binding, this.#ofBinding(binding), signal);
  };

  #ofIdentity({ spec }: Identity, user: string): Verdict | undefined {
    const secret = secretOf(spec);
    const state = this.#parts.secrets.use(user, secret && { ...secret, type: spec?.type });
    const problem = identityProblem(spec) ?? credentialProblem(spec);
    if (problem) return unusable(problem);
    if (!secret || state === 'usable' || state === undefined) return usable('Bindings may give it to pods');
    if (state === 'pending') return undefined;
    const name = `${secret.namespace}/${secret.name}`;
    if (state === 'absent') {
      return unusable({
        reason: 'SecretNotFound',
        message: `the Secret ${name} of spec.clientPassword does not exist; create it, or name another one`,
      });
    }
    if ('unusable' in state) {
      return unusable({
        reason: 'SecretNotUsable',
        message: `correct the Secret of spec.clientPassword, or name another one: ${state.unusable}`,
      });
    }
    return {
      status: 'Unknown',
      reason: 'SecretNotReadable',
      message: `whether the Secret ${name} can be used is not known: ${state.unknown}`,
    };
  }

  #ofBinding(binding: Binding): Verdict {
    const { metadata, spec } = binding;
    const problem = bindingProblem(spec) ?? openingProblem(binding);
    if (problem) return unusable(problem);
    const name = spec?.azureIdentity ?? '';
    const identity = this.#parts.identities.get({ namespace: metadata.namespace ?? '', name });
    if (!identity) {
      return unusable({
        reason: 'IdentityNotFound',
        message: `there is no AzureIdentity ${name} in the namespace ${metadata.namespace}; create it here, or correct spec.azureIdentity`,
      });
    }
    const inner = identityProblem(identity.spec);
    if (!inner) return usable(`Gives ${name} to pods with the label value ${spec?.selector}`);
    return unusable({
      reason: 'IdentityNotUsable',
      message: `the AzureIdentity ${name} cannot be used: ${inner.message}`,
    });
  }

  async #write(
    type: ResourceType,
    object: Identity | Binding,
    verdict: Verdict | undefined,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { runtime, events } = this.#parts;
    const { generation, resourceVersion } = object.metadata;
    const conditions = verdict && withVerdict(object.status?.conditions, verdict, generation, runtime.clock.now());
    if (!verdict || !conditions) return;
    const body = { metadata: { resourceVersion }, status: { conditions } };
    try {
      await runtime.client.patch(type, objectKeyOf(object), { type: 'merge', body }, { subresource: 'status', signal });
    } catch (error) {
      // Its event brings the object back.
      if (isConflict(error) || isNotFound(error)) return;
      throw error;
    }
    if (verdict.status !== 'False') return;
    events.record({
      regarding: object,
      type: 'Warning',
      reason: verdict.reason,
      action: 'Validate',
      note: verdict.message,
    });
  }
}
