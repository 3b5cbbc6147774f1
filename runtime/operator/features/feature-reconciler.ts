import { randomUUID } from 'node:crypto';
import type {
  FeatureApprovalSpec,
  FeatureApprovalStatus,
  FeatureRegistrationSpec,
  FeatureRegistrationStatus,
} from '../../api/machines/features.ts';
import { ArmError } from '../../azure/arm/errors.ts';
import { messageOf } from '../../base/errors.ts';
import {
  approvalInForce,
  featureKey,
  isOwnFeature,
  oldestRegistration,
} from '../../compute/features/feature-consent.ts';
import {
  type FeatureState,
  type FeatureStep,
  nextFeatureStep,
  type ProviderState,
} from '../../compute/features/features.ts';
import type { ReconcileKey, ReconcileResult, Runtime, WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ApproverNames } from '../approvals/approver-names.ts';
import { writeObjectStatus } from '../object-status.ts';
import type { Readiness } from '../objects/conditions.ts';
import type { FeatureClient, FeatureContext, FeatureKey } from './feature-client.ts';
import type { FeatureGates } from './feature-gates.ts';

/** A FeatureRegistration as the API server has it. */
export type FeatureRegistration = KubeObject & { spec: FeatureRegistrationSpec; status?: FeatureRegistrationStatus };
/** A FeatureApproval as the API server has it. */
export type FeatureApproval = KubeObject & { spec: FeatureApprovalSpec; status?: FeatureApprovalStatus };

/** Dependencies of the reconciler of FeatureRegistrations. */
export interface FeatureReconcilerDeps {
  readonly runtime: Runtime;
  readonly registrations: WatchedCache<FeatureRegistration>;
  readonly approvals: WatchedCache<FeatureApproval>;
  readonly approvers: Pick<ApproverNames, 'of'>;
  readonly client: FeatureClient;
  readonly gates: FeatureGates;
  /** How many machines of a subscription have managed secrets now, for the message of a withdrawal. */
  readonly holders: (subscription: string) => number;
}

/** A process that starts counts machines as it reconciles them, and machines come and go: the count is made again. */
const countMs = 60_000;

/**
 * A registration is read again after this time: somebody may unregister its feature in Azure. An approval is too, for the
 * admission policy that verifies its name.
 */
export const resyncMs = 3_600_000;

/**
 * Registers features once their owner has approved them, and keeps the gates. Nothing is sent to Azure without an
 * approval. A feature of Azimuth's own is registered as soon as it is approved.
 */
export class FeatureReconciler {
  readonly #deps: FeatureReconcilerDeps;
  /** Names with their subscription and feature, to close the gate of an object that is gone. */
  readonly #keys = new Map<string, FeatureKey>();
  /** Reads since the state of a registration changed. */
  readonly #polls = new Map<string, { state: string; count: number }>();

  constructor(deps: FeatureReconcilerDeps) {
    this.#deps = deps;
  }

  /** Reconciles one FeatureRegistration. */
  readonly reconcile = async (request: ReconcileKey, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const { registrations, gates, runtime } = this.#deps;
    const object = registrations.get(request);
    if (!object || object.metadata.deletionTimestamp !== undefined) {
      const key = this.#keys.get(request.name);
      if (key && !this.#first(key)) gates.set(key, undefined);
      this.#keys.delete(request.name);
      this.#polls.delete(request.name);
      return undefined;
    }
    const key = keyOf(object);
    this.#keys.set(request.name, key);
    const now = runtime.clock.now();
    const approval = approvalInForce(this.#deps.approvals.list(), request.name, now);
    const context: FeatureContext = { correlationId: randomUUID(), signal };
    const first = this.#first(key);
    const registration =
      first && first !== object
        ? duplicate(first)
        : await this.#advance(object, key, approval !== undefined, context).catch(refused);
    if (first === object) {
      const { severity, reason, message } = registration.readiness;
      gates.set(key, severity === undefined ? { open: true } : { open: false, reason, message });
    }
    const approver = approval && (await this.#deps.approvers.of(approval, signal));
    const members = {
      ...(registration.state && { state: registration.state }),
      ...(registration.providerState && { providerState: registration.providerState }),
      ...(approval && { approvedBy: approval.metadata.name }),
      ...(approver !== undefined && { approver }),
    };
    const { client } = runtime;
    await writeObjectStatus({
      client,
      type: registrations.type,
      object,
      members,
      readiness: registration.readiness,
      now,
      signal,
    });
    const ends = approval?.spec.until === undefined ? undefined : Date.parse(approval.spec.until) - now;
    const next = Math.min(registration.pollAfterMs ?? resyncMs, ends ?? resyncMs);
    return { requeueAfterMs: Math.max(1000, next) };
  };

  #first(key: FeatureKey): FeatureRegistration | undefined {
    return oldestRegistration(this.#deps.registrations.list(), featureKey(key));
  }

  async #advance(
    object: FeatureRegistration,
    key: FeatureKey,
    consent: boolean,
    context: FeatureContext,
  ): Promise<Found> {
    const { client } = this.#deps;
    const { name } = object.metadata;
    const locations = object.spec.locations ?? [];
    if (!consent) return this.#withoutConsent(object, key);
    if (isOwnFeature(key.feature)) return { readiness: ready, state: 'Registered' };
    let state = await client.state(key, context);
    if (nextFeatureStep({ state, consent }).action === 'RegisterFeature') state = await client.register(key, context);
    let provider: ProviderState | undefined;
    if (state === 'Registered') {
      // The status of a cluster-scoped object is the operator's own: no tenant writes it.
      if (object.status?.state !== 'Registered') await client.registerProvider(key, context);
      provider = await client.provider(key, context);
    }
    const polls = this.#count(name, `${state} ${provider?.registrationState}`);
    const step = nextFeatureStep({ state, consent, locations, polls, ...(provider && { provider }) });
    return {
      readiness: readinessOf(step, key, state),
      state,
      ...(provider && { providerState: provider.registrationState }),
      ...(step.pollAfterMs !== undefined && { pollAfterMs: step.pollAfterMs }),
    };
  }

  #withoutConsent(object: FeatureRegistration, key: FeatureKey): Found {
    const opensSecrets = this.#deps.gates.isFor(key.feature);
    const held = opensSecrets ? heldBy(this.#deps.holders(key.subscription)) : '';
    const message =
      `waits for a FeatureApproval with spec.for.name ${object.metadata.name}` +
      `${held}; RBAC of featureapprovals.azimuth.dev decides who may create one`;
    const readiness: Readiness = { severity: 'Warning', reason: 'ApprovalMissing', message };
    return { readiness, ...(opensSecrets && { pollAfterMs: countMs }) };
  }

  #count(name: string, state: string): number {
    const before = this.#polls.get(name);
    const count = before?.state === state ? before.count + 1 : 0;
    this.#polls.set(name, { state, count });
    return count;
  }
}

function heldBy(machines: number): string {
  if (machines === 0) return '';
  const who =
    machines === 1 ? '1 machine keeps the secrets that it has' : `${machines} machines keep the secrets that they have`;
  return `; ${who}, without a new version`;
}

interface Found {
  readonly readiness: Readiness;
  readonly state?: FeatureState;
  readonly providerState?: string;
  readonly pollAfterMs?: number;
}

const ready: Readiness = { severity: undefined, reason: 'Registered', message: '' };

function readinessOf(step: FeatureStep, { feature, subscription }: FeatureKey, state: FeatureState): Readiness {
  if (step.dependants === 'Released') return ready;
  if (step.waitsFor === 'AzureApproval') {
    const message = `Azure's service team has to approve ${feature} for ${subscription}; the request stays until it does`;
    return { severity: 'Warning', reason: 'AzureApprovalPending', message };
  }
  const what =
    step.action === 'PollProvider' ? `the provider ${feature.split('/')[0]} is registering` : `the feature is ${state}`;
  return { severity: 'Warning', reason: 'Registering', message: `${what} in ${subscription}` };
}

function duplicate({ metadata }: FeatureRegistration): Found {
  const message = `the FeatureRegistration ${metadata.name} is older and registers the same feature; delete one of the two`;
  return { readiness: { severity: 'Error', reason: 'Duplicate', message } };
}

/** Milliseconds after which a refused request is sent again. */
const retryMs = 300_000;

function refused(error: unknown): Found {
  if (!(error instanceof ArmError)) throw error;
  const { status, code } = error.info;
  if (status === 429 || status >= 500) throw error;
  const gone = status === 404;
  const message = gone
    ? `${messageOf(error)}: correct spec.feature; a feature that became generally available needs no registration`
    : messageOf(error);
  const reason = gone ? 'FeatureNotFound' : code;
  return { readiness: { severity: 'Error', reason, message }, pollAfterMs: gone ? resyncMs : retryMs };
}

function keyOf({ spec }: FeatureRegistration): FeatureKey {
  return { subscription: spec.subscription.toLowerCase(), feature: spec.feature };
}
