import { resourceOf } from '../../api/kinds.ts';
import {
  type FeatureApprovalSpec,
  type FeatureRegistrationSpec,
  type FeatureRegistrationStatus,
  featureApproval,
  featureRegistration,
} from '../../api/machines/features.ts';
import type { Clock } from '../../base/clock.ts';
import { closedGate, featureKey } from '../../compute/features/feature-consent.ts';
import type { ReflectorOptions, WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The part of a FeatureRegistration that the endpoint reads. */
export type GateRegistration = KubeObject & { readonly spec: FeatureRegistrationSpec; readonly ready: boolean };
/** The part of a FeatureApproval that the endpoint reads. */
export type GateApproval = KubeObject & { readonly spec: Pick<FeatureApprovalSpec, 'for' | 'until'> };

const byFeature = 'feature';
const byRegistration = 'registration';

/** The watch of FeatureRegistrations; `ready` is the operator's condition Ready. */
export const registrationWatch: ReflectorOptions<GateRegistration> = {
  type: resourceOf(featureRegistration),
  project({ apiVersion, kind, metadata, spec, status }: GateRegistration) {
    const conditions = (status as FeatureRegistrationStatus | undefined)?.conditions;
    const ready = conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
    return { apiVersion, kind, metadata: metadataOf(metadata), spec, ready };
  },
  indexes: { [byFeature]: ({ spec }) => [featureKey(spec as FeatureRegistrationSpec)] },
};

/** The watch of FeatureApprovals. */
export const approvalWatch: ReflectorOptions<GateApproval> = {
  type: resourceOf(featureApproval),
  project: ({ apiVersion, kind, metadata, spec }) => ({
    apiVersion,
    kind,
    metadata: metadataOf(metadata),
    spec: { for: spec.for, ...(spec.until !== undefined && { until: spec.until }) },
  }),
  indexes: { [byRegistration]: ({ spec }) => [(spec as GateApproval['spec']).for.name] },
};

/** Dependencies of FeatureGates. */
export interface FeatureGatesDeps {
  readonly registrations: Pick<WatchedCache<GateRegistration>, 'byIndex'>;
  readonly approvals: Pick<WatchedCache<GateApproval>, 'byIndex'>;
  readonly clock: Clock;
  /** The feature that opens managed secrets, as the operator has it. */
  readonly feature: string;
}

/**
 * Whether secrets of a subscription may be returned to machines. Both kinds are cluster-scoped, so that no tenant writes them. The
 * endpoint decides from the objects as it saw them last: an approval that ends does so while the API server is away too.
 */
export class FeatureGates {
  readonly #deps: FeatureGatesDeps;

  constructor(deps: FeatureGatesDeps) {
    this.#deps = deps;
  }

  /** Why the gate of a subscription is closed; undefined while it is open. */
  closed(subscription: string): string | undefined {
    const { registrations, approvals, clock, feature } = this.#deps;
    const objects = {
      registrations: (wanted: Pick<FeatureRegistrationSpec, 'feature' | 'subscription'>) =>
        registrations.byIndex(byFeature, featureKey(wanted)),
      approvals: (name: string) => approvals.byIndex(byRegistration, name),
    };
    return closedGate({ subscription, feature }, objects, clock.now());
  }
}

function metadataOf({ name, uid, resourceVersion, creationTimestamp, deletionTimestamp }: KubeObject['metadata']) {
  return {
    name,
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}
