import { resourceOf } from '../../api/kinds.ts';
import { featureApproval, featureRegistration, managedSecretsFeature } from '../../api/machines/features.ts';
import type { ArmClient, Authorizer } from '../../azure/types.ts';
import type { CacheChange } from '../../kube/cache/types.ts';
import type { ObjectKey } from '../../kube/client/types.ts';
import { Controller } from '../../kube/controller/controller.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import { objectKeyOf, objectOf, wantedChanged } from '../../kube/controller/mappers.ts';
import { source } from '../../kube/controller/source.ts';
import { ApproverNames } from '../approvals/approver-names.ts';
import { ApprovalReconciler } from './approval-reconciler.ts';
import { FeatureClient } from './feature-client.ts';
import { FeatureGates } from './feature-gates.ts';
import { type FeatureApproval, FeatureReconciler, type FeatureRegistration } from './feature-reconciler.ts';

/** Dependencies of the gates. */
export interface FeaturesDeps {
  readonly manager: Manager;
  readonly arm: ArmClient;
  /** The operator's own credential: registrations belong to no namespace. */
  readonly authorizer: Authorizer;
  /** The feature that opens managed secrets. @default azimuth.dev/ManagedSecrets */
  readonly feature?: string;
  /** Called when the gate of a subscription opens or closes. */
  readonly changed: (subscription: string) => void;
  /** How many machines of a subscription have managed secrets now. */
  readonly holders: (subscription: string) => number;
}

/** Adds the controllers of FeatureRegistrations and FeatureApprovals to a manager. Returns the gates, which are closed until it has run. */
export function addFeatures(deps: FeaturesDeps): FeatureGates {
  const { manager, arm, authorizer, holders } = deps;
  const registrations = manager.watch<FeatureRegistration>({ type: resourceOf(featureRegistration) });
  const approvals = manager.watch<FeatureApproval>({ type: resourceOf(featureApproval) });
  const gates = new FeatureGates(deps.feature ?? managedSecretsFeature, deps.changed);
  const client = new FeatureClient(arm, authorizer);
  const { runtime } = manager;
  const approvers = new ApproverNames(runtime.client);
  const shared = { runtime, registrations, approvals, approvers };
  const { reconcile } = new FeatureReconciler({ ...shared, client, gates, holders });
  const controller = new Controller(runtime, {
    name: 'featureregistrations.azimuth.dev',
    primary: registrations,
    reconcile,
    filter: wantedChanged,
    sources: [source(approvals, approved)],
    concurrency: 2,
    backoff: { initialMs: 1000, maxMs: 60_000 },
  });
  // Another registration of the same feature may count now.
  registrations.onChange((change) => {
    if (change.type === 'updated') return;
    for (const { metadata } of registrations.list()) controller.enqueue({ name: metadata.name });
  });
  manager.addController(controller);
  manager.addController(
    new Controller(runtime, {
      name: 'featureapprovals.azimuth.dev',
      primary: approvals,
      reconcile: new ApprovalReconciler(shared).reconcile,
      filter: wantedChanged,
      sources: [source(registrations, (change) => approvalsOf(change, approvals.list()))],
      backoff: { initialMs: 1000, maxMs: 60_000 },
    }),
  );
  return gates;
}

/** The approvals of a registration that appeared or went. */
function approvalsOf(change: CacheChange<FeatureRegistration>, approvals: readonly FeatureApproval[]): ObjectKey[] {
  if (change.type === 'updated') return [];
  const { name } = objectOf(change).metadata;
  return approvals.filter(({ spec }) => spec.for.name === name).map(objectKeyOf);
}

/** The registrations that an approval names, before and after its change. */
function approved(change: CacheChange<FeatureApproval>): ObjectKey[] {
  // The condition of an approval decides nothing.
  if (!wantedChanged(change)) return [];
  const versions = [
    ...(change.type === 'added' ? [] : [change.old]),
    ...(change.type === 'deleted' ? [] : [change.object]),
  ];
  return [...new Set(versions.map(({ spec }) => spec.for.name))].map((name) => ({ name }));
}
