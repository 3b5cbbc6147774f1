import { expected } from '../../../../runtime/base/errors.ts';
import type { SandboxState, StoredFeature, Subscription } from '../../state.ts';
import type { ArmSettings } from '../behaviour.ts';
import type { FeatureApproval } from './feature-types.ts';

/** States of a feature in a subscription, as Azure spells them. */
export type FeatureState =
  | 'NotRegistered'
  | 'Pending'
  | 'Registering'
  | 'Registered'
  | 'Unregistering'
  | 'Unregistered';

/** A feature that Azure has. `name` is `Microsoft.Compute/EncryptionAtHost`, as it is spelled there. */
export interface KnownFeature {
  readonly name: string;
  readonly approval: FeatureApproval;
}

/** The feature of that name, in any case of letters. */
export function findFeature(name: string, { features }: ArmSettings): KnownFeature | undefined {
  const found = Object.entries(features).find(([known]) => known.toLowerCase() === name.toLowerCase());
  return found && { name: found[0], approval: found[1] };
}

/** The state at a time: those that pass by themselves take `featureMs`. */
export function featureState(stored: StoredFeature | undefined, now: number, { featureMs }: ArmSettings): FeatureState {
  if (!stored) return 'NotRegistered';
  const done = now >= stored.since + featureMs;
  if (stored.state === 'Registering') return done ? 'Registered' : 'Registering';
  if (stored.state === 'Unregistering') return done ? 'Unregistered' : 'Unregistering';
  return stored.state;
}

/** The record of a feature in the subscription. */
export const storedFeature = ({ features }: Subscription, name: string): StoredFeature | undefined =>
  features?.[name.toLowerCase()];

/** Puts a feature of a subscription into a state. */
export function setFeature(subscription: Subscription, name: string, stored: StoredFeature): void {
  subscription.features = { ...subscription.features, [name.toLowerCase()]: stored };
}

/** The decision of Azure's people about a feature that waits for them. */
export interface FeatureDecision {
  readonly subscriptionId: string;
  readonly feature: string;
  readonly state: 'Registered' | 'NotRegistered';
}

/** Decides about a feature that is Pending. Throws where none is. */
export function decideFeature(
  { subscriptionId, feature, state: decided }: FeatureDecision,
  { subscriptions }: SandboxState,
  now: number,
): void {
  const subscription = subscriptions[subscriptionId.toLowerCase()];
  if (!subscription) throw expected('subscriptionId', 'a subscription of the sandbox', subscriptionId);
  if (decided !== 'Registered' && decided !== 'NotRegistered') {
    throw expected('state', 'Registered or NotRegistered', decided);
  }
  const stored = storedFeature(subscription, feature);
  if (stored?.state !== 'Pending') throw expected('feature', 'a feature that is Pending', feature);
  setFeature(subscription, feature, { ...stored, state: decided, since: now });
}
